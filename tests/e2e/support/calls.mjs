// What the model does in the sessions, and what becomes of each call with trimtab. One table for every client and every route.
// Knows no wording of a refusal: the test takes that from the core itself. Suggested ways are taken now and then, because trimtab falls
// silent after four refusals that led nowhere.

/**
 * What is expected of a call:
 * `refused`: the rule that refuses it; `as`: as another call, by the name of its step, was answered without trimtab; neither: as without trimtab.
 * `contested`: the person's own hook refuses it too. Above the module that settles it; beside a command hook the client shows the reason of one of the two.
 * `unordered`: the client's own parallel grep prints the files in any order, so only the lines are compared; `anyOf`: and which lines is chance.
 *
 * @typedef {{ tool: string, input: object, refused?: string, as?: string, contested?: true, unordered?: true, anyOf?: true }} Call
 * @typedef {{ name: string, calls: Call[] }} Step
 */

const bash = (command) => ({ tool: 'Bash', input: { command, description: 'Run it' } });
const read = (file_path, more = {}) => ({ tool: 'Read', input: { file_path, ...more } });
const refused = (rule, call) => ({ ...call, refused: rule });
const as = (name, call) => ({ ...call, as: name });
const unordered = (call) => ({ ...call, unordered: true });
const contested = (call) => ({ ...call, contested: true });
const anyOf = (call) => ({ ...call, anyOf: true });
const step = (name, ...calls) => ({ name, calls });

export const AGENT = 'SUBAGENT-ONE';

/** @type {(project: string) => Step[]} */
export const mainSteps = (project) => [
  step('a whole Read of a large source', refused('whole-file-read', read(`${project}/src/orders.ts`))),
  step('the same Read again', as('a whole Read of a large source', read(`${project}/src/orders.ts`))),
  step('cat of a large source', refused('whole-file-read', bash('cat src/invoices.ts'))),
  step('the same file in other words', bash('cat ./src/invoices.ts')),
  step('a range as long as the file', refused('whole-file-read', bash("sed -n '1,800p' src/customers.ts"))),
  step('the same lines in other words', bash('head -n 900 src/customers.ts')),
  step('a part of what was refused', bash("sed -n '10,50p' src/customers.ts")),
  step('bat of a large source', refused('whole-file-read', bash('bat src/shipping.ts'))),
  step('cat of a source that the client would cut', refused('whole-file-read', bash('cat src/everything.ts'))),
  step('a small source by cat', bash('cat src/small.ts')),
  step('a small source by Read', read(`${project}/src/small.ts`)),
  step('a range by Read', read(`${project}/src/stock.ts`, { offset: 10, limit: 40 })),
  step('a range by sed', bash("sed -n '10,50p' src/stock.ts")),
  step('prose by Read', read(`${project}/notes.md`)),
  step('a heavy search', refused('recursive-grep', bash("grep -rn 'prices[1-4]' src"))),
  step('the same search again', bash("grep -rn 'prices[1-4]' src")),
  step('a heavy search that the client would cut', refused('recursive-grep', bash('grep -rn order .'))),
  step('a search with a bound behind it', anyOf(bash('grep -rn order . | head -5'))),
  step('a search for names', bash('grep -rl order src | sort')),
  step('a search with its own bound', unordered(bash('grep -rn -m 3 order src'))),
  step('a search that counts', unordered(bash('grep -rc order src'))),
  step('a search in one small file', bash('grep -n order src/small.ts')),
  step('a history without a count', refused('unbounded-log', bash('git log'))),
  step('a history with a count', bash('git log -n 5')),
  step('a diff without a path', refused('unbounded-diff', bash('git diff'))),
  step('a diff as a summary', bash('git diff --stat')),
  step('a walk of the whole machine', refused('unbounded-walk', bash("find / -name '*'"))),
  step('a walk with a depth', bash('find / -maxdepth 1 -name tmp')),
  step('a walk of the project', bash("find . -name '*.ts' -not -path './.git/*' | sort")),
  step('a file into a filter', bash('cat src/stock.ts | grep -c order')),
  step('a file into another file', bash('cat src/stock.ts > /dev/null')),
  step('a here-document that holds such commands', bash("cat <<'END'\ngrep -rn order .\ncat src/stock.ts\nEND")),
  step(
    'a commit message that holds such commands',
    bash('git commit --quiet --allow-empty -m "explain why grep -rn order . was slow; cat src/stock.ts" && git log -n 1 --format=%s'),
  ),
  step('a command that cannot be read', bash('echo "unterminated; grep -rn order .')),
  step('a command of no concern', bash('echo one && pwd')),
  step('a file that is not there', bash('cat src/missing.ts')),
  step('a file that is not there by Read', read(`${project}/src/missing.ts`)),
  step("the person's own rule against a command", bash('git push')),
  step("the person's own rule against a file", bash('cat secret.txt')),
  step("the person's own rule against a file by Read", read(`${project}/secret.txt`)),
  step("the person's own hook refuses", bash('wc -l src/stock.ts')),
  step("the person's own hook refuses what trimtab would refuse", contested(bash('cat src/vault.ts'))),
  step("the person's own hook tells", bash('ls src')),
  step(
    'several calls in one message',
    refused('whole-file-read', bash('cat src/returns.ts')),
    bash('cat src/small.ts'),
    refused('whole-file-read', read(`${project}/src/taxes.ts`)),
    bash('echo two'),
    refused('whole-file-read', bash('cat src/prices.ts')),
  ),
  step('a part of one of them', bash('head -n 20 src/prices.ts')),
  step('a subagent', {
    tool: 'Agent',
    input: { description: 'Look around', prompt: `${AGENT} look around`, subagent_type: 'general-purpose', run_in_background: false },
  }),
  step('what only the subagent was refused', refused('whole-file-read', bash('cat src/stock.ts'))),
  step('the same again', bash('cat src/stock.ts')),
];

