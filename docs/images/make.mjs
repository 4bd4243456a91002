// Takes the pictures of docs/bridge.md: a host builds a script in Snap!, with the built extension in Chromium.
//
//   node docs/images/make.mjs SNAP
//
// SNAP is a folder with the sources of Snap! (https://github.com/jmoenig/Snap), which are not part of this project. Needs
// ./dev build and npm ci in tests/clients.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Host } from '../../tests/clients/bridge_host.mjs';
import { pairByPopup, setServer, snapUrl, startChromium } from '../../tests/clients/extension_browser.mjs';
import { remove } from '../../tests/clients/servers.mjs';

const here = import.meta.dirname;
const [snap] = process.argv.slice(2);
if (!snap) {
  console.error('usage: node docs/images/make.mjs SNAP');
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'snapgen-images-'));
const ends = [];
const host = await Host.start({ after: (end) => ends.push(end) });
const browser = await startChromium(folder, { snap, colorScheme: 'light', viewport: { width: 960, height: 540 } });
ends.push(() => browser.context.close());
try {
  const pairing = await host.succeed('pair');
  const page = await browser.context.newPage();
  await page.goto(`${snapUrl}snap.html`);
  await page.waitForFunction(() => globalThis.world?.children[0]?.currentSprite);
  await page.evaluate(() => { world.children[0].setProjectName('Jump'); });

  await setServer(browser, pairing.url);
  const popup = await browser.context.newPage();
  await popup.goto(browser.address('popup.html'));
  await popup.locator('#state[data-state=waiting]').waitFor();
  await popup.fill('#code', 'ABC-234');
  await popup.locator('main').screenshot({ path: join(here, 'popup_code.png') });
  await popup.close();

  const connected = await pairByPopup(browser, pairing);
  await connected.getByText('Connected to the project “Jump”.').waitFor();
  await connected.locator('main').screenshot({ path: join(here, 'popup_connected.png') });

  await page.bringToFront();
  await host.succeed('create_blocks', {
    scripts: [{
      position: { x: 40, y: 40 },
      blocks: [
        { block_id: 'key', opcode: 'receiveKey', inputs: { KEY: 'space' }, next: 'up' }, { block_id: 'up', opcode: 'changeYBy', inputs: { DY: 50 }, next: 'wait' },
        { block_id: 'wait', opcode: 'doWait', inputs: { DURATION: 0.3 }, next: 'down' }, { block_id: 'down', opcode: 'changeYBy', inputs: { DY: -50 }, next: null },
      ],
    }],
    visual_feedback: { highlight_duration_ms: 60_000 },
  });
  // Snap! draws a change in one of the next frames.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.screenshot({ path: join(here, 'script.png') });
} finally {
  for (const end of ends.reverse()) await end();
  remove(folder);
}
