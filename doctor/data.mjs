// The tables of `trimtab doctor`: versions, places, variables and the codes of the records with what they mean. Data only.

/** Kinds of client, newest first, by the first version of each. */
export const KINDS = [
  { from: '2.1.326', kind: 'wasm', has: 'modules with wasm' },
  { from: '2.1.287', kind: 'mods', has: 'modules without wasm' },
  { from: '0.0.0', kind: 'none', has: 'no modules' },
];

/** What trimtab answers: event and tool, spelled as in the handshake. Grep is answered as well and not told of: no client of the tests has that tool. */
export const ACTIONS = ['PreToolUse:Bash', 'PreToolUse:PowerShell', 'PreToolUse:Read'];

/** The folder of `managed-settings.json` and `managed-settings.d/`, by platform (2.1.332). */
export const MANAGED_FOLDERS = {
  darwin: '/Library/Application Support/ClaudeCode',
  win32: 'C:\\Program Files\\ClaudeCode',
  linux: '/etc/claude-code',
};

/** Where an organisation's switch for modules stands in its managed settings. */
export const POLICY_MODULES = ['cc-plugin-sec-default@builtin', 'sec-default@builtin'];

/** Variables with which the client loads no plugin of the person's. */
export const BARE_VARIABLES = ['CLAUDE_CODE_SIMPLE', 'CLAUDE_CODE_SAFE_MODE'];

export const MIN_NODE = 20;

/** Where hooks/hook.sh looks when no `node` is on the PATH; the last that is there wins. `*` is any one folder. */
export const NODE_PLACES = [
  '/usr/bin/node',
  '/c/Program Files/nodejs/node.exe',
  '/usr/local/bin/node',
  '/opt/homebrew/bin/node',
  '~/.asdf/shims/node',
  '~/.local/share/mise/shims/node',
  '~/.local/share/fnm/aliases/default/bin/node',
  '~/.nvm/versions/node/*/bin/node',
  '~/.volta/bin/node',
  '~/.local/bin/node',
];

/**
 * The person's variables. `value`: the only one with a meaning, where there is one. The module's own (`TRIMTAB_MOD…`) are not among them.
 * What keeps every call from being judged or refused is a problem.
 */
export const VARIABLES = {
  TRIMTAB_HOOKS: { value: 'off', level: 'note', means: 'everything is off' },
  TRIMTAB_NO_MOD: { value: '1', level: 'note', means: 'the module stays out, and the command hooks answer' },
  TRIMTAB_BYPASS: { value: '1', level: 'problem', means: 'every call passes', next: 'put it in front of one command instead' },
  TRIMTAB_MODE: { level: 'note', means: 'it wins over every configuration file' },
};

/** Known, and of no concern here: the demo's and the build's. */
export const OTHER_VARIABLES = ['TRIMTAB_CACHE', 'TRIMTAB_CLANG', 'TRIMTAB_SMALL_LEXER', 'TRIMTAB_STEP', 'TRIMTAB_WASM_STD'];

/** Set by the module for the command hooks of its own session. */
export const HANDSHAKE_VARIABLES = ['TRIMTAB_MOD', 'TRIMTAB_MOD_SESSION', 'TRIMTAB_MOD_TURN'];

export const ROUTE_NAMES = { mod: 'the module', hook: 'the command hooks', cli: 'the command line' };

const REPORT = 'report it, with this line';
const REINSTALL = 'reinstall trimtab, or in a checkout run `npm run build`';
const NEW_NODE = 'install Node 20 or newer where `node` is on the PATH';

/**
 * Codes of the records: what one means, and what to do. `problem`: something was not judged, or not as it should be.
 * A payload is what the client hands to a command hook.
 */
