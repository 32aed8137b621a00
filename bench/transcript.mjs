// Writes a made-up transcript of a wanted size: turns of Read, Bash and Edit with code in their results, beside the other kinds of lines in
// the shares that a study of real ones found. The same arguments give the same bytes. Only the line that grows is held in memory.

import { closeSync, openSync, writeSync } from 'node:fs';
import { generator } from './stats.mjs';

const SESSION = '00000000-0000-4000-8000-000000000001';
const KILOBYTE = 1_000;
const BATCH_CHARS = 1_000_000;
// A compaction falls due at about this many tokens, and leaves so many.
const [FULL, COMPACTED] = [160_000, 15_000];
// Lines that stand beside one turn, of those in the study: attachments, progress, the client's own state.
const BESIDE = { attachment: 0.8, progress: 0.2, system: 0.1, 'last-prompt': 0.08, 'file-history-snapshot': 0.07, 'permission-mode': 0.04, 'ai-title': 0.04, 'queue-operation': 0.01 };
const WORDS = ['parse', 'value', 'index', 'buffer', 'total', 'session', 'offset', 'reader', 'entry', 'limit', 'count', 'state', 'token', 'result'];

/**
 * @param {string} path
 * @param {{ bytes: number, longLine?: number }} size `longLine`: of the result of one call in the middle
 */
export function writeTranscript(path, { bytes, longLine = 0 }) {
  const file = openSync(path, 'w');
  const writer = createTurns();
  let written = 0;
  let [waiting, isLong] = ['', false];
  while (written + waiting.length < bytes) {
    const isMiddle = longLine > 0 && !isLong && written > bytes / 2;
    waiting += writer.turn(isMiddle ? longLine : undefined);
    isLong ||= isMiddle;
    if (waiting.length < BATCH_CHARS) continue;
    written += writeSync(file, waiting);
    waiting = '';
  }
  writeSync(file, waiting);
  closeSync(file);
  return writer;
}

