// The facade names only ways to undo that exist in the server's profile and tier, and its errors propose calls that
// help.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, test } from 'node:test';

import { facadeTools } from './facade.mjs';
import { connect, openings } from './sdks.mjs';
import { repository, snapgen } from './servers.mjs';
import { sharedServer } from './shared_server.mjs';

const files = { 'a.txt': 'a\n', 'src/b.ts': 'export const b = 1;\n' };
const command_line = '`snap snapshot restore` on the command line';

const serverWith = (profile, tier) => sharedServer(openings[0], { args: ['--profile', profile], env: { ...process.env, SNAPBACK_TIER: tier } });
const servers = new Map(['full', 'facade'].flatMap((profile) => ['free', 'pro'].map((tier) => [`${profile} ${tier}`, serverWith(profile, tier)])));

// Creates a repository for a server with this profile and tier. `call` returns the whole envelope, also of errors.
async function served(t, profile, tier) {
  const server = servers.get(`${profile} ${tier}`);
  const folder = server.repository(t, files);
  const { call: raw } = await server.connection(folder);
  const call = async (name, args = {}) => JSON.parse((await raw(name, args)).content[0].text);
  return { raw, call, folder };
}
const proposed = (envelope) => (envelope.next_actions ?? []).map(({ tool, args }) => [tool, args]);

describe('the way to undo', () => {
  for (const [profile, tier, restorer] of [
    ['full', 'pro', 'snapback_snapshot_restore'], ['full', 'free', 'snap_fix'], ['facade', 'pro', 'snapback_snapshot_restore'],
    ['facade', 'free', command_line],
  ])
    test(`is ${restorer} with the profile ${profile} in the tier ${tier}`, async (t) => {
      const { raw, call } = await served(t, profile, tier);
      assert.equal((await call('snapback_meta')).data.restore, restorer);
      const advice = (await call('snapback_prepare_workspace')).next_actions.find((one) => one.tool === 'snapback_session');
      assert.ok(advice.reason.includes(` ${restorer} `), advice.reason);
      const begun = await raw('snapback_session', { op: 'start', task: 'work' });
      const { data, next_actions: actions } = begun.structuredContent;
      assert.equal(data.restore, restorer);
      assert.ok(begun.content[1].text.includes(` ${restorer} `), begun.content[1].text);
      const back = actions.find((one) => one.condition === 'if the work must be undone');
      assert.equal(back?.tool, restorer === command_line ? undefined : restorer);
      if (back) assert.ok(!(await raw(back.tool, back.args)).isError, 'the proposal can be called');
    });

  test('is named in the error of a tool that needs a higher tier', async (t) => {
    const hint = async (server, name, args) => (await server.call(name, args)).error.hint;
    const full = await served(t, 'full', 'free');
    assert.match(await hint(full, 'snapback_snapshot_restore', { snapshot_id: 'snap_0000000000' }),
      /\bfree, snap_fix restores\b.*"tier": "pro"/);
    assert.match(await hint(full, 'snapback_snapshot_list'), /\bfree, snap_fix lists\b/);
    const facade = await served(t, 'facade', 'free');
    assert.match(await hint(facade, 'snapback_snapshot_restore', { snapshot_id: 'snap_0000000000' }), /\bfree, `snap snapshot restore` on the command line restores\b/);
    assert.match(await hint(facade, 'snapback_snapshot_list'), /\bfree, `snap snapshot list` on the command line lists\b/);
    assert.match(await hint(facade, 'snapback_snapshot_create'), /\bfree, snapback_session with op start takes\b/);
  });
});

test('meta calls no bridge tool available without a browser', async (t) => {
  const { raw } = await served(t, 'full', 'pro');
  const { structuredContent: { data: { tools } }, content } = await raw('snapback_meta', {});
  const bridge = tools.filter((one) => one.family === 'bridge');
  assert.ok(bridge.length > 0 && bridge.every((one) => !one.available));
  assert.ok(tools.filter((one) => one.family === 'substrate').every((one) => one.available));
  assert.match(content.at(-1).text, /The bridge tools need a server that was started with --ws\.$/);
});

