// Runs one whole session of a real client in the project and looks at it from outside: what the model read, and who answered.
// Counts the Node processes that the command hooks start, through a `node` of its own that stands first in the PATH.

import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runSession } from '../../../lab/client.mjs';
import { GIT_ENV } from './project.mjs';

/**
 * @param {object} options as of `runSession`; `home` may be prepared by the caller
 * @returns {Promise<import('../../../lab/client.mjs').Session & { byCall: Map<string, object>, nodeStarts: string[], records: object[] }>}
 *   `byCall`: results by conversation, turn and place in the turn; `nodeStarts`: what the command hooks started; `records`: `~/.trimtab/errors.jsonl`
 */
export async function observe({ env = {}, args = [], home, ...options }) {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-e2e-'));
  try {
    const counted = countingNode(folder);
    const ownHome = home ?? join(folder, 'home');
    mkdirSync(ownHome, { recursive: true });
    const session = await runSession({
      timeoutMs: 240_000, // A busy machine needs ten times what an idle one does.
      ...options,
      home: ownHome,
      args: ['--include-hook-events', ...args],
      // Most tests look at refusals, which every route gives alike; answers.test.mjs looks at what comes in their place by default.
      env: { ...GIT_ENV, TRIMTAB_MODE: 'redirect', ...counted.env, ...env },
    });
    return {
      ...session,
      byCall: new Map(session.results.map((result) => [placeOf(result), result])),
      nodeStarts: counted.starts(),
      records: linesOf(join(ownHome, '.trimtab', 'errors.jsonl')).map((line) => JSON.parse(line)),
      home: ownHome,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A `node` that stands first in the PATH and counts: `env` for a session, and what was started with it. */
export function countingNode(folder) {
  const started = join(folder, 'node-starts.txt');
  const shim = join(folder, 'bin', 'node');
  mkdirSync(join(folder, 'bin'), { recursive: true });
  writeFileSync(shim, `#!/bin/sh\necho "$*" >>'${started}'\nexec '${process.execPath}' "$@"\n`);
  chmodSync(shim, 0o755);
  // For calls that are judged before they run; the weight of a session has starts of its own.
  return { env: { PATH: `${join(folder, 'bin')}:${process.env.PATH}` }, starts: () => linesOf(started).filter((line) => line.endsWith(' PreToolUse')) };
}

/** Names a call by where it stands in the script: conversation, turn, place in the turn. */
export function placeOf({ conversation, turn, id }) {
  return `${conversation} ${turn} ${id.split('_').at(-1) - 1}`;
}

/** The core's own text out of what the client wraps around a refusal, by version and route. */
export function unwrapped(text) {
  return text.replace(/^Permission to use \w+ denied by plugins? [^:]*: /, '').replace(/^PreToolUse:\w+ hook error: /, '');
}

/** Everything that differs from run to run without meaning anything. */
export function steady(text) {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>')
    .replace(/\/\S*?trimtab-(?:lab|e2e)-\w+/g, '<scratch>')
    .replace(/\b(?:a[0-9a-f]{16}|[0-9a-f]{64})\b/g, '<id>')
    .replace(/\btool-results\/\w+/g, 'tool-results/<name>')
    .replace(/\b(cch|cc_\w+)=[\w.]+/g, '$1=<…>')
    .replace(/<total_tokens>\d+ tokens left<\/total_tokens>/g, '<total_tokens/>')
    .replace(/(duration_ms|total_tokens|tool_uses|subagent_tokens): \d+/g, '$1: <n>');
}

/**
 * The requests as the model read them, one text for each, steady and with the results named in `blanked` taken out.
 * Results of parallel calls come in the order in which they finish; they are put in the order of the calls.
 */
export function requestTexts(session, blanked) {
  return session.requests
    .filter(({ conversation }) => conversation !== 'side')
    .map(({ conversation, turn, body }) => {
      const messages = body.messages.map((message) => {
        if (typeof message.content === 'string') return { ...message, content: [{ type: 'text', text: message.content }] };
        const blocks = message.content.map(({ cache_control, ...block }) =>
          block.type === 'tool_result' && blanked.has(block.tool_use_id) ? { type: 'tool_result', tool_use_id: block.tool_use_id } : block,
        );
        const isResults = blocks.every((block) => block.type === 'tool_result');
        return { ...message, content: isResults ? blocks.sort((a, b) => (a.tool_use_id < b.tool_use_id ? -1 : 1)) : blocks };
      });
      const tools = body.tools?.filter(({ name }) => !name.startsWith('mcp__trimtab__') && name !== 'DeferredToolPlaceholder');
      return { conversation, turn, text: withoutOffer(steady(JSON.stringify({ ...body, tools, metadata: undefined, messages }, null, 1))) };
    });
}

/** What the client says of the code tools, whose own test is tools.test.mjs. */
function withoutOffer(text) {
  const offer = String.raw`# MCP Server Instructions\n\nThe following MCP servers have provided instructions for how to use their tools and resources:\n\n## trimtab\nTools registered by the trimtab plugin through $.tool.register.`;
  return text.replace(String.raw`\n\n${offer}`, '').replace(String.raw`${offer}\n\n`, '');
}

function linesOf(file) {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

/** What trimtab's command hooks printed, in order; the person's own hooks in these sessions say so in their text. */
export function hookAnswers({ events }) {
  return events
    .filter(({ type, subtype, hook_event }) => type === 'system' && subtype === 'hook_response' && hook_event === 'PreToolUse')
    .map(({ stdout }) => stdout.trim())
    .filter((text) => text !== '' && !text.includes('The person'));
}

/** Which routes refused each call that was refused at all, by place: `module`, `hooks`, or, where something is wrong, both. */
export function answeringRoutes(session) {
  const reasons = hookAnswers(session).map((text) => JSON.parse(text).hookSpecificOutput.permissionDecisionReason);
  const routes = new Map();
  for (const result of session.results) {
    const route = [];
    if (new RegExp(`tool\\.check ${result.tool} ${result.id}: \\w+ -> deny by plugins? [^:]*\\btrimtab\\b`).test(session.debug)) route.push('module');
    const at = result.isError ? reasons.indexOf(unwrapped(result.text)) : -1;
    if (at >= 0) {
      route.push('hooks');
      reasons.splice(at, 1);
    }
    if (route.length > 0) routes.set(placeOf(result), route);
  }
  return routes;
}
