// What the outlines are compared on: published packages of fixed versions, and the rule that picks files from them.
// Holds no file of theirs; they are fetched into the private folder when the comparison is run.
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const KB = 1024;

// Small enough to be judged, large enough that an outline is worth something.
const MIN_BYTES = 3 * KB;
const MAX_BYTES = 200 * KB;

const npm = (name, version) => ({ from: 'npm', name, version });
const pypi = (name, version) => ({ from: 'pypi', name, version });
const crate = (name, version) => ({ from: 'crates', name, version });
/** The upstream archive of a Debian source package; `name` is the source package. */
const debian = (name, version) => ({ from: 'debian', name, version });

/**
 * Each part of a corpus: `take` files of `source` whose path begins with `below` and ends with one of the suffixes of the language.
 * The names of the languages are those of the packs.
 */
export const CORPORA = {
  bash: { suffixes: ['.sh', '.bash'], parts: [
    { source: debian('git', '2.39.5'), below: 'git-', take: 12 },
    { source: debian('git', '2.39.5'), below: 'contrib/', take: 8 },
    { source: debian('git', '2.39.5'), below: 't/lib', take: 10 },
    { source: debian('dracut', '059'), below: '', take: 15 },
  ] },
  c: { suffixes: ['.c', '.h'], parts: [
    { source: debian('lua5.4', '5.4.4'), below: 'src/', take: 12 },
    { source: debian('redis', '7.0.15'), below: 'src/', take: 15 },
    { source: debian('curl', '7.88.1'), below: 'lib/', take: 15 },
  ] },
  cpp: { suffixes: ['.cc', '.cpp', '.h', '.hpp'], parts: [
    { source: debian('leveldb', '1.23'), below: '', take: 15 },
    { source: debian('re2', '20220601+dfsg'), below: '', take: 12 },
    { source: debian('spdlog', '1.10.0+ds'), below: '', take: 12 },
  ] },
  csharp: { suffixes: ['.cs'], parts: [
    { source: debian('newtonsoft-json', '6.0.8+dfsg'), below: 'Src/Newtonsoft.Json/', take: 15 },
    { source: debian('nunit', '2.6.4+dfsg'), below: 'src/', take: 12 },
    { source: npm('react-native-windows', '0.75.0'), below: '', take: 15 },
  ] },
  go: { suffixes: ['.go'], parts: [
    { source: debian('golang-github-spf13-cobra', '1.6.1'), below: '', take: 12 },
    { source: debian('golang-github-gin-gonic-gin', '1.8.1'), below: '', take: 15 },
    { source: debian('golang-google-grpc', '1.33.3'), below: '', take: 15 },
  ] },
  java: { suffixes: ['.java'], parts: [
    { source: debian('guava-libraries', '31.1'), below: 'guava/', take: 15 },
    { source: debian('jsoup', '1.15.3'), below: 'src/main/', take: 12 },
    { source: npm('react-native', '0.76.0'), below: 'ReactAndroid/', take: 15 },
  ] },
  javascript: { suffixes: ['.js', '.mjs', '.cjs'], parts: [
    { source: npm('express', '4.21.0'), below: 'lib/', take: 8 },
    { source: npm('webpack', '5.95.0'), below: 'lib/', take: 15 },
    { source: npm('eslint', '9.12.0'), below: 'lib/', take: 12 },
    { source: npm('three', '0.169.0'), below: 'src/', take: 15 },
  ] },
  kotlin: { suffixes: ['.kt'], parts: [
    { source: npm('react-native', '0.76.0'), below: 'ReactAndroid/', take: 20 },
    { source: npm('expo-modules-core', '2.0.0'), below: 'android/', take: 15 },
    { source: debian('kotlinx-coroutines', '1.0.1'), below: '', take: 12 },
  ] },
  php: { suffixes: ['.php'], parts: [
    { source: debian('symfony', '5.4'), below: 'src/Symfony/Component/', take: 20 },
    { source: debian('php-twig', '3.5.1'), below: 'src/', take: 10 },
    { source: debian('php-monolog', '2.9.1'), below: 'src/', take: 12 },
  ] },
  python: { suffixes: ['.py'], parts: [
    { source: pypi('Django', '5.1.2'), below: 'django/', take: 20 },
    { source: pypi('Flask', '3.0.3'), below: 'flask/', take: 10 },
    { source: pypi('rich', '13.9.2'), below: 'rich/', take: 15 },
  ] },
  ruby: { suffixes: ['.rb'], parts: [
    { source: debian('rails', '6.1.7'), below: 'active', take: 20 },
    { source: debian('puma', '5.6.5'), below: 'lib/', take: 10 },
    { source: debian('ruby-nokogiri', '1.13.10+dfsg'), below: 'lib/', take: 10 },
  ] },
  rust: { suffixes: ['.rs'], parts: [
    { source: crate('regex-automata', '0.4.8'), below: 'src/', take: 15 },
    { source: crate('clap_builder', '4.5.20'), below: 'src/', take: 15 },
    { source: crate('serde_json', '1.0.128'), below: 'src/', take: 12 },
  ] },
  typescript: { suffixes: ['.ts'], parts: [
    { source: npm('rxjs', '7.8.1'), below: 'src/', take: 15 },
    { source: npm('zod', '3.25.76'), below: 'src/v4/', take: 12 },
    { source: npm('effect', '3.10.0'), below: 'src/', take: 15 },
  ] },
};

/** What no person wrote, or nobody would ask an outline of. */
const isLeftOut = (path) => /(^|\/)(node_modules|testdata)\/|\.min\.js$|\.d\.ts$|\.pb\.go$/.test(path);

/** The files of one part, spread evenly over all that fit, in the order of their paths; `others` = those half way to the next, if there are any between. */
export function pick(root, { below, take }, suffixes, others = false) {
  const all = filesBelow(root)
    .filter((path) => path.startsWith(below) && !isLeftOut(path) && suffixes.includes(suffixOf(path)))
    .filter((path) => {
      const { size } = lstatSync(join(root, path));
      return size >= MIN_BYTES && size <= MAX_BYTES;
    })
    .sort();
  const step = Math.max(1, Math.floor(all.length / take));
  if (others && step === 1) return [];
  return all.filter((_, index) => index % step === (others ? step >> 1 : 0)).slice(0, take);
}

function suffixOf(path) {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot);
}

function filesBelow(root, folder = '') {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder ? `${folder}/${entry.name}` : entry.name;
    if (entry.isDirectory()) return filesBelow(root, path);
    return entry.isFile() ? [path] : [];
  });
}
