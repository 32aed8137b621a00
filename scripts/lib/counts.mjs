// Reads how many tests passed and failed out of what a runner printed: cargo's libtest, wasm-bindgen's, Node's, and the client's for modules.
// Never guesses: text without a closing line of a runner counts as nothing.

// A test may print colors, and a terminal's line ends.
const plain = (text) => text.replace(/\x1b\[[0-9;]*m/g, '').replaceAll('\r', '');

/** `{passed, failed}` over all closing lines of the text. */
export function countTests(output) {
  const text = plain(output);
  const count = { passed: 0, failed: 0 };
  for (const [, passed, failed] of text.matchAll(/^test result: \S+ (\d+) passed; (\d+) failed;/gm)) {
    count.passed += Number(passed);
    count.failed += Number(failed);
  }
  // `ℹ pass 3` of the spec reporter, `# pass 3` of TAP. A cancelled test did not pass.
  for (const [, kind, number] of text.matchAll(/^(?:ℹ|#) (pass|fail|cancelled) (\d+)$/gm)) {
    count[kind === 'pass' ? 'passed' : 'failed'] += Number(number);
  }
  // `claude plugin test` closes with ` 67 pass`, ` 0 fail`, `Ran 67 tests across 3 files.`
  for (const [, passed, failed] of text.matchAll(/^ (\d+) pass\n(?: \d+ (?!fail)\w+\n)* (\d+) fail\n(?: .*\n)*Ran \d+ tests? across /gm)) {
    count.passed += Number(passed);
    count.failed += Number(failed);
  }
  return count;
}
