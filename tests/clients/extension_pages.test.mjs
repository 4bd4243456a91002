// The popup and the options page of the extension, in a real browser: what a person reads in each state, and how the
// connection survives the end of the worker.
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

import { Host } from './bridge_host.mjs';
import { pairByPopup, setServer, snapUrl, startChromium } from './extension_browser.mjs';
import { remove } from './servers.mjs';
import { program } from './tabs.mjs';

describe('the pages of the extension', { skip: program ? false : 'there is no Chromium on this machine' }, () => {
  let folder;
  let browser;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'snapgen-extension-pages-'));
    browser = await startChromium(folder);
  });
  after(async () => {
    await browser?.context.close();
    remove(folder);
  });

  async function open(t, address) {
    const page = await browser.context.newPage();
    t.after(() => page.close());
    await page.goto(address);
    return page;
  }
  const state = (popup, name, words) => popup.locator(`#state[data-state=${name}]`).filter({ hasText: words }).waitFor();
  async function enter(popup, code) {
    await popup.fill('#code', code);
    await popup.click('#pair button');
  }

  test('the popup shows each state in a sentence, and disconnects', async (t) => {
    const host = await Host.start(t);
    const pairing = await host.succeed('pair');
    await setServer(browser, '1');
    const popup = await open(t, browser.address('popup.html'));
    await state(popup, 'idle', 'Not connected: no snapgen server answers at 127.0.0.1:1. Start your AI host, or set the address in the options.');
    await setServer(browser, pairing.url);
    await popup.reload();
    await state(popup, 'waiting', 'Waiting for the code.');
    assert.ok(await popup.locator('#leave').isHidden());
    await enter(popup, 'ZZZ-999');
    await state(popup, 'error', 'The server does not know this code. Check it, or ask your AI host for a new one.');
    await enter(popup, pairing.code);
    await state(popup, 'connected', 'No Snap! page is open: open Snap!, or reload its page.');
    assert.ok(await popup.locator('#pair').isHidden());
    assert.match(await popup.locator('#permissions').textContent(), /^Your AI host may .*read project/);
    await open(t, snapUrl);
    await state(popup, 'connected', 'Connected to the project “Jump”.');
    assert.equal(await popup.evaluate(() => chrome.action.getBadgeText({})), '✓');
    await popup.click('#leave');
    await state(popup, 'waiting', 'Waiting for the code.');
    assert.deepEqual((await host.succeed('status')).browsers, []);
    await enter(popup, pairing.code);
    await state(popup, 'error', 'This code was used before. Ask your AI host for a new one.');
  });

  test('the popup reports a server that has ended, and accepts the code of another one', async (t) => {
    const [first, second] = await Promise.all([Host.start(t), Host.start(t)]);
    const popup = await pairByPopup(browser, await first.succeed('pair'));
    t.after(() => popup.close());
    await state(popup, 'connected', 'Connected');
    await first.end();
    await state(popup, 'reconnecting', 'The connection broke. Reconnecting …');
    const { url, code } = await second.succeed('pair');
    await setServer(browser, url);
    await enter(popup, code);
    await state(popup, 'connected', 'Connected');
    assert.equal((await second.succeed('status')).browsers.length, 1);
  });

  test('a session continues in the next worker after the browser has ended one', async (t) => {
    const host = await Host.start(t);
    await open(t, snapUrl);
    const popup = await pairByPopup(browser, await host.succeed('pair'));
    t.after(() => popup.close());
    await state(popup, 'connected', 'Connected to the project “Jump”.');
    const [{ session_id: session }] = (await host.succeed('status')).browsers;
    const tools = await browser.context.newCDPSession(popup);
    await tools.send('ServiceWorker.enable');
    await tools.send('ServiceWorker.stopAllWorkers');
    await host.logged(' continues.');
    await state(popup, 'connected', 'Connected to the project “Jump”.');
    assert.equal((await host.succeed('status')).browsers[0].session_id, session);
    assert.equal((await host.succeed('read_project', { retry_on_failure: true })).payload.project.name, 'Jump');
  });

  test('the options page accepts an address as a person writes it, and reports one that is wrong', async (t) => {
    const page = await open(t, browser.address('options.html'));
    for (const [text, url] of [['8799', 'ws://127.0.0.1:8799/'], ['localhost:8800', 'ws://localhost:8800/'], ['wss://class.example.org/', 'wss://class.example.org/']]) {
      await page.fill('#url', text);
      await page.click('#server button');
      await page.getByText('Saved. The next connection uses this address.').waitFor();
      assert.equal(await page.inputValue('#url'), url);
      assert.deepEqual(await page.evaluate(() => chrome.storage.local.get('url')), { url });
    }
    await page.fill('#url', 'http://127.0.0.1:8765/');
    await page.click('#server button');
    await page.getByText('This is not an address. Write a port such as 8765').waitFor();
    assert.deepEqual(await page.locator('#sites li').allTextContents(), ['https://snap.berkeley.edu']);
    await page.fill('#site', 'file:///home/me/snap.html');
    await page.click('#add button');
    await page.getByText('This is not an address. Write one such as https://snap.example.org.').waitFor();
  });
});
