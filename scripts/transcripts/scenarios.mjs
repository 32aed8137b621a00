// What the scripted model does in the recorded sessions: ordinary work with ordinary detours, in any of the packages.
// Knows no rule of trimtab and no verdict; which calls are heavy is the packages' doing.

import { PACKAGES } from './packages.mjs';

const NEW = '2.1.332';
const MIDDLE = '2.1.287';
const OLD = '2.1.277';

const bash = (command, description = 'Look around') => ({ tool: 'Bash', input: { command, description } });
const say = (text) => ({ text });
const agent = (prompt, type = 'general-purpose') => ({ tool: 'Agent', input: { description: 'Look into it', prompt, subagent_type: type, run_in_background: false } });

/** The tools that need the project's folder. */
const toolsOf = (root) => ({
  read: (path, more = {}) => ({ tool: 'Read', input: { file_path: `${root}/${path}`, ...more } }),
  edit: ([path, old_string, new_string]) => ({ tool: 'Edit', input: { file_path: `${root}/${path}`, old_string, new_string } }),
  write: ([path, content]) => ({ tool: 'Write', input: { file_path: `${root}/${path}`, content } }),
});

/**
 * Each gives `{ prompt, main, agents }`. A turn is a list of blocks; several calls in one turn go out in one message.
 * @type {Record<string, (p: object, t: ReturnType<typeof toolsOf>, version: string) => object>}
 */
const SCENARIOS = {
  'a first look': (p, { read }) => ({
    prompt: 'What is in this project, and where does the work happen?',
    main: [
      [say('I start with the files.'), bash('ls -la'), bash(`find . -name '${p.glob}' -not -path './.git/*' | head -n 40`)],
      [read(p.readme, { limit: 60 })],
      [read(p.big)],
      [read(p.small)],
      [bash(`grep -n ${p.common} ${p.big} | head -n 20`)],
      [read(p.huge, { offset: 40, limit: 80 })],
      [say(`The work happens in ${p.folder}.`)],
    ],
  }),
  'a small fix': (p, { read, edit, write }) => ({
    prompt: `There is a mistake around ${p.rare}. Please find and fix it.`,
    main: [
      [bash(`grep -rn ${p.rare} ${p.folder}`)],
      [read(p.edit[0])],
      [edit(p.edit)],
      [bash('git diff')],
      [write(p.testFile)],
      [bash(p.test, 'Run the tests')],
      [bash(`${p.test} 2>&1 | tail -n 20`, 'Run the tests again')],
      [bash(`git add -A && git commit --quiet -m "Fix ${p.rare}; grep -rn ${p.common} . was no help" && git log -n 3 --oneline`)],
      [say('Done: one line changed, one test added.')],
    ],
  }),
  'who changed what': (p, { read }) => ({
    prompt: 'When did this change last, and how?',
    main: [
      [bash('git log')],
      [bash('git log --oneline | head -n 20')],
      [bash('git show --stat HEAD')],
      [bash("git log -n 5 --format='%h %an %s'"), bash('git diff HEAD~1 --stat')],
      [bash(`git diff HEAD~1 -- ${p.small}`)],
      [bash('git log --oneline')],
      [read(p.small)],
      [bash('git status --short; git log -n 1')],
      [say('All of it came with the last commit.')],
    ],
  }),
  'reading by shell': (p, { read }) => ({
    prompt: 'Walk me through the sources.',
    main: [
      [bash(`cat ${p.big}`)],
      [bash(`sed -n '1,60p' ${p.huge}`), bash(`head -n 40 ${p.mid}`)],
      [bash(`cat ${p.mid} | grep -n ${p.common}`)],
      [bash(`tail -n 30 ${p.big}`)],
      [bash(`nl ${p.small}`)],
      [bash(`cd ${p.folder} && ls && cat ${p.mid.slice(p.folder.length + 1)}`)],
      [bash(`find ${p.folder} -name '${p.glob}' | xargs wc -l | tail -n 5`)],
      [bash(`cat ${p.big}`)],
      [bash(`cat ${p.small} ${p.mid}`)],
      [read(p.big, { offset: 100, limit: 60 })],
      [say('That is how it hangs together.')],
    ],
  }),
  searching: (p, { read }) => ({
    prompt: `Where is ${p.common} used, and by whom?`,
    main: [
      [bash(`grep -rn ${p.common} ${p.folder}`)],
      [bash(`grep -rln ${p.common} ${p.folder}`)],
      [bash(`grep -rn "${p.rare}\\|${p.common}" ${p.folder} | head -n 30`)],
      [bash(`grep -rn ${p.rare} .`)],
      [bash(`grep -rc ${p.common} ${p.folder} | sort -t: -k2 -n | tail -n 5`)],
      [bash(`grep -rn -i '${p.common}.*(' . 2>/dev/null`)],
      [bash(`cd ${p.folder} && grep -rn '${p.common}' .`)],
      [bash(`git grep -n ${p.rare}`), bash('grep -rn not-there-at-all .')],
      [read(p.mid, { offset: 20, limit: 50 })],
      [say('Everywhere.')],
    ],
  }),
  'two helpers': (p, { read }) => ({
    prompt: 'Have two helpers look at it, then sum up.',
    main: [
      [say('First a look of my own.'), read(p.big), read(p.small), bash(`grep -n ${p.common} ${p.mid}`)],
      [agent('HELPER-ONE read the sources', 'Explore'), agent('HELPER-TWO look for mistakes')],
      [read(p.big)],
      [bash(`cat ${p.mid}`), bash(`cat ${p.mid}`)],
      [say('Both agree.')],
    ],
    agents: {
      'HELPER-ONE': [[bash(`cat ${p.mid}`)], [read(p.big)], [bash(`grep -rn ${p.common} ${p.folder} | wc -l`)], [say('It is well made.')]],
      'HELPER-TWO': [[read(p.mid)], [bash(`grep -rn ${p.rare} ${p.folder}`), bash('git log -n 5')], [read(p.mid, { offset: 50, limit: 30 })], [say('No mistakes found.')]],
    },
  }),
  'a long session': (p, { read }, version) => ({
    prompt: [`Explain ${p.big}.`, '/compact', 'And now the rest.'],
    main: [
      [read(p.big)],
      [bash(`grep -n ${p.common} ${p.big}`)],
      [say('It holds most of the logic.')],
      // Older clients put a message behind the question for the summary, and the model server takes it for one more turn.
      ...(version === NEW ? [] : [[say(`<summary>${p.big} was explained.</summary>`)]]),
      [bash(`cat ${p.mid}`)],
      [read(p.big)],
      [bash('git diff --stat && git status --short')],
      [read(p.mid, { offset: 1, limit: 40 })],
      [say('That is the rest.')],
    ],
  }),
  'a wide change': (p, { read, write }) => ({
    prompt: `Call ${p.common} by another name.`,
    main: [
      [bash(`find ${p.folder} -name '${p.glob}' | xargs sed -i 's/\\b${p.common}\\b/${p.common}2/g'`, 'Rename it')],
      [bash('git diff --stat')],
      [bash('git diff')],
      [bash(`git diff -- ${p.small}`), bash('git diff | head -n 60')],
      [bash('git diff -U0 | grep -c "^+"')],
      [bash('git checkout --quiet . && git status --short', 'Take it back')],
      [write(['notes/plan.md', `# Plan\n\nRename \`${p.common}\` in ${p.folder}, one file at a time.\n`])],
      [read('notes/plan.md')],
      [say('It was too much at once; there is a plan now.')],
    ],
  }),
  'tests and pipelines': (p, { write }) => ({
    prompt: 'Do the tests pass?',
    main: [
      [write(p.testFile)],
      [bash(p.test, 'Run the tests')],
      [bash(`for f in ${p.big} ${p.mid}; do wc -l "$f"; done`)],
      [bash(`cat > notes.txt <<'END'\ngrep -rn ${p.common} .\ncat ${p.big}\nEND\ncat notes.txt`)],
      [bash(`cat ${p.big} > copy.txt && wc -c copy.txt && rm copy.txt`)],
      [bash(`echo "cat ${p.big}"; echo $(cat ${p.big} | wc -l)`)],
      [bash("find ~ -name '*.json' -maxdepth 2")],
      [bash(`awk '/${p.common}/ { n++ } END { print n }' ${p.big}`)],
      [bash('cat no-such-file'), bash('git log -n 2 && cat no-such-file')],
      [say('As far as they can be run here.')],
    ],
  }),
  'asked in every way': (p, { read }) => ({
    prompt: `I need all of ${p.big}.`,
    main: [
      [bash(`cat ${p.huge}`)],
      [bash(`sed -n '1,800p' ${p.big}`)],
      [bash(`head -n 900 ${p.big}`)],
      [read(p.big)],
      [read(p.big)],
      [read(p.huge, { limit: 100 }), read(p.huge, { offset: 101, limit: 100 })],
      [bash(`cat -n ${p.mid}`)],
      [say('That was all of it.')],
    ],
  }),
};

