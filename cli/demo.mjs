// `trimtab demo`: a real client plays the same scripted session without and with trimtab, and what each cost is printed.
// Downloads only what it has said before, from the person's own npm registry; never looks at the person's own client, settings or
// sessions, and leaves nothing behind but the cache.

import { parseOptions } from './lib/options.mjs';
import { UserError } from './lib/user-error.mjs';

const CLIENT = '2.1.332';

export const name = 'demo';
export const summary = 'play one session of a real client without and with trimtab, and print what each cost';
export const usage = 'trimtab demo [--client=VERSION] [--json] [--keep]';
export const options = [
  { name: 'client', value: 'VERSION', summary: `the version of Claude Code; ${CLIENT} if not said`, detail: '2.1.287 and 2.1.277 show the way through command hooks' },
  { name: 'json', summary: 'print the whole report as JSON' },
  { name: 'keep', summary: 'keep the scratch folders, with what the model read, and say where they are' },
];
export const details = `Fetches the client and the sources of one package from your npm registry, once,
into a cache (\`TRIMTAB_CACHE\`, else your cache folder), and says first how much.
The sessions run in empty scratch homes against a scripted model on 127.0.0.1:
no account, no real key, nothing sent anywhere.
Progress goes to standard error, the report to standard output.`;

/** @type {import('./lib/help.mjs').Command['run']} */
export async function run(args, { stdout, stderr, env }) {
  const { values, rest } = parseOptions(options, args);
  if (rest.length > 0) throw new UserError(`\`trimtab demo\` takes no \`${rest[0]}\`; \`trimtab demo -h\` lists the options`);
  // Imported here, so that help needs none of it.
  const [{ runDemo }, { ClientError }] = await Promise.all([import('../demo/run.mjs'), import('../lab/client.mjs')]);
  const { client = CLIENT, json = false, keep = false } = values;
  try {
    await runDemo({ version: client, isJson: json, keeps: keep, stdout, stderr, env });
  } catch (error) {
    if (error instanceof ClientError) throw new UserError(error.message);
    if (error.syscall) throw new UserError(`the demo could not go on (${error.message}); it writes to the cache (\`TRIMTAB_CACHE\`) and to the temporary folder`);
    throw error;
  }
}
