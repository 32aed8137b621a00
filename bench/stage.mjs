// How far a command hook's process gets, to see where its time goes: `node` alone with a module file, with the wasm compiled, with the core
// started as a hook starts it. Judges nothing.

const [stage] = process.argv.slice(2);
if (stage === 'compiled') {
  const { readFileSync } = await import('node:fs');
  new WebAssembly.Module(readFileSync(new URL('../pkg/trimtab_bg.wasm', import.meta.url)));
}
if (stage === 'started') {
  const { loadCore } = await import('../node/core.mjs');
  await loadCore({ isOnce: true });
}
process.exit(0);
