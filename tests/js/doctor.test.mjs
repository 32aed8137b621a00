// `trimtab doctor`: on a healthy scratch machine, each thing broken by itself. A finding is expected whole.
// Real clients are in tests/e2e/doctor.test.mjs.

import assert from 'node:assert/strict';
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { CHECKS } from '../../doctor/run.mjs';
import { REPOSITORY, VERSION, findings, healthy, hookEntry, install, note, ok, problem, row } from './support/doctor.mjs';

const BOTH = '`PreToolUse:Bash`, `PreToolUse:PowerShell` and `PreToolUse:Read`';
const REINSTALL = 'reinstall trimtab, or in a checkout run `npm run build`';
const ADMIN = 'ask who manages this machine';
const REGISTERED = `\`trimtab@trimtab\` ${VERSION} from \`/plugin\` (enabled in \`~/.claude/settings.json\`)`;
const isRoot = process.getuid?.() === 0;
const seated = (path) => ({
  enabledPlugins: { 'trimtab@trimtab': true },
  extraKnownMarketplaces: { trimtab: { source: { source: 'directory', path } } },
});
const nobody = (code, text, next) => problem(code, `nobody answers ${BOTH}: ${text}`, next);

// Check -> what is broken -> how, and what is found then.
const TABLE = {
  client: {
    nothing: [() => {}, [ok('client-found', 'Claude Code 2.1.332, which has modules with wasm (`/bin/claude`)')]],
    'the client has modules without wasm': [
      (w) => w.program('claude', "echo '2.1.325 (Claude Code)'"),
      [ok('client-found', 'Claude Code 2.1.325, which has modules without wasm (`/bin/claude`)')],
    ],
    'the client has no modules': [
      (w) => w.program('claude', "echo '2.1.286 (Claude Code)'"),
      [ok('client-found', 'Claude Code 2.1.286, which has no modules (`/bin/claude`)')],
    ],
    'the client is newer than all that is known': [
      (w) => w.program('claude', "echo '3.0.0 (Claude Code)'"),
      [ok('client-found', 'Claude Code 3.0.0, which has modules with wasm (`/bin/claude`)')],
    ],
    'another client is named': [
      (w) => {
        mkdirSync(w.at('project/old'));
        writeFileSync(w.at('project/old/claude'), "#!/bin/sh\necho '2.1.287 (Claude Code)'\n", { mode: 0o755 });
        w.outside.client = 'old/claude';
      },
      [ok('client-found', 'Claude Code 2.1.287, which has modules without wasm (`old/claude`)')],
    ],
    'no client is there': [
      (w) => rmSync(w.at('bin/claude')),
      [problem('client-missing', 'no `claude` is on the `PATH`', 'name one with `--client=PATH`')],
    ],
    'the named client is not there': [
      (w) => (w.outside.client = 'nowhere'),
      [problem('client-not-started', '`nowhere` does not start (`ENOENT`)', 'name another with `--client=PATH`')],
    ],
    'the client is no program': [
      (w) => (w.outside.client = w.at('home')),
      [problem('client-not-started', '`/home` does not start (`EACCES`)', 'name another with `--client=PATH`')],
    ],
    'the client is another program': [
      (w) => w.program('claude', 'echo 7'),
      [problem('client-unknown', '`/bin/claude` names no version of Claude Code', 'name another with `--client=PATH`')],
    ],
    'the client hangs': [
      (w) => {
        w.program('claude', '/bin/sleep 60 & wait');
        w.outside.maxMs = 300;
      },
      [problem('client-timeout', '`/bin/claude` did not tell its version within 0.3 s', 'run it with `--version` yourself')],
    ],
  },

  routes: {
    nothing: [() => {}, [ok('route-module', `the module answers ${BOTH}`)]],
    'the client has no wasm': [
      (w) => w.program('claude', "echo '2.1.287 (Claude Code)'"),
      [ok('route-hooks', `the command hooks answer ${BOTH}: Claude Code 2.1.287 has modules without wasm`)],
    ],
    'the module is kept out': [
      (w) => w.env({ TRIMTAB_NO_MOD: '1' }),
      [ok('route-hooks', `the command hooks answer ${BOTH}: \`TRIMTAB_NO_MOD\` is \`1\` in the environment`)],
    ],
    'the module is kept out by a settings file': [
      (w) => w.settings({ env: { TRIMTAB_NO_MOD: '1' } }),
      [ok('route-hooks', `the command hooks answer ${BOTH}: \`TRIMTAB_NO_MOD\` is \`1\` in \`~/.claude/settings.json\``)],
    ],
    'a settings file takes back what the environment says': [
      (w) => {
        w.env({ TRIMTAB_NO_MOD: '1' });
        w.json('project/.claude/settings.json', { env: { TRIMTAB_NO_MOD: '0' } });
      },
      [ok('route-module', `the module answers ${BOTH}`)],
    ],
    'everything is off': [
      (w) => w.env({ TRIMTAB_HOOKS: 'off' }),
      [nobody('hooks-off', '`TRIMTAB_HOOKS` is `off` in the environment', 'unset it there')],
    ],
    'the client starts bare': [
      (w) => w.env({ CLAUDE_CODE_SIMPLE: '1' }),
      [nobody('client-bare', '`CLAUDE_CODE_SIMPLE` is set in the environment', 'unset it')],
    ],
    'hooks are disabled by the person': [
      (w) => w.settings({ disableAllHooks: true }),
      [nobody('hooks-disabled', '`disableAllHooks` is set in `~/.claude/settings.json`', 'take it out there')],
    ],
    'hooks are disabled in the project': [
      (w) => w.json('project/.claude/settings.local.json', { disableAllHooks: true }),
      [nobody('hooks-disabled', '`disableAllHooks` is set in `.claude/settings.local.json`', 'take it out there')],
    ],
    'the project enables hooks again': [
      (w) => {
        w.settings({ disableAllHooks: true });
        w.json('project/.claude/settings.json', { disableAllHooks: false });
      },
      [ok('route-module', `the module answers ${BOTH}`)],
    ],
    'hooks are disabled by the organisation': [
      (w) => w.json('etc/managed-settings.json', { disableAllHooks: true }),
      [nobody('hooks-disabled', '`disableAllHooks` is set in `/etc/managed-settings.json`', ADMIN)],
    ],
    'only managed hooks are allowed': [
      (w) => w.json('etc/managed-settings.d/10.json', { allowManagedHooksOnly: true }),
      [nobody('managed-hooks-only', '`allowManagedHooksOnly` is set in `/etc/managed-settings.d/10.json`', ADMIN)],
    ],
    'the person cannot allow only managed hooks': [
      (w) => w.settings({ allowManagedHooksOnly: true }),
      [ok('route-module', `the module answers ${BOTH}`)],
    ],
    'only managed hooks are allowed, and the plugin is one': [
      (w) => w.json('etc/managed-settings.json', { allowManagedHooksOnly: true, enabledPlugins: { 'trimtab@trimtab': true } }),
      [ok('route-hooks', `the command hooks answer ${BOTH}: \`allowManagedHooksOnly\` is set in \`/etc/managed-settings.json\``)],
    ],
    'only managed hooks are allowed, and the organisation names the folder of the plugin': [
      (w) => w.json('etc/managed-settings.json', { allowManagedHooksOnly: true, ...seated(REPOSITORY) }),
      [ok('route-module', `the module answers ${BOTH}`)],
    ],
    'only managed hooks are allowed, and the organisation names another folder': [
      (w) => w.json('etc/managed-settings.json', { allowManagedHooksOnly: true, ...seated(w.at('elsewhere')) }),
      [ok('route-hooks', `the command hooks answer ${BOTH}: \`allowManagedHooksOnly\` is set in \`/etc/managed-settings.json\``)],
    ],
    'the client starts bare, and the plugin is the organisation\'s': [
      (w) => {
        w.env({ CLAUDE_CODE_SIMPLE: '1' });
        w.json('etc/managed-settings.json', seated(REPOSITORY));
      },
      [ok('route-module', `the module answers ${BOTH}`)],
    ],
    'a client without wasm starts bare, and the plugin is the organisation\'s': [
      (w) => {
        w.env({ CLAUDE_CODE_SIMPLE: '1' });
        w.program('claude', "echo '2.1.287 (Claude Code)'");
        w.json('etc/managed-settings.json', seated(REPOSITORY));
      },
      [nobody('client-bare', '`CLAUDE_CODE_SIMPLE` is set in the environment', 'unset it')],
    ],
    'hooks are disabled by the person, and the organisation enables the plugin': [
      (w) => {
        w.settings({ disableAllHooks: true });
        w.json('etc/managed-settings.json', { enabledPlugins: { 'trimtab@trimtab': true } });
      },
      [ok('route-hooks', `the command hooks answer ${BOTH}: \`disableAllHooks\` is set in \`~/.claude/settings.json\``)],
    ],
    'only managed modules are allowed': [
      (w) => w.json('etc/managed-settings.json', { pluginConfigs: { 'cc-plugin-sec-default@builtin': { options: { allowManagedModsOnly: true } } } }),
      [
        ok(
          'route-hooks',
          `the command hooks answer ${BOTH}: managed settings (\`/etc/managed-settings.json\`) allow only the organisation's modules`,
        ),
      ],
    ],
    'managed settings that concern nothing': [
      (w) => w.json('etc/managed-settings.json', { cleanupPeriodDays: 30 }),
      [ok('route-module', `the module answers ${BOTH}`)],
    ],
    'trimtab is not registered': [
      (w) => w.settings({ enabledPlugins: {} }),
      [nobody('not-registered', 'trimtab is not registered here', 'see what is said of install')],
    ],
    'only a hook for Bash is registered': [
      (w) => w.settings({ enabledPlugins: {}, hooks: { PreToolUse: [hookEntry('npx trimtab hook PreToolUse', 'Bash')] } }),
      [
        ok('route-hooks', 'the command hooks answer `PreToolUse:Bash`: only a hook in a settings file calls trimtab'),
        problem('not-registered', 'nobody answers `PreToolUse:PowerShell` and `PreToolUse:Read`: trimtab is not registered here', 'see what is said of install'),
      ],
    ],
    'the first copy of the core is damaged': [
      (w) => {
        w.copy();
        truncateSync(w.at('plugin/pkg/trimtab_bg.wasm'), 1000);
      },
      [ok('route-hooks', `the command hooks answer ${BOTH}: the core in \`/plugin\` does not serve the module`)],
    ],
    'there is no core': [
      (w) => {
        w.copy();
        rmSync(w.at('plugin/pkg'), { recursive: true });
      },
      [nobody('core-broken', 'the core in `/plugin` does not start', 'see what is said of the core')],
    ],
    'no Node, where the hooks would answer': [
      (w) => {
        w.env({ TRIMTAB_NO_MOD: '1' });
        w.program('node-old', '');
        rmSync(w.at('bin/node'));
        w.program('node', 'echo v18.0.0');
      },
      [nobody('no-node', 'there is no Node for the command hooks', 'see what is said of node')],
    ],
    'two things at once': [
      (w) => {
        w.env({ TRIMTAB_HOOKS: 'off' });
        w.settings({ disableAllHooks: true });
      },
      [
        nobody('hooks-off', '`TRIMTAB_HOOKS` is `off` in the environment', 'unset it there'),
        nobody('hooks-disabled', '`disableAllHooks` is set in `~/.claude/settings.json`', 'take it out there'),
      ],
    ],
    'there is no client': [(w) => rmSync(w.at('bin/claude')), [note('route-unknown', `who answers ${BOTH} cannot be told without a client`)]],
  },

  install: {
    nothing: [() => {}, [ok('registered', `trimtab is registered as ${REGISTERED}`)]],
    'the plugin is in no list': [
      (w) => {
        w.settings({ enabledPlugins: {} });
        rmSync(w.at('home/.claude/plugins'), { recursive: true });
      },
      [
        problem(
          'not-installed',
          'trimtab is no plugin and no hook of this client',
          '`claude plugin install trimtab@trimtab` (after `claude plugin marketplace add`); a session with `--plugin-dir` cannot be seen from here',
        ),
      ],
    ],
    'the plugin is not enabled': [
      (w) => w.settings({ enabledPlugins: {} }),
      [problem('plugin-disabled', '`trimtab@trimtab` is installed and not enabled', '`claude plugin enable trimtab@trimtab`')],
    ],
    'the project disables the plugin': [
      (w) => w.json('project/.claude/settings.json', { enabledPlugins: { 'trimtab@trimtab': false } }),
      [
        problem(
          'plugin-disabled',
          '`trimtab@trimtab` is installed and not enabled (`.claude/settings.json`)',
          '`claude plugin enable trimtab@trimtab`',
        ),
      ],
    ],
    'the plugin is enabled and installed nowhere': [
      (w) => rmSync(w.at('home/.claude/plugins'), { recursive: true }),
      [
        problem(
          'plugin-missing',
          '`trimtab@trimtab` is enabled in `~/.claude/settings.json` and is not there',
          'install it again: `claude plugin install trimtab@trimtab`',
        ),
      ],
    ],
    'the folder of the plugin is gone': [
      (w) => {
        rmSync(w.at('home/.claude/plugins/known_marketplaces.json'));
        rmSync(w.at('home/cache'), { recursive: true });
      },
      [
        problem(
          'plugin-missing',
          '`trimtab@trimtab` is enabled in `~/.claude/settings.json` and is not there',
          'install it again: `claude plugin install trimtab@trimtab`',
        ),
      ],
    ],
    'the marketplace is only declared in a settings file': [
      (w) => {
        rmSync(w.at('home/.claude/plugins'), { recursive: true });
        w.settings({ extraKnownMarketplaces: { trimtab: { source: { source: 'directory', path: REPOSITORY } } } });
      },
      [ok('registered', `trimtab is registered as ${REGISTERED}`)],
    ],
    'the plugin is of another version': [
      (w) => {
        rmSync(w.at('home/.claude/plugins/known_marketplaces.json'));
        install(w, 'trimtab@trimtab', [['user', 'cache/trimtab', '0.0.9']]);
      },
      [
        ok('registered', 'trimtab is registered as `trimtab@trimtab` 0.0.9 from `~/cache/trimtab` (enabled in `~/.claude/settings.json`)'),
        note('other-version', `this doctor is of ${VERSION}, \`trimtab@trimtab\` of 0.0.9`, '`claude plugin update trimtab@trimtab`'),
      ],
    ],
    'two marketplaces have it': [
      (w) => {
        w.settings({ enabledPlugins: { 'trimtab@trimtab': true, 'trimtab@other': true } });
        install(w, 'trimtab@other', [['user', 'cache/other', VERSION]]);
      },
      [
        problem(
          'registered-twice',
          `trimtab is registered 2 times (the client runs only one plugin of a name): ${REGISTERED} and \`trimtab@other\` ${VERSION} from \`~/cache/other\` (enabled in \`~/.claude/settings.json\`)`,
          'keep one: `claude plugin disable trimtab@other`',
        ),
      ],
    ],
    'two versions of it are installed': [
      (w) => {
        rmSync(w.at('home/.claude/plugins/known_marketplaces.json'));
        install(w, 'trimtab@trimtab', [
          ['user', 'cache/a', VERSION],
          ['project', 'cache/b', VERSION, w.at('project')],
        ]);
      },
      [
        problem(
          'registered-twice',
          `trimtab is registered 2 times (the client runs only one plugin of a name): \`trimtab@trimtab\` ${VERSION} from \`~/cache/a\` (enabled in \`~/.claude/settings.json\`) and \`trimtab@trimtab\` ${VERSION} from \`~/cache/b\` (enabled in \`~/.claude/settings.json\`)`,
          'keep one: `claude plugin uninstall trimtab@trimtab` in the scope that is not wanted',
        ),
      ],
    ],
    'another project has a version of its own': [
      (w) => {
        rmSync(w.at('home/.claude/plugins/known_marketplaces.json'));
        install(w, 'trimtab@trimtab', [
          ['user', 'cache/a', VERSION],
          ['project', 'cache/b', '0.0.9', w.at('elsewhere')],
        ]);
      },
      [ok('registered', `trimtab is registered as \`trimtab@trimtab\` ${VERSION} from \`~/cache/a\` (enabled in \`~/.claude/settings.json\`)`)],
    ],
    'a settings file has a hook of trimtab too': [
      (w) =>
        w.json('project/.claude/settings.json', { hooks: { PreToolUse: [hookEntry('node "/x/bin/trimtab.mjs" hook PreToolUse', 'Bash|Read')] } }),
      [
        problem(
          'registered-twice',
          `trimtab is registered 2 times: ${REGISTERED} and a hook for PreToolUse in \`.claude/settings.json\``,
          'keep one: take the hooks out of `.claude/settings.json`',
        ),
      ],
    ],
    'two settings files have a hook of trimtab': [
      (w) => {
        w.settings({ enabledPlugins: {}, hooks: { PreToolUse: [hookEntry('trimtab hook PreToolUse')] } });
        w.json('project/.claude/settings.json', { hooks: { PreToolUse: [hookEntry('/x/trimtab/hooks/hook.sh')] } });
      },
      [
        problem(
          'registered-twice',
          'trimtab is registered 2 times: a hook for PreToolUse in `~/.claude/settings.json` and a hook for PreToolUse in `.claude/settings.json`',
          'keep one: take the hooks out of `.claude/settings.json`',
        ),
      ],
    ],
    'only a settings file calls it': [
      (w) => w.settings({ enabledPlugins: {}, hooks: { PreToolUse: [hookEntry('trimtab hook PreToolUse')] } }),
      [ok('registered', 'trimtab is registered as a hook for PreToolUse in `~/.claude/settings.json`')],
    ],
    'hooks of others': [
      (w) => w.settings({ hooks: { PreToolUse: [hookEntry('echo trimtab'), hookEntry('my-trimtab-hook'), { matcher: 3 }, null] } }),
      [ok('registered', `trimtab is registered as ${REGISTERED}`)],
    ],
    'plugins of others': [
      (w) => {
        w.settings({ enabledPlugins: { 'trimtab@trimtab': true, 'trimtab-more@trimtab': true } });
        install(w, 'trimtab-more@trimtab', [['user', 'cache/more', '9.0.0']]);
      },
      [ok('registered', `trimtab is registered as ${REGISTERED}`)],
    ],
  },

  settings: {
    nothing: [() => {}, [ok('settings-read', 'read `~/.claude/settings.json`')]],
    'all files are there': [
      (w) => {
        for (const path of [
          'project/.claude/settings.json',
          'project/.claude/settings.local.json',
          'etc/managed-settings.json',
          'etc/managed-settings.d/10.json',
          'etc/managed-settings.d/.hidden.json',
        ])
          w.json(path, {});
      },
      [
        ok(
          'settings-read',
          'read `~/.claude/settings.json`, `.claude/settings.json`, `.claude/settings.local.json`, `/etc/managed-settings.json` and `/etc/managed-settings.d/10.json`',
        ),
      ],
    ],
    'the client has another folder': [
      (w) => {
        w.env({ CLAUDE_CONFIG_DIR: w.at('config') });
        w.json('config/settings.json', {});
      },
      [ok('settings-read', 'read `/config/settings.json`')],
    ],
    'there is none': [
      (w) => rmSync(w.at('home/.claude'), { recursive: true }),
      [note('settings-none', 'no settings file is here (`~/.claude`, `.claude`)')],
    ],
    'one is not JSON': [
      (w) => w.json('home/.claude/settings.json', '// mine\n{}'),
      [
        problem(
          'settings-not-json',
          '`~/.claude/settings.json` is not JSON, so the client goes on without all of it',
          'correct it; comments and commas at the end are mistakes too',
        ),
      ],
    ],
    'one is no object': [
      (w) => w.json('project/.claude/settings.json', '[]'),
      [problem('settings-no-object', '`.claude/settings.json` is no JSON object, so the client goes on without it', 'correct it')],
    ],
    'one cannot be read': [
      (w) => mkdirSync(w.at('project/.claude/settings.json'), { recursive: true }),
      [problem('settings-unreadable', '`.claude/settings.json` cannot be read (`EISDIR`)', 'see who owns it and what its mode is')],
    ],
    "the organisation's is not JSON": [
      (w) => w.json('etc/managed-settings.json', '{'),
      [
        problem(
          'settings-not-json',
          '`/etc/managed-settings.json` is not JSON, so the client goes on without all of it',
          `${ADMIN}; comments and commas at the end are mistakes too`,
        ),
      ],
    ],
    'one begins with a byte order mark': [
      (w) => w.json('home/.claude/settings.json', '\ufeff{}'),
      [ok('settings-read', 'read `~/.claude/settings.json`')],
    ],
  },

  environment: {
    nothing: [() => {}, [ok('variables-none', 'no `TRIMTAB_*` variable is set')]],
    'an empty one': [(w) => w.env({ TRIMTAB_HOOKS: '' }), [ok('variables-none', 'no `TRIMTAB_*` variable is set')]],
    'everything is off': [
      (w) => w.env({ TRIMTAB_HOOKS: 'off' }),
      [note('variable-set', '`TRIMTAB_HOOKS` is `off` in the environment: everything is off')],
    ],
    'a value without a meaning': [
      (w) => w.env({ TRIMTAB_HOOKS: 'secret' }),
      [note('variable-without-effect', '`TRIMTAB_HOOKS` in the environment does nothing: only `off` does', 'unset it')],
    ],
    'the module is kept out': [
      (w) => w.settings({ env: { TRIMTAB_NO_MOD: '1' } }),
      [note('variable-set', '`TRIMTAB_NO_MOD` is `1` in `~/.claude/settings.json`: the module stays out, and the command hooks answer')],
    ],
    'every call passes': [
      (w) => w.env({ TRIMTAB_BYPASS: '1' }),
      [problem('variable-set', '`TRIMTAB_BYPASS` is `1` in the environment: every call passes', 'unset it; put it in front of one command instead')],
    ],
    'a mode': [
      (w) => w.env({ TRIMTAB_MODE: 'advise' }),
      [note('variable-set', '`TRIMTAB_MODE` is `advise` in the environment: it wins over every configuration file')],
    ],
    'a slip of the pen': [
      (w) => w.env({ TRIMTAB_MOED: 'secret' }),
      [note('variable-unknown', '`TRIMTAB_MOED` in the environment does nothing; did you mean `TRIMTAB_MODE`?', 'unset it')],
    ],
    'the shell of a session that the module answers': [
      (w) => w.env({ TRIMTAB_MOD: 'PreToolUse:Bash', TRIMTAB_MOD_SESSION: 'a,b', TRIMTAB_MOD_TURN: 'x', CLAUDE_CODE_SESSION_ID: 'b' }),
      [ok('in-served-session', 'this shell belongs to a session that the module answers')],
    ],
    'the shell of a session whose module gave up': [
      (w) => w.env({ TRIMTAB_MOD_SESSION: 'a,b', TRIMTAB_MOD_TURN: 'x', CLAUDE_CODE_SESSION_ID: 'b' }),
      [note('in-left-session', 'this shell belongs to a session whose module gave up, and the command hooks took over')],
    ],
    'left over from another session': [
      (w) => w.env({ TRIMTAB_MOD: 'PreToolUse:Bash', TRIMTAB_MOD_SESSION: 'a', TRIMTAB_MOD_TURN: 'x', CLAUDE_CODE_SESSION_ID: 'b' }),
      [
        note(
          'handshake-inherited',
          'left over from another session: `TRIMTAB_MOD`, `TRIMTAB_MOD_SESSION` and `TRIMTAB_MOD_TURN`; without effect, because a hook steps aside only in the sessions that are listed',
        ),
      ],
    ],
    'left over, outside any session': [
      (w) => w.env({ TRIMTAB_MOD_TURN: 'x' }),
      [
        note(
          'handshake-inherited',
          'left over from another session: `TRIMTAB_MOD_TURN`; without effect, because a hook steps aside only in the sessions that are listed',
        ),
      ],
    ],
    "the demo's cache": [(w) => w.env({ TRIMTAB_CACHE: '/x' }), [ok('variables-none', 'no `TRIMTAB_*` variable is set')]],
  },

  node: {
    nothing: [() => {}, [ok('node-found', `Node ${process.versions.node} for the command hooks (\`/bin/node\`)`)]],
    'it is too old, and the module answers': [
      (w) => pretendNode(w, 'echo v18.20.1'),
      [
        note(
          'node-old',
          'Node 18.20.1 (`/bin/node`) is too old for the command hooks; the module needs none',
          'install Node 20 or newer where `node` is on the `PATH`',
        ),
      ],
    ],
    'it is too old, and the hooks would answer': [
      (w) => {
        pretendNode(w, 'echo v18.20.1');
        w.env({ TRIMTAB_NO_MOD: '1' });
      },
      [problem('node-old', 'Node 18.20.1 (`/bin/node`) is too old for the command hooks', 'install Node 20 or newer where `node` is on the `PATH`')],
    ],
    'it fails': [
      (w) => {
        pretendNode(w, 'exit 1');
        w.env({ TRIMTAB_NO_MOD: '1' });
      },
      [problem('node-broken', '`/bin/node` does not tell its version (`silent`)', 'install Node 20 or newer where `node` is on the `PATH`')],
    ],
    'it is not on the PATH, and a version manager has several': [
      (w) => {
        rmSync(w.at('bin/node'));
        for (const version of ['v18.0.0', 'v22.1.0']) {
          mkdirSync(w.at(`home/.nvm/versions/node/${version}/bin`), { recursive: true });
          writeFileSync(w.at(`home/.nvm/versions/node/${version}/bin/node`), `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
        }
      },
      [ok('node-found', 'Node 22.1.0 for the command hooks (`~/.nvm/versions/node/v22.1.0/bin/node`)')],
    ],
  },

  core: {
    nothing: [() => {}, [ok('core-good', `core ${VERSION} in \`/plugin\`: as built, self-check passed, second copy the same`)]],
    'the first copy is cut': [
      (w) => {
        w.copy();
        truncateSync(w.at('plugin/pkg/trimtab_bg.wasm'), 1000);
      },
      [
        problem('files-altered', '`/plugin`: `pkg/trimtab_bg.wasm` is not as built', REINSTALL),
        problem('core-broken', '`/plugin`: the core does not start; only the command hooks can judge, with its second copy', REINSTALL),
      ],
    ],
    'the first copy is missing': [
      (w) => {
        w.copy();
        rmSync(w.at('plugin/pkg/trimtab_bg.wasm'));
      },
      [
        problem('files-missing', '`/plugin` lacks `pkg/trimtab_bg.wasm`', REINSTALL),
        problem('core-broken', '`/plugin`: the core does not start; only the command hooks can judge, with its second copy', REINSTALL),
      ],
    ],
    'the second copy is cut': [
      (w) => {
        w.copy();
        truncateSync(w.at('plugin/pkg/trimtab_bg.wasm.br'), 1000);
      },
      [
        problem('files-altered', '`/plugin`: `pkg/trimtab_bg.wasm.br` is not as built', REINSTALL),
        problem('second-copy-broken', '`/plugin`: the second copy of the core is not the first one, packed', REINSTALL),
      ],
    ],
    'the glue is altered': [
      (w) => {
        w.copy();
        writeFileSync(w.at('plugin/pkg/trimtab.js'), `${readFileSync(w.at('plugin/pkg/trimtab.js'), 'utf8')}\n`);
      },
      [problem('files-altered', '`/plugin`: `pkg/trimtab.js` is not as built', REINSTALL)],
    ],
    'there is no list of what was built': [
      (w) => {
        w.copy();
        rmSync(w.at('plugin/pkg/build.json'));
      },
      [note('not-comparable', '`/plugin`: `pkg/build.json` does not say what was built', REINSTALL)],
    ],
    'a part of the module is missing': [
      (w) => {
        w.copy();
        rmSync(w.at('plugin/mod/host.ts'));
      },
      [problem('files-missing', '`/plugin` lacks `mod/host.ts`', REINSTALL)],
    ],
    'a part of the command hooks is missing': [
      (w) => {
        w.copy();
        rmSync(w.at('plugin/node/hook.mjs'));
      },
      [problem('files-missing', '`/plugin` lacks `node/hook.mjs`', REINSTALL)],
    ],
    'a script has the line ends of another system': [
      (w) => {
        w.copy();
        writeFileSync(w.at('plugin/hooks/hook.sh'), readFileSync(w.at('plugin/hooks/hook.sh'), 'utf8').replaceAll('\n', '\r\n'));
      },
      [
        problem(
          'line-ends',
          '`/plugin`: CRLF line ends in `hooks/hook.sh`, so the command hooks do nothing',
          'reinstall trimtab, or check it out again with `core.autocrlf` off',
        ),
      ],
    ],
    'there is no core at all': [
      (w) => {
        w.copy();
        rmSync(w.at('plugin/pkg'), { recursive: true });
      },
      [
        problem('files-missing', '`/plugin` lacks `pkg/trimtab.js`', REINSTALL),
        problem('core-broken', '`/plugin`: the core does not start, and neither does its second copy', REINSTALL),
        note('not-comparable', '`/plugin`: `pkg/build.json` does not say what was built', REINSTALL),
      ],
    ],
    'the plugin that is registered is another copy': [
      (w) => {
        w.copy();
        rmSync(w.at('home/.claude/plugins/known_marketplaces.json'));
        cpSync(w.at('plugin'), w.at('home/cache/trimtab'), { recursive: true });
        rmSync(w.at('home/cache/trimtab/pkg/trimtab_bg.wasm.br'));
      },
      [
        problem('files-missing', '`~/cache/trimtab` lacks `pkg/trimtab_bg.wasm.br`', REINSTALL),
        problem('second-copy-broken', '`~/cache/trimtab`: the second copy of the core is not the first one, packed', REINSTALL),
        ok('core-good', `core ${VERSION} in \`/plugin\`: as built, self-check passed, second copy the same`),
      ],
    ],
  },

  config: {
    nothing: [() => {}, [ok('config-refuses', 'a large Read is refused once (no configuration, so the defaults)')]],
    'every kind of mistake': [
      (w) => {
        w.json('home/.trimtab/config.json', { mode: 'stirct', lagre: {}, large: { lines: 'many' }, rules: { 'unbounded-lgo': 'off' } });
        w.json('project/.trimtab.json', { mode: 'strict', enabled: true });
        w.env({ TRIMTAB_MODE: 'advice' });
      },
      [
        problem('config-mistake', '`~/.trimtab/config.json`: unknown key `lagre`; did you mean `large`?', 'correct it there'),
        problem('config-mistake', '`~/.trimtab/config.json`: `large.lines` is `many`, expected a whole number, keeping `300`', 'correct it there'),
        problem(
          'config-mistake',
          '`~/.trimtab/config.json`: `mode` is `stirct`, expected one of off, advise, redirect, answer, strict; did you mean `strict`?, keeping `answer`',
          'correct it there',
        ),
        problem('config-mistake', '`~/.trimtab/config.json`: unknown rule `unbounded-lgo`; did you mean `unbounded-log`?', 'correct it there'),
        problem(
          'config-mistake',
          "`.trimtab.json`: `mode` is `strict`: a repository's file can only make it milder, keeping `answer`",
          'correct it there',
        ),
        problem(
          'config-mistake',
          '`TRIMTAB_MODE` in the environment: `TRIMTAB_MODE` is `advice`, expected one of off, advise, redirect, answer, strict; did you mean `advise`?, keeping `answer`',
          'correct it there',
        ),
        ok('config-refuses', 'a large Read is refused once (`~/.trimtab/config.json`, `.trimtab.json` and `TRIMTAB_MODE` in the environment)'),
      ],
    ],
    'mistakes where everything is off': [
      (w) => {
        w.json('home/.trimtab/config.json', { enabled: false, mood: 1 });
        w.env({ TRIMTAB_BYPASS: '1', TRIMTAB_HOOKS: 'off' });
      },
      [
        problem('config-mistake', '`~/.trimtab/config.json`: unknown key `mood`; did you mean `mode`?', 'correct it there'),
        note(
          'config-off',
          'a large Read passes: trimtab, or the rule `whole-file-read`, is switched off (`~/.trimtab/config.json` and `TRIMTAB_HOOKS` in the environment and `TRIMTAB_BYPASS` in the environment)',
        ),
      ],
    ],
    'a file is not JSON': [
      (w) => w.json('project/.trimtab.local.json', '{'),
      [
        problem(
          'config-mistake',
          '`.trimtab.local.json`: is not JSON (EOF while parsing an object at line 1 column 1), going on without it',
          'correct it there',
        ),
        ok('config-refuses', 'a large Read is refused once (`.trimtab.local.json`)'),
      ],
    ],
    'a file cannot be read': [
      (w) => mkdirSync(w.at('home/.trimtab/config.json'), { recursive: true }),
      [
        problem('config-mistake', '`~/.trimtab/config.json`: cannot be read (`EISDIR`), going on without it', 'correct it there'),
        ok('config-refuses', 'a large Read is refused once (`~/.trimtab/config.json`)'),
      ],
    ],
    "the plugin's option": [
      (w) => w.settings({ pluginConfigs: { 'trimtab@trimtab': { options: { mode: 'advise' } } } }),
      [note('config-advises', "a large Read only gets advice (the plugin's options (`~/.claude/settings.json`))")],
    ],
    "a project cannot set the plugin's option": [
      (w) => w.json('project/.claude/settings.json', { pluginConfigs: { 'trimtab@trimtab': { options: { mode: 'advise' } } } }),
      [ok('config-refuses', 'a large Read is refused once (no configuration, so the defaults)')],
    ],
    'every call passes': [
      (w) => w.env({ TRIMTAB_BYPASS: '1' }),
      [note('config-passes', 'even the largest Read passes: `bypassed` (`TRIMTAB_BYPASS` in the environment)')],
    ],
    'limits that are high, and a folder below the project': [
      (w) => {
        mkdirSync(w.at('project/below'));
        w.outside.cwd = w.at('project/below');
        w.json('project/.trimtab.json', { large: { lines: 100_000, bytes: 1_000_000 } });
      },
      [note('config-passes', 'even the largest Read passes: `cheap` (`/project/.trimtab.json`)')],
    ],
  },

  home: {
    nothing: [() => {}, [ok('home-empty', '`~/.trimtab` is not there yet; it is made when there is something to keep')]],
    'it is there': [
      (w) => mkdirSync(w.at('home/.trimtab/sessions'), { recursive: true, mode: 0o700 }),
      [ok('home-writable', '`~/.trimtab` can be written to, with the mode 700')],
    ],
    'there is no home': [
      (w) => (w.outside.home = ''),
      [problem('no-home', 'there is no home folder: the command hooks refuse nothing that they cannot remember', 'set `HOME`')],
    ],
    'a file stands in its place': [
      (w) => writeFileSync(w.at('home/.trimtab'), ''),
      [problem('home-no-folder', '`~/.trimtab` is no folder: the command hooks refuse nothing that they cannot remember', 'move it away')],
    ],
    'others can look into it': [
      (w) => {
        w.records([]);
        chmodSync(w.at('home/.trimtab'), 0o755);
        chmodSync(w.at('home/.trimtab/errors.jsonl'), 0o644);
        w.json('home/.trimtab/config.json', {});
      },
      [
        note('home-open', '`~/.trimtab` has the mode 755: others can look into it', '`chmod go= ~/.trimtab`'),
        note('home-open', '`~/.trimtab/errors.jsonl` has the mode 644: others can look into it', '`chmod go= ~/.trimtab/errors.jsonl`'),
      ],
    ],
    'it is closed': [
      (w) => mkdirSync(w.at('home/.trimtab'), { mode: 0o500 }),
      [
        problem(
          'home-closed',
          '`~/.trimtab` cannot be written to (`EACCES`): the command hooks refuse nothing that they cannot remember',
          'see who owns it and what its mode is',
        ),
      ],
      isRoot && 'root may write anywhere',
    ],
  },

  records: {
    nothing: [() => {}, [ok('records-none', 'nothing failed in the last 7 days, as far as the records tell')]],
    'failures of both routes, new and old, in both files': [
      (w) => {
        w.records([row('timeout', { days: 6.9 }), row('timeout', { days: 7.1 })], 'errors.1.jsonl');
        w.records([
          row('timeout', { days: 2 }),
          row('crash', { route: 'mod', detail: 'throw' }),
          row('crash', { route: 'mod', detail: 'timeout', days: 0.5 }),
          row('crash', { days: 3 }),
        ]);
      },
      [
        {
          ...problem(
            'record',
            '`crash` (`throw` and `timeout`) 2 times by the module, last 2030-01-10 09:36 UTC: trimtab failed at a call, and the call went on as it was',
            'report it, with this line',
          ),
          record: { route: 'mod', code: 'crash', count: 2, last: '2030-01-10T09:36:00.000Z' },
        },
        {
          ...note(
            'record',
            '`timeout` 2 times by the command hooks, last 2030-01-08 12:00 UTC: a command hook took more than five seconds, and the call passed',
            'see whether the machine or the disk is slow, else report it, with this line',
          ),
          record: { route: 'hook', code: 'timeout', count: 2, last: '2030-01-08T12:00:00.000Z' },
        },
        {
          ...note(
            'record',
            '`crash` once by the command hooks, last 2030-01-07 12:00 UTC: trimtab failed at a call, and the call went on as it was',
            'report it, with this line',
          ),
          record: { route: 'hook', code: 'crash', count: 1, last: '2030-01-07T12:00:00.000Z' },
        },
      ],
    ],
    'a module that stopped, and sessions that could not be written down': [
      (w) => w.records([row('module-gone'), row('state-not-saved', { route: 'mod', detail: 'nowhere', days: 0.2 })]),
      [
        {
          ...problem(
            'record',
            '`module-gone` once by the command hooks, last 2030-01-10 09:36 UTC: the module stopped inside the client, and the command hooks took over',
            'restart the client; if it comes back, report it, with this line',
          ),
          record: { route: 'hook', code: 'module-gone', count: 1, last: '2030-01-10T09:36:00.000Z' },
        },
        {
          ...problem(
            'record',
            '`state-not-saved` (`nowhere`) once by the module, last 2030-01-10 07:12 UTC: a session could not be written down, so a refusal was left out or may come again',
            'see what is said of `~/.trimtab`',
          ),
          record: { route: 'mod', code: 'state-not-saved', count: 1, last: '2030-01-10T07:12:00.000Z' },
        },
      ],
    ],
    'what is no fault': [
      (w) => w.records([row('bypass', { detail: 'whole-file-read' })]),
      [
        {
          ...note(
            'record',
            '`bypass` (`whole-file-read`) once by the command hooks, last 2030-01-10 09:36 UTC: a call was let pass because `TRIMTAB_BYPASS=1` asked for it',
          ),
          record: { route: 'hook', code: 'bypass', count: 1, last: '2030-01-10T09:36:00.000Z' },
        },
      ],
    ],
    'a code that is not known, and one that is no word': [
      (w) => w.records([row('brand-new', { route: 'later' }), row('`\u001b[2J'.padEnd(90, 'x'), { days: 0.2 }), row('__proto__', { days: 0.3 })]),
      [
        {
          ...note('record', '`brand-new` once by `later`, last 2030-01-10 09:36 UTC'),
          record: { route: 'later', code: 'brand-new', count: 1, last: '2030-01-10T09:36:00.000Z' },
        },
        {
          ...note('record', `\`'?[2J${'x'.repeat(55)}…\` once by the command hooks, last 2030-01-10 07:12 UTC`),
          record: { route: 'hook', code: `'?[2J${'x'.repeat(55)}…`, count: 1, last: '2030-01-10T07:12:00.000Z' },
        },
        {
          ...note('record', '`__proto__` once by the command hooks, last 2030-01-10 04:48 UTC'),
          record: { route: 'hook', code: '__proto__', count: 1, last: '2030-01-10T04:48:00.000Z' },
        },
      ],
    ],
    'rows that cannot be read': [
      (w) => w.records(['{"time":', '[]', '{"time":"never","code":"trap"}', 'null']),
      [note('records-damaged', '4 rows of the records cannot be read')],
    ],
    'the records cannot be read': [
      (w) => mkdirSync(w.at('home/.trimtab/errors.jsonl'), { recursive: true }),
      [problem('records-unreadable', '`~/.trimtab/errors.jsonl` cannot be read (`EISDIR`)', 'see who owns it and what its mode is')],
    ],
  },
};
function pretendNode(world, text) {
  rmSync(world.at('bin/node'));
  world.program('node', text);
}

for (const [check, cases] of Object.entries(TABLE)) {
  for (const [what, [breaks, expected, skip = false]] of Object.entries(cases)) {
    test(`${check}, broken: ${what}`, { skip }, async (t) => {
      const world = healthy(t);
      breaks(world);
      assert.deepEqual(await findings(world, check), expected);
    });
  }
}

test('every check is tried, and every problem has a next step', () => {
  assert.deepEqual(Object.keys(TABLE).sort(), Object.keys(CHECKS).sort());
  for (const { level, text, next } of Object.values(TABLE).flatMap((cases) => Object.values(cases).flatMap(([, expected]) => expected))) {
    if (level === 'problem') assert.ok(next, text);
  }
});
