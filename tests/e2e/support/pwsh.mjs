// A pretended `pwsh`, because the client offers its PowerShell tool on Linux only where there is one.
// Answers what the client asks it of a command before it runs (that it is one simple command of plain words), and runs nothing.

import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What it prints instead of running a command. */
export const PRETENDED = 'pretended';

const SCRIPT = `#!${process.execPath}
const asked = Buffer.from(process.argv[process.argv.indexOf('-EncodedCommand') + 1] ?? '', 'base64').toString('utf16le');
// Older clients put the command into the question and take JSON; newer ones hand it over on the standard input and take base64.
const [, inQuestion] = /EncodedCommand = '([^']+)'/.exec(asked) ?? [];
const isNew = asked.includes('Write-Result');
if (isNew || inQuestion) {
  const text = Buffer.from(inQuestion ?? require('node:fs').readFileSync(0, 'utf8'), 'base64').toString('utf8');
  const commandElements = text.split(' ').map((value) => ({ type: 'StringConstantExpressionAst', text: value, value }));
  const statements = [{ type: 'PipelineAst', text, elements: [{ type: 'CommandAst', text, commandElements, redirections: [] }] }];
  const no = { hasStopParsing: false, hasStopParsingValue: false, hasUsingStatements: false, hasScriptRequirements: false, hasBackgroundJob: false };
  const answer = JSON.stringify({ valid: true, errors: [], statements, variables: [], originalCommand: text, typeLiterals: [], ...no });
  process.stdout.write(isNew ? Buffer.from(answer).toString('base64') : answer);
} else {
  console.log('${PRETENDED}');
}
`;

/** Writes it into a folder and gives the variables of a session that has the tool. */
export function pretendPwsh(folder, path = process.env.PATH) {
  const bin = join(folder, 'pwsh-bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'pwsh'), SCRIPT);
  chmodSync(join(bin, 'pwsh'), 0o755);
  return { CLAUDE_CODE_USE_POWERSHELL_TOOL: '1', PATH: `${bin}:${path}` };
}
