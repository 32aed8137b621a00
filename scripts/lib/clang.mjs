// A clang and an llvm-ar that can make wasm32 objects: the machine's own where they can, else Debian's in the prefix.
// Never trusts a name or a version number: a compiler counts once it has compiled for wasm32.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { hasDebian, missingPackages, unpackInto, unpackedVersions, writeWrapper } from './debian.mjs';
import { prefix } from './prefix.mjs';
import { SetupError, capture, which } from './run.mjs';

const MAJOR = 19;
const PACKAGES = [`clang-${MAJOR}`, `libclang-common-${MAJOR}-dev`, `llvm-${MAJOR}`];
// Objective C, the garbage collector and the linker plugin: clang names them as dependencies, wasm needs none of them.
const isUseless = (name) => /^lib(objc|gc1|clang1-)|linker-tools|-runtime$/.test(name);

const folder = () => join(prefix(), 'debian', `clang-${MAJOR}`);
const debianPair = () => (unpackedVersions(folder()) ? { cc: join(folder(), 'bin/clang'), ar: join(folder(), 'bin/llvm-ar') } : null);

let found;

/** `{cc, ar, version}` of a pair that works, or null. `TRIMTAB_CLANG=debian` passes over what is on PATH. */
export function findClang() {
  if (found) return found;
  for (const pair of candidates()) {
    if (canTargetWasm(pair)) {
      const version = capture(pair.cc, ['--version']).stdout.match(/version (\d+\.\d+\.\d+)/)?.[1] ?? 'unknown';
      found = { ...pair, version };
      return found;
    }
  }
  return null;
}

function* candidates() {
  if (process.env.TRIMTAB_CLANG !== 'debian') {
    for (const suffix of ['', ...Array.from({ length: 15 }, (_, i) => `-${28 - i}`)]) {
      const cc = which(`clang${suffix}`);
      if (!cc) continue;
      for (const ar of new Set([join(dirname(cc), `llvm-ar${suffix}`), which(`llvm-ar${suffix}`), which('llvm-ar')])) {
        if (ar) yield { cc, ar };
      }
    }
  }
  const debian = debianPair();
  if (debian) yield debian;
}

function canTargetWasm({ cc, ar }) {
  const work = mkdtempSync(join(tmpdir(), 'trimtab-clang-'));
  try {
    const [source, object, archive] = ['probe.c', 'probe.o', 'probe.a'].map((name) => join(work, name));
    writeFileSync(source, '#include <stddef.h>\nextern int next(int);\nint probe(int x) { return next(x) + (int)sizeof(size_t); }\n');
    if (capture(cc, ['--target=wasm32-unknown-unknown', '-O2', '-c', source, '-o', object]).status !== 0) return false;
    if (capture(ar, ['rcs', archive, object]).status !== 0) return false;
    // An ar that cannot read wasm objects writes an archive without an index, and the linker then finds nothing in it.
    return readFileSync(archive).subarray(8, 10).toString() === '/ ';
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

export const clangPart = {
  name: 'clang',
  title: "clang and llvm-ar that can target wasm32",
  found: () => (findClang() ? `${findClang().cc} (${findClang().version})` : null),
  plan() {
    if (!hasDebian()) return { what: 'not installable from here, so first put an LLVM that has wasm32 on PATH (clang and llvm-ar)', where: 'a place of your choice' };
    const packages = missingPackages(PACKAGES, isUseless);
    return { what: `Debian's ${PACKAGES.join(', ')} and what they need`, bytes: packages?.reduce((sum, one) => sum + one.bytes, 0), where: folder() };
  },
  async install() {
    await unpackInto(folder(), PACKAGES, {
      isUseless,
      finish(staging) {
        for (const tool of ['clang', 'llvm-ar']) writeWrapper(staging, tool, `usr/lib/llvm-${MAJOR}/bin/${tool}`, folder());
      },
    });
    if (!findClang()) throw new SetupError(`the clang unpacked in ${folder()} cannot compile for wasm32`, 'install an LLVM that has wasm32 and put its clang and llvm-ar on PATH');
  },
};