describe('errors of the facade propose', () => {
  test('the equivalent tool of the tier', async (t) => {
    const { call } = await served(t, 'full', 'free');
    const meta = ['snapback_meta', {}];
    const list = ['snap_fix', { action: 'list' }];
    assert.deepEqual(proposed(await call('snapback_snapshot_list')), [list, meta]);
    assert.deepEqual(proposed(await call('snapback_snapshot_restore', { snapshot_id: 'snap_0000000000' })), [list, meta],
      'this snapshot may not exist');
    assert.deepEqual(proposed(await call('snapback_snapshot_create')), [['snapshot_create', { paths: ['.'] }], meta]);
    const facade = await served(t, 'facade', 'free');
    assert.deepEqual(proposed(await facade.call('snapback_snapshot_create')), [['snapback_session', { op: 'start', task: `work on ${basename(facade.folder)}` }], meta]);
  });

  test('the call that helps', async (t) => {
    const { folder, call } = await served(t, 'facade', 'pro');
    const start = [['snapback_session', { op: 'start', task: `work on ${basename(folder)}` }]];
    for (const op of ['stats', 'end']) {
      const failure = await call('snapback_session', { op });
      assert.deepEqual([failure.error.message, failure.error.hint], ['There is no open task.', 'Start one with op start.']);
      assert.deepEqual(proposed(failure), start);
    }
    assert.deepEqual(proposed(await call('snapback_session', { op: 'end', task_id: 'task_aaaaaaaa' })), start);
    await call('snapback_session', { op: 'start', task: 'work' });
    const other = await call('snapback_session', { op: 'end', task_id: 'task_aaaaaaaa' });
    assert.equal(other.error.hint, 'Omit task_id to use the task that began last.');
    assert.deepEqual(proposed(other), [['snapback_session', { op: 'stats' }]]);

    const missing = await call('snapback_context', { op: 'build' });
    assert.equal(missing.error.hint, 'Create it with op init of snapback_context.');
    assert.deepEqual(proposed(missing), [['snapback_context', { op: 'init' }]]);
    mkdirSync(join(folder, '.snapback/ctx'), { recursive: true });
    writeFileSync(join(folder, '.snapback/ctx/context.json'), JSON.stringify({ version: 1, constraints: { bundle: { size: { max: 1 } } } }));
    const status = [['snapback_context', { op: 'status' }]];
    assert.deepEqual(proposed(await call('snapback_context', { op: 'constraint', domain: 'bundle', name: 'weight' })), status);
    assert.deepEqual(proposed(await call('snapback_context', { op: 'check', domain: 'bundle', name: 'size' })), status);
    assert.deepEqual(proposed(await call('snapback_context', { op: 'status', workspaceRoot: '/etc' })), status);

    assert.deepEqual(proposed(await call('snapback_validate', { file_path: 'absent.ts' })), [['snapback_validate', { mode: 'quick' }]]);
    assert.deepEqual(proposed(await call('snapback_snapshot_create', { files: ['absent.ts'] })), [['snapback_snapshot_create', {}]]);
    assert.deepEqual(proposed(await call('snapback_snapshot_restore', { snapshot_id: 'rubbish' })), [['snapback_snapshot_list', {}]]);
    assert.deepEqual(proposed(await call('snapback_meta', { family: 'facad' })), [['snapback_meta', {}]]);

    const { data: { alias } } = await call('snapback_snapshot_create', {});
    writeFileSync(join(folder, 'a.txt'), 'changed\n');
    const form = await call('snapback_snapshot_restore', { snapshot_id: alias, confirm: true });
    assert.equal(form.error.code, 'UNSUPPORTED');
    assert.deepEqual(proposed(form), [['snapback_snapshot_restore', { dry_run: true, snapshot_id: alias }]]);
  });

  test('the same call after the rate limit', async (t) => {
    // A separate server, because the calls of other tests would be rejected, too.
    const { call: raw } = await facadeTools(t, openings[0], repository(t, files));
    const call = async (name, args) => JSON.parse((await raw(name, args)).content[0].text);
    const args = { snapshot_id: 'snap_0000000000' };
    let failure = await call('snapback_snapshot_restore', args);
    while (failure.error.code === 'NOT_FOUND') failure = await call('snapback_snapshot_restore', args);
    assert.equal(failure.error.code, 'RATE_LIMITED');
    assert.deepEqual(failure.next_actions.map(({ tool, args: again, condition }) => [tool, again, condition]),
      [['snapback_snapshot_restore', args, 'after retry_after_ms']]);
  });
});

test('a rejected restore says what the tool can do', async (t) => {
  const folder = repository(t, files);
  mkdirSync(join(folder, '.snapback'));
  writeFileSync(join(folder, '.snapback/config.json'), JSON.stringify({ tier: 'free', writes: { deny: ['a.txt'] } }));
  const answer = async (tier, name, args) => {
    const { call } = await connect(t, openings[0], { ...snapgen(folder), env: { ...process.env, SNAPBACK_TIER: tier } });
    return (await call(name, args)).content[0].text;
  };
  const id = /"snapshot_id":"([^"]+)"/.exec(await answer('free', 'snapshot_create', { paths: ['.'] }))[1];
  writeFileSync(join(folder, 'a.txt'), 'changed\n');
  assert.match(await answer('free', 'snap_fix', { action: 'restore', id }),
    /To restore only some files, pass them as paths\.$/);
  assert.doesNotMatch(await answer('free', 'snap_fix', { action: 'restore', id, paths: ['a.txt'] }), /pass them as paths/);
  const { error } = JSON.parse(await answer('pro', 'snapback_snapshot_restore', { snapshot_id: id }));
  assert.match(error.hint, /\blist them in files\b.*\bask the user\b/);
});

test('an error suggests the intended base of a diff', async (t) => {
  const { call } = await served(t, 'full', 'pro');
  const message = async (against) => (await call('snapshot_diff', { against })).error.message;
  assert.match(await message('HEAD'), /^against is "HEAD".* Did you mean "head"\?$/);
  const unlike = await message('main');
  assert.match(unlike, /^against is "main"/);
  assert.doesNotMatch(unlike, /Did you mean/);
});
