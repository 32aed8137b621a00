// A scripted stand-in for the Anthropic Messages API, so that a real Claude Code client can run a whole session offline.
//
// It listens on 127.0.0.1 only, plays the turns it was given, and keeps every request, which is exactly what a model would have read.
// It never calls out, never checks or keeps a credential (headers are not recorded), and never decides anything by itself:
// the same script and the same client give the same conversation.

import { createServer } from 'node:http';

const MODEL = 'claude-opus-4-5';

/**
 * Starts the server.
 *
 * @param {Script} script
 * @returns {Promise<ModelServer>}
 *
 * @typedef {{text: string} | {tool: string, input: object} | {usage: object}} Block
 *   `text` and `tool` become content blocks, in order; several tools in one turn are parallel calls in one message.
 *   `usage` overrides the token figures of that answer (to make a client believe that its context is full).
 * @typedef {Block[]} Turn
 * @typedef {{main?: Turn[], agents?: Record<string, Turn[]>, mark?: string}} Script
 *   `agents`: turns of a subagent, by a text that occurs in its first prompt and in no other conversation's.
 *   `mark`: goes into the ids of the calls, so that those of an earlier script, in a session that is taken up again, are not taken for them.
 * @typedef {{conversation: string, turn: number | null, path: string, body: object, at: number}} Request
 *   `conversation` is `main`, an agent's marker, or `side` (titles, probes, summaries: not counted as turns, `turn` null).
 *   `at` is when it came, in milliseconds of `performance.now()`.
 * @typedef {{url: string, requests: Request[], calls: Map<string, {tool: string, input: object, conversation: string, turn: number}>, close: () => Promise<void>}} ModelServer
 */
export async function startModelServer(script = {}) {
  const requests = [];
  const calls = new Map();
  const conversations = new Map();
  const markers = Object.keys(script.agents ?? {});

  const answerTo = (path, body) => {
    const conversation = conversationOf(body, markers);
    if (conversation === 'side') {
      requests.push({ conversation, turn: null, path, body, at: performance.now() });
      return { id: `msg_lab_side_${requests.length}`, content: [{ type: 'text', text: sideText(body) }], body };
    }
    const state = conversations.get(conversation) ?? { turns: 0, last: null, answer: null };
    conversations.set(conversation, state);
    const asked = JSON.stringify(body.messages);
    // A client that repeats a request (a retry, or without streaming) gets the same answer again.
    if (state.last === asked) return state.answer;
    const turn = state.turns++;
    const turns = conversation === 'main' ? script.main : script.agents[conversation];
    const blocks = turns?.[turn] ?? [{ text: 'done' }];
    const name = `${script.mark ? `${script.mark}_` : ''}${conversation === 'main' ? 'main' : `agent${markers.indexOf(conversation) + 1}`}`;
    const content = [];
    let usage;
    for (const block of blocks) {
      if (block.usage) {
        usage = block.usage;
      } else if (block.tool) {
        const id = `toolu_lab_${name}_${String(turn + 1).padStart(3, '0')}_${content.length + 1}`;
        calls.set(id, { tool: block.tool, input: block.input ?? {}, conversation, turn });
        content.push({ type: 'tool_use', id, name: block.tool, input: block.input ?? {} });
      } else {
        content.push({ type: 'text', text: block.text ?? '' });
      }
    }
    requests.push({ conversation, turn, path, body, at: performance.now() });
    state.last = asked;
    state.answer = { id: `msg_lab_${name}_${String(turn + 1).padStart(3, '0')}`, content, usage, body };
    return state.answer;
  };

  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('error', () => {});
    request.on('end', () => {
      const path = (request.url ?? '/').split('?')[0];
      let body = null;
      try {
        body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      } catch {
        // Not every request has a body; one without is answered below by its path.
      }
      if (request.method === 'POST' && path.endsWith('/count_tokens')) {
        sendJson(response, { input_tokens: roughTokens(body) });
      } else if (request.method === 'POST' && path.endsWith('/messages') && body) {
        const answer = answerTo(path, body);
        if (body.stream) sendStream(response, answer);
        else sendJson(response, messageOf(answer));
      } else if (path.endsWith('/models')) {
        sendJson(response, { data: [], has_more: false, first_id: null, last_id: null });
      } else {
        sendJson(response, {});
      }
    });
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    requests,
    calls,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** The conversation a request belongs to: `main`, an agent's marker, or `side`. */
function conversationOf(body, markers) {
  const messages = body.messages ?? [];
  // Titles, quota probes and the like bring no tools of the session, or leave no room for an answer.
  if (!body.tools?.length || body.max_tokens === 1) return 'side';
  if (/Your task is to create a detailed summary/.test(textOf(messages.at(-1)))) return 'side';
  const first = textOf(messages.find((message) => message.role === 'user'));
  return markers.find((marker) => first.includes(marker)) ?? 'main';
}

/** A harmless answer to a request that is not part of the script. Some ask for JSON and would repeat themselves otherwise. */
function sideText(body) {
  return body.output_config?.format || body.output_format ? '{"title":"Lab session","isNewTopic":false}' : 'Lab session';
}

/** All text of one message, whichever way its content is written. */
function textOf(message) {
  if (!message) return '';
  if (typeof message.content === 'string') return message.content;
  return (message.content ?? []).map((block) => block.text ?? '').join('\n');
}

function roughTokens(body) {
  return Math.ceil(JSON.stringify(body ?? '').length / 4);
}

function messageOf({ id, content, usage, body }) {
  return {
    id,
    type: 'message',
    role: 'assistant',
    model: body.model ?? MODEL,
    content,
    stop_reason: content.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: roughTokens(body),
      output_tokens: roughTokens(content),
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      ...usage,
    },
  };
}

function sendJson(response, value) {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

function sendStream(response, answer) {
  const message = messageOf(answer);
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const send = (event) => response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  send({ type: 'message_start', message: { ...message, content: [], stop_reason: null, usage: { ...message.usage, output_tokens: 1 } } });
  message.content.forEach((block, index) => {
    if (block.type === 'text') {
      send({ type: 'content_block_start', index, content_block: { type: 'text', text: '' } });
      send({ type: 'content_block_delta', index, delta: { type: 'text_delta', text: block.text } });
    } else {
      send({ type: 'content_block_start', index, content_block: { ...block, input: {} } });
      send({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: JSON.stringify(block.input) } });
    }
    send({ type: 'content_block_stop', index });
  });
  send({ type: 'message_delta', delta: { stop_reason: message.stop_reason, stop_sequence: null }, usage: message.usage });
  send({ type: 'message_stop' });
  response.end();
}
