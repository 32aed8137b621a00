// A server of the Model Context Protocol over standard input and output, for whole sessions: `smart_read` and `smart_log` say how they were
// called, `dump` gives a long text. Does nothing else.

import { createInterface } from 'node:readline';

const TOOLS = ['smart_read', 'smart_log', 'dump'].map((name) => ({ name, description: name, inputSchema: { type: 'object', additionalProperties: true } }));
const DUMP = Array.from({ length: 700 }, (_, at) => `row ${at} of what the server holds`).join('\n');

const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'codes', version: '1.0.0' } }),
  'tools/list': () => ({ tools: TOOLS }),
  'tools/call': ({ name, arguments: given }) => ({ content: [{ type: 'text', text: name === 'dump' ? DUMP : JSON.stringify(given) }] }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result = answers[method]?.(params ?? {});
  const answer = result === undefined ? { error: { code: -32601, message: 'no such method' } } : { result };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
}
