// Makes the result of a replay into the object that `--json` prints, whose fields are stable, and that into text for a person.
// Names tools, rules and turns; commands and paths only where examples were asked for.

const WIDTH = 100;

/**
 * @param {Awaited<ReturnType<typeof import('./run.mjs').replay>>} replayed
 * @param {{ show?: number }} [options] how many refusals and answers to give as examples
 */
export function reportOf({ route, sessions, subagents, calls, unanswered, repeated, skipped, bytes, fit, tally }, { show = 0 } = {}) {
  const { passes, rules, total, wrong } = tally.sums(fit.charactersPerToken);
  const judged = Object.values(calls).reduce((sum, count) => sum + count, 0);
  return {
    route,
    sessions,
    subagents,
    bytes,
    calls: { ...calls, judged, withoutResult: unanswered, copies: repeated },
    tokens: {
      charactersPerToken: rounded(fit.charactersPerToken, 2),
      errorPercent: fit.errorPercent === null ? null : rounded(fit.errorPercent, 1),
      pairs: fit.pairs,
      basis: fit.basis,
    },
    passes,
    rules,
    total,
    wrong,
    skipped,
    ...(show > 0 && { examples: examplesOf(tally.acts, show, fit.charactersPerToken) }),
  };
}

/** The costly ones first: those that came again, then by what they showed. */
function examplesOf(acts, show, charactersPerToken) {
  const sorted = [...acts].sort((a, b) => Number(b.isAgain) - Number(a.isAgain) || b.shown - a.shown);
  return sorted.slice(0, show).map(({ verdict, session, agent, turn, tool, rule, shown, said, isAgain, isCut, path, input }) => ({
    file: path,
    session,
    inSubagent: agent !== '',
    turn,
    tool,
    call: input.command ?? input.file_path ?? input.pattern,
    rule,
    verdict,
    shownTokens: Math.round(shown / charactersPerToken),
    saidTokens: Math.round(said / charactersPerToken),
    cut: isCut,
    again: isAgain,
  }));
}

/** @param {ReturnType<typeof reportOf>} report */
export function renderReport({ route, sessions, subagents, bytes, calls, tokens, passes, rules, total, wrong, skipped, examples }) {
  const lines = [
    `${counted(sessions, 'session')} (and ${counted(subagents, 'subagent')}), ${(bytes / 1e6).toFixed(1)} MB: ${counted(calls.judged, 'call')} judged by today's rules, as ${route === 'module' ? 'the module decides' : 'the command hooks decide'}`,
    tokens.basis === 'fitted'
      ? `1 token = ${tokens.charactersPerToken} characters, fitted to ${counted(tokens.pairs, 'pair')} of requests; off by ${tokens.errorPercent} % for one of them`
      : `1 token = ${tokens.charactersPerToken} characters, assumed: too few pairs of requests (${tokens.pairs}) to fit it, or they do not agree`,
    '',
  ];
  if (rules.length === 0) lines.push('Nothing would have been refused or answered.');
  else lines.push(...tableOf(rules, total), '(shown, said, saved, lost and net in tokens)');
  lines.push('', ...wrapped(`Passed: ${passes.map(({ why, calls: n }) => `${why} ${grouped(n)}`).join(', ') || 'none'}.`));
  const unknown = passes.find(({ why }) => why === 'unknown-fact');
  if (unknown) lines.push(...wrapped(`unknown-fact: the record does not tell how large the file or the output was; their results were ${counted(unknown.shownTokens, 'token')} together, and nothing is counted for them.`));
  if (total.again > 0) lines.push(...wrapped(`again: the same act came again later, so that nothing is counted as saved; lost are what trimtab would have said and ${counted(total.lostTurns, 'turn')}.`));
  if (total.cut > 0) lines.push(...wrapped('cut: the client had shown a preview only; no more than that is counted as saved.'));
  if (total.editedTokens > 0) lines.push(...wrapped(`Of what was saved, ${counted(total.editedTokens, 'token')} are of files that were edited later, of which parts would have been read again.`));
  if (rules.length > 0) lines.push(...wrapped('What the model would have asked instead stands in no record and is not counted.'));
  if (wrong.length > 0) {
    lines.push('', 'Wrong refusals, whose result was under 2,000 tokens:');
    lines.push(...wrong.map(({ session, inSubagent, turn, tool, rule, shownTokens }) => `  session ${session}${inSubagent ? ', subagent' : ''}, turn ${turn}: ${tool}, ${rule}, ${counted(shownTokens, 'token')}`));
  }
  const left = leftOut(skipped, calls);
  if (left.length > 0) lines.push('', ...wrapped(`Left out: ${left.join(', ')}.`));
  if (examples) {
    lines.push('', 'Examples, with commands and paths from your transcripts:');
    for (const { file, turn, inSubagent, tool, call, rule, verdict, shownTokens, saidTokens, cut, again } of examples) {
      const marks = `${again ? ', again' : ''}${cut ? ', cut' : ''}`;
      lines.push(`  ${oneLine(file)}${inSubagent ? ' (subagent)' : ''}, turn ${turn}`, `    ${tool} ${clipped(oneLine(call))}`, `    ${rule}, ${verdict === 'answer' ? 'answered' : 'refused'}: ${grouped(shownTokens)} tokens shown, ${grouped(saidTokens)} said${marks}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

const COLUMNS = [
  ['refused', 'refused'],
  ['answered', 'answered'],
  ['shown', 'shownTokens'],
  ['said', 'saidTokens'],
  ['cut', 'cut'],
  ['saved', 'savedTokens'],
  ['again', 'again'],
  ['lost', 'lostTokens'],
  ['wrong', 'wrong'],
  ['net', 'netTokens'],
];

function tableOf(rules, total) {
  const rows = [['rule', ...COLUMNS.map(([title]) => title)], ...[...rules, { rule: 'all', ...total }].map((row) => [row.rule, ...COLUMNS.map(([, key]) => grouped(row[key]))])];
  const widths = rows[0].map((_, at) => Math.max(...rows.map((row) => row[at].length)));
  return rows.map((row) => row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join('  '));
}

function leftOut({ files, longLines, unreadableLines, foreignLines }, { withoutResult, copies }) {
  const parts = Object.entries(files).map(([code, count]) => `${counted(count, 'file or folder', 'files or folders')} (${code})`);
  if (longLines > 0) parts.push(counted(longLines, 'line over 16 MB', 'lines over 16 MB'));
  if (unreadableLines > 0) parts.push(counted(unreadableLines, 'line that is no record', 'lines that are no records'));
  if (foreignLines > 0) parts.push(counted(foreignLines, 'line of another session', 'lines of other sessions'));
  if (withoutResult > 0) parts.push(counted(withoutResult, 'call without a result', 'calls without a result'));
  if (copies > 0) parts.push(counted(copies, 'call that stands twice', 'calls that stand twice'));
  return parts;
}

/** Nothing in a command or path may reach the terminal as an order to it. */
function oneLine(text) {
  return String(text).replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
}

function clipped(text) {
  return text.length > WIDTH - 10 ? `${text.slice(0, WIDTH - 11)}…` : text;
}

function wrapped(text) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}

function counted(count, one, many = `${one}s`) {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

function grouped(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ',');
}

function rounded(number, digits) {
  return Number(number.toFixed(digits));
}
