// All components in a real browser: host, snapgen-server --stdio --ws, WebSocket, the extension's worker, its content
// scripts, and a page with Snap!'s objects.
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';

import { Host } from './bridge_host.mjs';
import { pairByPopup, snapUrl, startChromium } from './extension_browser.mjs';
import { remove } from './servers.mjs';
import { program } from './tabs.mjs';

describe('the extension', { skip: program ? false : 'there is no Chromium on this machine' }, () => {
  let folder;
  let browser;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'snapgen-extension-'));
    browser = await startChromium(folder);
  });
  after(async () => {
    await browser?.context.close();
    remove(folder);
  });

  // Opens a host, a page, and the extension, which its popup connects.
  async function connected(t, { permissions, boots = async () => {}, url = snapUrl } = {}) {
    const host = await Host.start(t);
    const pairing = await host.succeed('pair', permissions ? { permissions } : {});
    const page = await browser.context.newPage();
    await page.goto(url);
    const popup = await pairByPopup(browser, pairing);
    t.after(async () => {
      await popup.close();
      await page.close();
    });
    await boots(page, popup);
    await popup.getByText('Connected to the project “Jump”.').waitFor({ timeout: 60_000 });
    return { host, pairing, page, popup };
  }
  // The page of an earlier test may still be closing.
  const ready = (host) => host.succeed('read_project', { retry_on_failure: true });
  const scripts = (page) => page.evaluate(() => world.children[0].currentSprite.scripts.children.map((top) => {
    const out = [];
    for (let block = top; block; block = block.nextBlock()) out.push([block.selector, ...block.inputs().map((each) => each.contents ?? null)]);
    return { x: (top.position.x - 100) / 1.5, y: (top.position.y - 40) / 1.5, blocks: out, halo: Boolean(top.halo) };
  }));

  const jump = [
    { block_id: 'block_001', opcode: 'receiveKey', category: 'events', inputs: { KEY: 'space' }, is_hat_block: true, next: 'block_002' },
    { block_id: 'block_002', opcode: 'changeYBy', category: 'motion', inputs: { DY: 50 }, next: 'block_003' },
    { block_id: 'block_003', opcode: 'doWait', category: 'control', inputs: { DURATION: 0.3 }, next: 'block_004' },
    { block_id: 'block_004', opcode: 'changeYBy', category: 'motion', inputs: { DY: -50 }, next: null },
  ];

  test("executes the host's commands in the page, and returns their results", async (t) => {
    const { host, page } = await connected(t);
    const { payload: { project } } = await ready(host);
    assert.deepEqual([project.name, project.sprites.map((each) => each.name), project.global_variables], ['Jump', ['Sprite', 'Cat'], ['score', 'level']]);
    assert.match((await host.succeed('status')).browsers[0].client_info.browser, /Chrom/);

    const created = await host.succeed('create_blocks', {
      target_sprite: 'Sprite', scripts: [{ script_id: 'script_001', position: { x: 50, y: 50 }, blocks: jump }],
      visual_feedback: { highlight_duration_ms: 60_000, show_explanation: true, explanation_text: 'The sprite jumps.' },
    });
    assert.deepEqual(created.payload.created_block_ids, jump.map((each) => each.block_id));
    assert.deepEqual(created.payload.sprite_info, { name: 'Sprite', position: { x: 0, y: 0 }, total_scripts: 1 });
    assert.deepEqual(await scripts(page), [{ x: 50, y: 50, halo: true, blocks: [['receiveKey', ['space'], null], ['changeYPosition', 50], ['doWait', 0.3], ['changeYPosition', -50]] }]);
    assert.equal(await page.evaluate(() => world.children[0].message), 'The sprite jumps.');

    const found = await host.succeed('inspect_state', { query: { type: 'blocks_at_position', sprite: 'Sprite', x: 50, y: 50, radius: 100 } });
    assert.deepEqual(found.payload.blocks_found, [{ block_id: 'block_001', opcode: 'receiveKey', position: { x: 50, y: 50 }, connected_blocks: 3 }]);
    await host.succeed('highlight_blocks', { block_ids: ['block_002'], show_tooltip: { text: 'Up!' } });
    assert.equal(await page.evaluate(() => world.children[0].currentSprite.scripts.children[0].nextBlock().bubble), 'Up!');
    assert.equal((await host.succeed('delete_blocks', { target_sprite: 'Sprite', selection: { type: 'by_id', block_ids: ['block_003'] } })).payload.blocks_deleted, 1);
    assert.deepEqual((await scripts(page))[0].blocks.map(([selector]) => selector), ['receiveKey', 'changeYPosition', 'changeYPosition']);
  });

  test('waits until Snap! has booted', async (t) => {
    const { host } = await connected(t, {
      url: `${snapUrl}?late`,
      boots: async (page, popup) => {
        await popup.getByText('No Snap! page is open').waitFor({ timeout: 60_000 });
        await page.evaluate(() => { window.boot(); });
      },
    });
    assert.equal((await ready(host)).payload.project.name, 'Jump');
  });

  test('defines blocks and exports the project', async (t) => {
    const { host } = await connected(t);
    await ready(host);
    const { payload } = await host.succeed('create_custom_block', {
      block_name: 'jump with sound', category: 'motion', parameters: [{ name: 'height', type: 'number', default: 50 }, { name: 'sound', type: 'sound', default: 'boing' }],
      definition: { blocks: [{ opcode: 'doPlaySound', inputs: { SOUND: '%sound' } }, { opcode: 'changeYBy', inputs: { DY: { operation: 'multiply', operands: ['%height', -1] } } }] },
    });
    assert.deepEqual([payload.category, payload.parameters], ['motion', ['height', 'sound']]);
    const { payload: plain } = await host.succeed('export_project', {});
    assert.match(plain.project_data, /^<project.*jump with sound/);
    assert.equal(plain.size_bytes, Buffer.byteLength(plain.project_data));
    const { payload: packed } = await host.succeed('export_project', { compress: true });
    assert.equal(gunzipSync(Buffer.from(packed.project_data, 'base64')).toString(), plain.project_data);
    assert.equal((await host.fail('export_project', { format: 'json' })).code, 'INVALID_BLOCK_SPEC');
  });

  test('reports errors, and leaves the project unchanged', async (t) => {
    const { host, page } = await connected(t);
    await ready(host);
    const unicorn = await host.fail('create_blocks', { target_sprite: 'Unicorn', scripts: [{ blocks: jump }] });
    assert.deepEqual([unicorn.code, unicorn.details.available_sprites], ['SPRITE_NOT_FOUND', ['Stage', 'Sprite', 'Cat']]);
    for (const blocks of [
      [jump[0], { ...jump[1], opcode: 'flyAway', next: null }], [{ ...jump[0], next: 'nowhere' }], [jump[2], { ...jump[0], block_id: 'block_004', next: null }],
      [{ ...jump[1], inputs: { DX: 1 }, next: null }],
    ]) assert.equal((await host.fail('create_blocks', { scripts: [{ blocks: [{ ...jump[3], block_id: 'good' }] }, { blocks }] })).code, 'INVALID_BLOCK_SPEC');
    assert.deepEqual(await scripts(page), []);
    assert.equal((await host.fail('highlight_blocks', { block_ids: ['gone'] })).code, 'INVALID_BLOCK_SPEC');
  });

  test('rolls back a failed batch', async (t) => {
    const { host, page } = await connected(t);
    await ready(host);
    const commands = [
      { command: 'create_blocks', payload: { scripts: [{ blocks: jump }] } }, { command: 'highlight_blocks', payload: { block_ids: ['gone'] } },
    ];
    const { payload } = await host.succeed('batch', { commands, rollback_on_error: true });
    assert.deepEqual([payload.results.map((each) => each.status), payload.rolled_back], [['success', 'error'], true]);
    assert.deepEqual(await scripts(page), []);
    assert.equal((await host.succeed('batch', { commands })).payload.results[0].status, 'success');
    assert.equal((await scripts(page)).length, 1);
  });

  test('runs JavaScript only with permission, and asks for confirmation on request', async (t) => {
    const { host, page } = await connected(t, { permissions: ['execute_scripts', 'read_project'] });
    await ready(host);
    assert.deepEqual((await host.succeed('execute_script', { javascript_code: 'sprite.gotoXY(3, 4); return [sprite.xPosition(), ide.getProjectName()];' })).payload.result, [3, 'Jump']);
    assert.equal((await host.fail('execute_script', { javascript_code: 'nothing.there' })).code, 'JAVASCRIPT_ERROR');
    assert.equal((await host.fail('delete_blocks', { selection: { type: 'all_scripts' } })).code, 'PERMISSION_DENIED');
    for (const [accepted, method] of [[false, 'dismiss'], [true, 'accept']]) {
      page.once('dialog', (dialog) => dialog[method]());
      const answer = await host.call('execute_script', { javascript_code: '1 + 1', require_confirmation: true });
      assert.equal(accepted ? answer.payload.result : answer.error.code, accepted ? 2 : 'NOT_CONFIRMED');
    }
  });

  test('notifies the host of events in the page', async (t) => {
    const { host, page } = await connected(t);
    await ready(host);
    await host.succeed('create_blocks', { scripts: [{ blocks: jump }] });
    const { next_cursor: cursor } = (await host.succeed('status')).events;
    await page.evaluate(() => world.children[0].currentSprite.scripts.children[0].mouseClickLeft());
    await page.evaluate(() => new Process().handleError(new Error('out of cake')));
    const { events } = await host.succeed('events', { cursor, types: ['error_occurred'], wait_ms: 30_000 });
    assert.deepEqual(events[0].payload, { message: 'out of cake' });
    const all = (await host.succeed('events', { cursor })).events;
    assert.deepEqual(all.find((each) => each.event_type === 'user_action')?.payload, { action: 'block_clicked', block_id: 'block_001', opcode: 'receiveKey' });
    assert.ok(all.some((each) => each.event_type === 'block_executed'));
  });

  test('reports a page without Snap!; the bridge\'s page is updated within its content security policy', async (t) => {
    const { host, page, pairing, popup } = await connected(t);
    await page.goto('about:blank');
    await popup.getByText('No Snap! page is open').waitFor({ timeout: 30_000 });
    assert.equal((await host.fail('read_project')).code, 'SNAP_NOT_LOADED');
    const complaints = [];
    const status = await browser.context.newPage();
    t.after(() => status.close());
    status.on('console', (message) => { if (['error', 'warning'].includes(message.type()) && !message.text().includes('favicon')) complaints.push(message.text()); });
    status.on('pageerror', (error) => complaints.push(error.message));
    await status.goto(pairing.url.replace('ws:', 'http:'));
    await status.getByText('One browser is connected.').waitFor({ timeout: 30_000 });
    await status.locator('#commands').getByText('SNAP_NOT_LOADED').first().waitFor({ timeout: 30_000 });
    await host.succeed('pair');
    await status.locator('#pairings').getByText('the host').waitFor({ timeout: 30_000 });
    await status.goto(`${pairing.url.replace('ws:', 'http:')}new-token`);
    await status.getByRole('button').click();
    await status.locator('#asked').waitFor({ timeout: 30_000 });
    const { pairings } = await host.succeed('status');
    assert.deepEqual(pairings.map((each) => each.asked_for), [false, true]);
    assert.ok(!(await status.content()).includes(pairings[1].code));
    await popup.click('#leave');
    await popup.locator('#state[data-state=waiting]').waitFor({ timeout: 30_000 });
    assert.deepEqual((await host.succeed('status')).browsers, []);
    assert.deepEqual(complaints.filter((each) => !/favicon|404/.test(each)), []);
  });
});
