// The built extension in Chromium, for tests and for the pictures of the documentation.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { chromium } from 'playwright-core';

import { program } from './tabs.mjs';

const root = resolve(import.meta.dirname, '../..');
const build = resolve(process.env.SNAPGEN_BUILD ?? join(root, 'build'));
const run = promisify(execFile);

// Builds the archives in `folder`. Returns the path of Chromium's and of Firefox's.
export async function buildExtension(folder, ...options) {
  await run(process.execPath, [join(root, 'tools/bridge/extension/build.mjs'), folder, '--types', join(build, 'typescript'), '--version', '1.2.3', ...options]);
  return { archive: join(folder, 'snapgen-bridge-1.2.3.zip'), firefox: join(folder, 'snapgen-bridge-firefox-1.2.3.zip') };
}

const types = { '.html': 'text/html', '.js': 'text/javascript', '.svg': 'image/svg+xml', '.png': 'image/png', '.xml': 'text/xml', '.json': 'application/json' };
export const snapUrl = 'https://snap.berkeley.edu/snap/';

// Returns the response for a path below `snapUrl`, from a folder with Snap! or its stand-in.
export function snapFile(folder, path, late) {
  const file = join(folder, path || 'index.html');
  if (!existsSync(file)) return undefined;
  let body = readFileSync(file);
  // With ?late the page of the stand-in boots when the test calls boot().
  if (late) body = String(body).replace('snap.js', 'snap.js?late').replace('window.world = ', 'window.boot = () => window.world = ');
  return { contentType: types[extname(file)] ?? 'application/octet-stream', body };
}

// Starts Chromium with the extension. Requests to snap.berkeley.edu are answered with the files of `snap`, and no request
// leaves the machine. Returns the browser's context, and a function that returns the address of a page of the extension.
export async function startChromium(folder, { snap = join(import.meta.dirname, 'stand_in'), ...more } = {}) {
  const { archive } = await buildExtension(folder);
  const extension = join(folder, 'extension');
  await run('python3', ['-m', 'zipfile', '-e', archive, extension]);
  const context = await chromium.launchPersistentContext(join(folder, 'profile'), {
    executablePath: program, headless: true, ...more,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
      `--disable-extensions-except=${extension}`, `--load-extension=${extension}`],
  });
  await context.route(/^https:/, (route) => {
    const url = route.request().url();
    const { pathname, search } = new URL(url);
    const found = url.startsWith(snapUrl) && snapFile(snap, pathname.slice(new URL(snapUrl).pathname.length), search);
    return found ? route.fulfill(found) : route.fulfill({ status: 404 });
  });
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  return { context, address: (page) => new URL(page, worker.url()).href };
}

// Sets the address of the server on the options page.
export async function setServer({ context, address }, url) {
  const page = await context.newPage();
  await page.goto(address('options.html'));
  await page.fill('#url', url);
  await page.click('#server button');
  await page.getByText('Saved.').waitFor();
  await page.close();
}

// Opens the popup, and enters the code of a pairing.
export async function pairByPopup(browser, { url, code }) {
  await setServer(browser, url);
  const popup = await browser.context.newPage();
  await popup.goto(browser.address('popup.html'));
  await popup.fill('#code', code.toLowerCase());
  await popup.click('#pair button');
  return popup;
}
