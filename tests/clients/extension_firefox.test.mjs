// The built extension in Firefox: a site that the user adds, pairing by code, commands, and disconnecting.
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { Host } from './bridge_host.mjs';
import { buildExtension, snapFile } from './extension_browser.mjs';
import { Firefox, firefox } from './firefox.mjs';
import { remove } from './servers.mjs';

const folder = mkdtempSync(join(tmpdir(), 'snapgen-extension-firefox-'));
after(() => remove(folder));
// Firefox gives each installation a random address, unless the profile has one.
const installed = '6f1b0e5e-6a3c-4f0e-9d0a-2f6d3c1b7a55';
const preferences = {
  'extensions.webextensions.uuids': JSON.stringify({ 'bridge@snapgen': installed }),
  'extensions.webextOptionalPermissionPrompts': false,
};

async function serveStandIn(t) {
  const server = http.createServer((request, answer) => {
    const found = snapFile(join(import.meta.dirname, 'stand_in'), request.url.slice(1));
    answer.writeHead(found ? 200 : 404, { 'Content-Type': found?.contentType ?? 'text/plain' }).end(found?.body);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  t.after(() => server.close());
  return `http://127.0.0.1:${server.address().port}/`;
}

test('the extension works in Firefox', { skip: firefox ? false : 'there is no Firefox on this machine' }, async (t) => {
  const [{ firefox: archive }, browser, host, address] = await Promise.all([
    buildExtension(folder), Firefox.start(join(folder, 'profile'), preferences), Host.start(t), serveStandIn(t),
  ]);
  t.after(() => browser.close());
  await browser.send('webExtension.install', { extensionData: { type: 'archivePath', path: archive } });
  const { url, code } = await host.succeed('pair');

  const options = await browser.open(`moz-extension://${installed}/options.html`);
  const registered = () => options.evaluate(async () => (await chrome.scripting.getRegisteredContentScripts()).length);
  await options.fill('#url', url);
  await options.click('#server button');
  await options.reads('#server-state', 'Saved.');
  await options.fill('#site', address);
  await options.click('#add button');
  await options.reads('#sites-state', 'Added http://127.0.0.1.');
  await options.reads('#sites', 'http://127.0.0.1');

  while (await registered() < 2);  // No event reports that the worker has registered the scripts.

  const page = await browser.open(address);
  const popup = await browser.open(`moz-extension://${installed}/popup.html`);
  await popup.reads('#state', 'Waiting for the code.');
  await popup.fill('#code', code);
  await popup.click('#pair button');
  await popup.reads('#state', 'Connected to the project “Jump”.');
  assert.match((await host.succeed('status')).browsers[0].client_info.browser, /^Firefox\/\d/);

  const blocks = [{ block_id: 'up', opcode: 'changeYBy', inputs: { DY: 50 } }];
  assert.deepEqual((await host.succeed('create_blocks', { scripts: [{ blocks }] })).payload.created_block_ids, ['up']);
  assert.equal(await page.evaluate(() => window.world.children[0].currentSprite.scripts.children[0].selector), 'changeYPosition');

  await popup.click('#leave');
  await popup.reads('#state', 'Waiting for the code.');
  assert.deepEqual((await host.succeed('status')).browsers, []);
  await options.evaluate(() => { document.querySelector('#sites button').click(); });
  while (await registered() > 0);
});