export const CODES = {
  'answer-not-printable': { level: 'problem', means: 'the core gave an answer that no hook may print, and the call passed', next: REPORT },
  bypass: { level: 'note', means: 'a call was let pass because `TRIMTAB_BYPASS=1` asked for it' },
  capped: { level: 'note', means: 'nothing more was said in a session, because it heard as much as `maxPerSession` and `adviceTokens` allow' },
  config: { level: 'note', means: 'a mistake in the configuration was left out; what is still wrong is listed under config' },
  'core-broken': { level: 'problem', means: 'the built core did not start', next: REINSTALL },
  'core-missing': { level: 'problem', means: 'a file of the built core was not there', next: REINSTALL },
  crash: { level: 'problem', means: 'trimtab failed at a call, and the call went on as it was', next: REPORT },
  'hook-not-loaded': { level: 'problem', means: 'a file of the command hooks could not be loaded', next: 'reinstall trimtab' },
  'module-gone': {
    level: 'problem',
    means: 'the module stopped inside the client, and the command hooks took over',
    next: `restart the client; if it comes back, ${REPORT}`,
  },
  'given-up': { level: 'note', means: 'nothing more was said in a session, because several refusals in a row led nowhere (`giveUpAfter`)' },
  'no-memory': {
    level: 'problem',
    means: 'what a session was told before could not be read, so nothing was refused: the module gave advice, a command hook said nothing',
    next: 'see what is said of `~/.trimtab`',
  },
  'no-node': { level: 'problem', means: 'no Node was found for the command hooks', next: NEW_NODE },
  'no-script': { level: 'problem', means: 'the pack for a language did not start, and a command in it passed', next: REINSTALL },
  'not-left': { level: 'note', means: 'word of a session that was left full could not be written', next: 'see what is said of `~/.trimtab`' },
  'not-said': { level: 'note', means: 'what there was to say of the weight of a session could not be shown', next: REPORT },
  'not-saved': { level: 'note', means: 'what is known of the weight of a session could not be written', next: 'see what is said of `~/.trimtab`' },
  'node-too-old': { level: 'problem', means: 'the Node that was found is too old for the command hooks', next: NEW_NODE },
  'out-of-fuel': { level: 'note', means: 'a command was too long or too deep to be read, and passed' },
  'payload-bad-input': { level: 'problem', means: 'the client handed over a call of a shape that is not known', next: REPORT },
  'payload-no-object': { level: 'problem', means: 'what the client handed over was no object', next: REPORT },
  'payload-not-json': { level: 'problem', means: 'what the client handed over was not JSON', next: REPORT },
  'payload-too-large': { level: 'note', means: 'a call of more than 8 MiB passed unread' },
  'payload-without-event': { level: 'problem', means: 'the client named no event', next: REPORT },
  'payload-without-session': { level: 'problem', means: 'the client named no session', next: REPORT },
  'payload-without-tool': { level: 'problem', means: 'the client named no tool', next: REPORT },
  'plugin-path': {
    level: 'problem',
    means: 'the plugin lies in a folder with a backslash in its name, from which Node loads nothing',
    next: 'move it',
  },
  'request-not-json': { level: 'problem', means: 'a call could not be put into JSON, and passed', next: REPORT },
  rounds: { level: 'problem', means: 'the core went on asking, and the call passed', next: REPORT },
  'state-not-saved': {
    level: 'problem',
    means: 'a session could not be written down, so a refusal was left out or may come again',
    next: 'see what is said of `~/.trimtab`',
  },
  timeout: {
    level: 'problem',
    means: 'a command hook took more than five seconds, and the call passed',
    next: `see whether the machine or the disk is slow, else ${REPORT}`,
  },
  'tools-not-offered': { level: 'note', means: 'the client, or the organisation by `allowedMcpServers`, did not take the code tools, so the model was not offered them' },
  trap: { level: 'problem', means: 'the core failed at a call and was started anew; the call passed', next: REPORT },
  weight: { level: 'note', means: 'a session could not be weighed at a moment, and nothing was said', next: REPORT },
  wire: { level: 'problem', means: 'host and core did not understand each other, and the call passed', next: REINSTALL },
};