/** @type {(project: string) => Step[]} */
export const agentSteps = (project) => [
  step('what the main agent was refused', refused('whole-file-read', read(`${project}/src/orders.ts`))),
  step('the same again, by the subagent', as('what the main agent was refused', read(`${project}/src/orders.ts`))),
  step('a file that the main agent has not asked for', refused('whole-file-read', bash('cat src/stock.ts'))),
  step('a small source, by the subagent', bash('cat src/small.ts')),
];

/** The person's own settings in these sessions: trimtab must leave all of it as it is. */
export const PERSONS_SETTINGS = {
  permissions: { allow: ['Bash(git commit:*)', 'Bash(bat:*)'], deny: ['Bash(git push:*)', 'Read(./secret.txt)'] },
  // Both refuse in the same words: a command that the client cannot read matches every `if`, and which refusal it shows is chance.
  hooks: {
    PreToolUse: [
      {
        matcher: 'Bash',
        hooks: [
          {
            type: 'command',
            if: 'Bash(wc *)',
            command: hookOutput({ permissionDecision: 'deny', permissionDecisionReason: 'The person does not want this.' }),
          },
          {
            type: 'command',
            if: 'Bash(cat src/vault.ts)',
            command: hookOutput({ permissionDecision: 'deny', permissionDecisionReason: 'The person does not want this.' }),
          },
          { type: 'command', if: 'Bash(ls *)', command: hookOutput({ additionalContext: 'The person wants to tell something.' }) },
        ],
      },
    ],
  },
};

function hookOutput(fields) {
  return `printf '%s' '${JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } })}'`;
}

/** Every call by its place in the script, as `placeOf` names it. */
export function callsByPlace(project) {
  const places = new Map();
  for (const [conversation, steps] of [
    ['main', mainSteps(project)],
    [AGENT, agentSteps(project)],
  ]) {
    steps.forEach(({ name, calls }, turn) => calls.forEach((call, place) => places.set(`${conversation} ${turn} ${place}`, { ...call, name })));
  }
  return places;
}

/** The script for the scripted model. */
export function scriptOf(project) {
  const turns = (steps) => steps.map(({ calls }) => calls.map(({ tool, input }) => ({ tool, input })));
  return { main: turns(mainSteps(project)), agents: { [AGENT]: turns(agentSteps(project)) } };
}