// Nobody is asked in a session of this one, so what needs a permission is denied.
const WITHOUT_PERMISSION = 'a fix that nobody allowed';
SCENARIOS[WITHOUT_PERMISSION] = SCENARIOS['a small fix'];

const PLAN = [
  ['commander', NEW, 'a first look', 'a small fix', 'who changed what', 'searching', 'two helpers', 'a long session', 'a wide change', 'asked in every way'],
  ['commander', OLD, 'reading by shell'],
  ['click', NEW, 'a small fix', 'reading by shell', 'a long session', 'tests and pipelines', 'asked in every way'],
  ['click', MIDDLE, 'searching'],
  ['click', OLD, 'two helpers'],
  ['semver', NEW, 'a first look', 'a small fix', 'two helpers', 'a wide change', 'tests and pipelines'],
  ['semver', MIDDLE, 'reading by shell'],
  ['semver', OLD, 'who changed what'],
  ['immer', NEW, 'who changed what', 'searching', WITHOUT_PERMISSION],
  ['immer', MIDDLE, 'two helpers'],
  ['immer', OLD, 'a first look'],
  ['capacitor', NEW, 'reading by shell', 'searching', 'a wide change', 'a long session'],
  ['capacitor', MIDDLE, 'a first look'],
  ['capacitor', OLD, 'a long session'],
];

/** Every session of the plan, in order; `script` is made for the folder of the project. */
export function plannedSessions() {
  return PLAN.flatMap(([name, version, ...titles]) =>
    titles.map((title) => ({
      package: name,
      version,
      title,
      settings: title === WITHOUT_PERMISSION ? {} : { permissions: { allow: ['Bash', 'Edit', 'Write'] } },
      script: (root) => SCENARIOS[title](PACKAGES[name], toolsOf(root), version),
    })),
  );
}
