// A Chromium and a chromedriver that belong together, for the tests in a browser: those on PATH, else Debian's in the prefix.
// Never opens a profile of the person's own: chromedriver makes a new one for each session and removes it.
import { join } from 'node:path';
import { hasDebian, missingPackages, unpackInto, unpackedVersions, writeWrapper } from './debian.mjs';
import { prefix } from './prefix.mjs';
import { SetupError, capture, which } from './run.mjs';

const PACKAGES = ['chromium', 'chromium-driver'];
// Programs, pictures and fonts for a desktop: a page that is never looked at needs none of them.
const isUseless = (name) => /^(xdg|x11)-utils$|-icon-theme$|^(libgtk-3|librsvg2)-common$|^fonts-/.test(name);
const NEXT = 'put a Chromium or Chrome and the chromedriver of the same version on PATH';

const folder = () => join(prefix(), 'debian', 'chromium');

let found;

/** `{browser, driver, version}` of a pair that answers with one major version, or null. */
export function findChromium() {
  if (found) return found;
  for (const { browser, driver } of candidates()) {
    const [version, ofDriver] = [browser, driver].map((program) => capture(program, ['--version'], { timeoutMs: 20_000 }).stdout.match(/ (\d+)\.[\d.]+/));
    if (version && version[1] === ofDriver?.[1]) {
      found = { browser, driver, version: version[0].trim() };
      return found;
    }
  }
  return null;
}

function* candidates() {
  const driver = which('chromedriver');
  for (const name of driver ? ['chromium', 'google-chrome', 'google-chrome-stable', 'chromium-browser'] : []) {
    const browser = which(name);
    if (browser) yield { browser, driver };
  }
  if (unpackedVersions(folder())) yield { browser: join(folder(), 'bin/chromium'), driver: join(folder(), 'bin/chromedriver') };
}

/** What a WebDriver session asks for: no window, and nothing of the network but the page. */
export function capabilities({ browser }) {
  const args = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];
  return { 'goog:chromeOptions': { binary: browser, args } };
}

/** Throws in CI when there is no browser, where nothing may be left out; elsewhere says what is left out and gives null. */
export function chromiumOrNote() {
  const pair = findChromium();
  if (!pair && process.env.CI) throw new SetupError('no Chromium with its chromedriver here', NEXT);
  if (!pair) console.log(`  note  no Chromium with its chromedriver here: what runs in a browser is left out; to have it, ${NEXT}`);
  return pair;
}

export const chromiumPart = {
  name: 'chromium',
  title: 'Chromium and chromedriver for the tests in a browser',
  found: () => (findChromium() ? `${findChromium().browser} (${findChromium().version})` : null),
  plan() {
    if (!hasDebian()) return { cannot: `no apt-get here to fetch it with; ${NEXT}` };
    const packages = missingPackages(PACKAGES, isUseless);
    return { what: `Debian's ${PACKAGES.join(', ')} and what they need`, bytes: packages?.reduce((sum, one) => sum + one.bytes, 0), where: folder() };
  },
  async install() {
    await unpackInto(folder(), PACKAGES, {
      isUseless,
      finish(staging) {
        // Not the package's own `usr/bin/chromium`: a script that looks for the browser in the system.
        writeWrapper(staging, 'chromium', 'usr/lib/chromium/chromium', folder());
        writeWrapper(staging, 'chromedriver', 'usr/bin/chromedriver', folder());
      },
    });
    if (!findChromium()) throw new SetupError(`the Chromium unpacked in ${folder()} does not start`, NEXT);
  },
};