/** `turn(chars)` gives the lines of the next turn, whose result has about so many characters. */
export function createTurns() {
  const random = generator(1);
  const pick = (list) => list[Math.floor(random() * list.length)];
  let [number, turns, context, parent] = [0, 0, 20_000, null];

  function line(fields) {
    number += 1;
    const uuid = `10000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
    const at = new Date(1_767_000_000_000 + number * 3_000).toISOString();
    const text = JSON.stringify({ parentUuid: parent, isSidechain: false, userType: 'external', cwd: '/repo', sessionId: SESSION, version: '2.1.332', gitBranch: 'main', ...fields, uuid, timestamp: at });
    parent = uuid;
    return `${text}\n`;
  }

  /** A function of some language, with what JSON has to escape, and now and then a character of more than one byte. */
  function code(chars) {
    const lines = [];
    for (let length = 0; length < chars; length += lines.at(-1).length + 1) {
      const [one, other] = [pick(WORDS), pick(WORDS)];
      const form = Math.floor(random() * 8);
      if (form === 0) lines.push('', `pub fn ${one}_${other}(${other}: &str, limit: usize) -> Option<String> {`);
      else if (form === 1) lines.push(`    let ${one} = ${other}.trim_start_matches("\\n").replace('\\t', "  ");`);
      else if (form === 2) lines.push(`    if ${one}.len() > ${Math.floor(random() * 900)} && !${other}.is_empty() {`);
      else if (form === 3) lines.push(`        return Err(format!("unexpected \`{${one}}\` at {${other}}"));`);
      else if (form === 4) lines.push(`    // The ${one} comes before the ${other}${random() < 0.2 ? ' – „siehe“ ↑' : ''}, and nothing is kept of it.`);
      else if (form === 5) lines.push('    }', '}');
      else lines.push(`        self.${one}.push(${other}[${Math.floor(random() * 90)}].clone());`);
    }
    return lines.join('\n');
  }

  function answer(id, content, output) {
    const usage = { input_tokens: 4, cache_creation_input_tokens: 900, cache_read_input_tokens: Math.round(context), output_tokens: output, cache_creation: { ephemeral_5m_input_tokens: 900, ephemeral_1h_input_tokens: 0 }, service_tier: 'standard' };
    return line({ type: 'assistant', message: { id, type: 'message', role: 'assistant', model: 'claude-opus-5-5', content: [content], stop_reason: null, stop_sequence: null, usage }, requestId: `req_${turns}` });
  }

  function result(call, text, shown, isError = false) {
    return line({ type: 'user', message: { role: 'user', content: [{ tool_use_id: call, type: 'tool_result', content: text, ...(isError && { is_error: true }) }] }, toolUseResult: shown });
  }

  function exchange(chars) {
    const [id, call] = [`msg_${turns}`, `toolu_${turns}`];
    const path = `/repo/src/${pick(WORDS)}/${pick(WORDS)}_${turns % 300}.rs`;
    const use = (name, input) => answer(id, { type: 'tool_use', id: call, name, input }, 180);
    const form = random();
    if (chars !== undefined || form < 0.45) {
      const content = code(chars ?? 2 * KILOBYTE + random() * 20 * KILOBYTE);
      const count = content.split('\n').length;
      const gutter = content.split('\n').map((text, at) => `${at + 1}\t${text}`).join('\n');
      return [use('Read', { file_path: path }), result(call, gutter, { type: 'text', file: { filePath: path, content, numLines: count, startLine: 1, totalLines: count } })];
    }
    if (form < 0.8) {
      const stdout = code(200 + random() * 8 * KILOBYTE);
      const isError = random() < 0.08;
      const shown = isError ? `Error: Exit code 1\n${stdout}` : { stdout, stderr: '', interrupted: false, isImage: false };
      return [use('Bash', { command: `cargo test ${pick(WORDS)} 2>&1 | tail -40`, description: 'Run the tests' }), result(call, isError ? `Exit code 1\n${stdout}` : stdout, shown, isError)];
    }
    const [old, next] = [code(300), code(400)];
    const original = code(4 * KILOBYTE + random() * 16 * KILOBYTE);
    const structuredPatch = [{ oldStart: 12, oldLines: 9, newStart: 12, newLines: 12, lines: next.split('\n').map((text) => `+${text}`) }];
    return [
      use('Edit', { file_path: path, old_string: old, new_string: next, replace_all: false }),
      result(call, `The file ${path} has been updated.`, { filePath: path, oldString: old, newString: next, originalFile: original, structuredPatch, userModified: false, replaceAll: false }),
    ];
  }

  function beside(kind) {
    if (kind === 'attachment') return line({ type: kind, attachment: { type: 'hook_additional_context', content: [code(200 + random() * 1_200)], hookName: 'PreToolUse:Bash', toolUseID: `toolu_${turns}`, hookEvent: 'PreToolUse' } });
    if (kind === 'progress') return line({ type: kind, data: { type: 'bash_progress', output: code(300), elapsedTimeSeconds: 2 }, toolUseID: `toolu_${turns}` });
    if (kind === 'system') return line({ type: kind, subtype: 'turn_duration', durationMs: 4_000, isMeta: false });
    return `${JSON.stringify({ type: kind, sessionId: SESSION, lastPrompt: 'Go on with the next file.', snapshot: { trackedFileBackups: {} } })}\n`;
  }

  return {
    turn(chars) {
      turns += 1;
      const lines = [];
      if (turns % 12 === 1) lines.push(line({ type: 'user', message: { role: 'user', content: `Go on with ${pick(WORDS)}, and mend what the tests say.` } }));
      const says = random();
      if (says < 0.3) lines.push(answer(`msg_${turns}`, { type: 'thinking', thinking: '', signature: 'A'.repeat(600) }, 60));
      if (says < 0.6) lines.push(answer(`msg_${turns}`, { type: 'text', text: `Next I look at the ${pick(WORDS)}.` }, 90));
      const done = exchange(chars);
      lines.push(...done);
      for (const [kind, share] of Object.entries(BESIDE)) if (random() < 2 * share) lines.push(beside(kind));
      context += Math.min(done[1].length, 60 * KILOBYTE) / 8 + 400;
      if (context > FULL) {
        lines.push(line({ type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted', logicalParentUuid: parent, compactMetadata: { trigger: 'auto', preTokens: Math.round(context), postTokens: COMPACTED } }));
        lines.push(line({ type: 'user', isCompactSummary: true, isVisibleInTranscriptOnly: true, message: { role: 'user', content: `This session is continued. ${code(9 * KILOBYTE)}` } }));
        context = COMPACTED;
      }
      return lines.join('');
    },
  };
}
