// What an answer claims about files that the server cannot read or does not inspect is so, as in claims.test.mjs.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { served } from './claims.mjs';
import { build } from './servers.mjs';

describe('files that are not read', () => {
  test('a nested repository that a check names is said to be omitted', async (t) => {
    const { folder, text, write } = await served(t, { 'a.js': 'let a;\n' });
    mkdirSync(join(folder, 'vend/src'), { recursive: true });
    execFileSync('git', ['init', '-q', join(folder, 'vend')]);
    write('vend/src/b.js', 'let b;\n');
    const sentence = 'The nested repository vend is omitted from checks and snapshots, except files that you name.';
    for (const mode of ['quick', 'impact', 'patterns', 'docs', 'all'])
      for (const name of ['vend', 'vend/src']) {
        const answer = await text('check', { mode, files: [name] });
        assert.ok(answer.includes(sentence) && !answer.includes('Pass files'), answer);
      }
    assert.ok((await text('check', { mode: 'quick', files: ['.'] })).includes(sentence));
    assert.doesNotMatch(await text('check', { mode: 'quick', files: ['vend/src/b.js'] }), /nested/);
  });

  test('files that cannot be read are not called deleted', async (t) => {
    const { text, json, write, lock, unlock } = await served(t, { 'a.txt': 'a\n', 'b.txt': 'b\n', 'locked/in/c.txt': 'c\n' });
    const [id] = /snap_[0-9a-f]{10}/.exec(await text('snapshot_create', { paths: ['.'] }));
    await text('snap', { mode: 'start', task: 'x' });
    write('a.txt', 'changed\n');
    lock('b.txt');
    lock('locked');
    const sentence = '2 files cannot be read, and were not compared, such as b.txt.';
    const diff = await text('snap_fix', { action: 'diff', id });
    assert.ok(diff.includes(`Diff: +0 added, -0 removed, ~1 changed. ~a.txt ${sentence}`), diff);
    const { changes, skipped } = await json('snapshot_changes', { snapshot_id: id });
    assert.deepEqual(changes, [{ path: 'a.txt', status: 'modified' }]);
    assert.equal(skipped.unreadable, 2, 'an unreadable folder counts once');
    const stats = await json('snapback_session', { op: 'stats' });
    assert.equal(stats.data.changed_files, 1);
    assert.ok((await text('snapback_session', { op: 'stats' })).includes(sentence));
    const ended = await text('snap_end');
    assert.ok(ended.includes('files:1F') && ended.includes(sentence), ended);
    unlock('b.txt');
    unlock('locked');
  });

  test('a file that could not be captured is not called added', async (t) => {
    const { text, lock } = await served(t, { 'a.txt': 'a\n', 'b.txt': 'b\n' });
    lock('b.txt');
    const [id] = /snap_[0-9a-f]{10}/.exec(await text('snap', { mode: 'start', task: 'x' }));
    const diff = await text('snap_fix', { action: 'diff', id });
    assert.ok(diff.includes('Diff: +0 added, -0 removed, ~0 changed. 1 file cannot be read, and was not compared: b.txt.'), diff);
  });

  test('a repository in which the server may not write is named as such', async (t) => {
    const { folder, text, unlock } = await served(t, { 'a.txt': 'a\n' });
    chmodSync(join(folder, '.git'), 0o555);
    const sentence = `The server stores snapshots and leases in ${folder}/.git, where it may not write: Permission denied.`;
    const advice = 'Ask the user to let the server write there.';
    assert.equal(await text('snapshot_create', { paths: ['.'] }), `PERMISSION_DENIED: ${sentence}\nhint: ${advice}`);
    assert.ok((await text('snapback_snapshot_create')).startsWith(`PERMISSION_DENIED: ${sentence} ${advice}`));
    assert.ok((await text('snap', { mode: 'start', task: 'x' })).endsWith(`Error: ${sentence} ${advice}`));
    unlock('.git');
  });

  test('a proposed snapshot names no file that cannot be read', async (t) => {
    const { text, json, write, lock } = await served(t, { 'a.txt': 'a\n' });
    write('b.txt', 'b\n');
    write('c.txt', 'c\n');
    lock('b.txt');
    const { data, next_actions: actions } = await json('snapback_prepare_workspace');
    assert.equal(data.snapshotAdvice.reason, '1 of 2 files is neither committed nor in a snapshot, such as c.txt. Not readable, so omitted from snapshots: b.txt.');
    assert.deepEqual(data.snapshotAdvice.suggestedFiles, ['c.txt']);
    const { tool, args } = actions.find((one) => one.tool === 'snapback_snapshot_create');
    assert.deepEqual(args.files, ['c.txt']);
    assert.match(await text(tool, args), /^Snapshot snap_[0-9a-f]{10} taken\./);
    const rest = await json('snapback_prepare_workspace');
    assert.ok(!rest.next_actions.some((one) => one.tool === 'snapback_snapshot_create'));
    assert.match(await text('snap', { mode: 'start', task: 'x' }), /Not readable, so omitted from snapshots: b\.txt\.$/);
  });

  test('the share of protected files and their number agree', async (t) => {
    const { folder, json, text, write } = await served(t, { 'a.txt': 'a\n' });
    write('b.txt', 'b\n');
    await text('snapback_snapshot_create', { files: ['b.txt'] });
    write('c.txt', 'c\n');
    execFileSync('git', ['init', '-q', join(folder, 'nested')]);
    write('nested/n.txt', 'n\n');
    const { data } = await json('snapback_prepare_workspace', { files: ['nested/n.txt'] });
    assert.equal(data.protectionScore, 33);
    assert.match(data.snapshotAdvice.reason, /^2 of 3 files and nested repositories are neither committed nor in a snapshot, such as c\.txt\./);
  });

  test('a damaged lock file or installed package is reported', async (t) => {
    const manifest = { 'package.json': '{"dependencies":{"zod":"^3.0.0"}}' };
    for (const [path, content, place] of [
      ['yarn.lock', 'zod@^3.0.0:\n  version "3.0.0\n', 'yarn.lock:2:3: '],
      ['yarn.lock', '<<<<<<< ours\nzod@^3.0.0:\n  version "3.0.0"\n', 'yarn.lock:1:1: '],
      ['pnpm-lock.yaml', "lockfileVersion: '9.0\npackages: {\n", 'pnpm-lock.yaml:'],
      ['node_modules/zod/package.json', '{"version": "3.0.0"', 'node_modules/zod/package.json:1:'],
    ]) {
      const { text } = await served(t, { ...manifest, [path]: content });
      const answer = await text('snapback_analyze', { type: 'package' });
      assert.ok(answer.includes(`Not understood: ${place}`), answer);
      assert.doesNotMatch(answer, /does not name it|no licence/);
    }
  });

  test('after a folder without a manifest, one with a manifest is proposed', async (t) => {
    const { folder, json, text } = await served(t, { 'src/a.txt': 'a\n', 'web/package.json': '{"dependencies":{}}' });
    for (const args of [{}, { folder: 'src' }, { folder: 'src', package: 'zod', version: '^3.0.0' }]) {
      const { error, next_actions: actions } = await json('snapback_analyze', { type: 'package', ...args });
      assert.match(error.message, /manifests elsewhere, such as web\/package\.json/);
      assert.deepEqual(actions[0].args, { ...args, folder: 'web', type: 'package' });
      assert.match(await text(actions[0].tool, actions[0].args), /1 manifest/);
    }
    rmSync(join(folder, 'web/package.json'));
    symlinkSync(join(build, 'build.ninja'), join(folder, 'web/package.json'));
    const none = await json('snapback_analyze', { type: 'package' });
    assert.doesNotMatch(none.error.message, /elsewhere/);
    assert.ok(!none.next_actions?.some((one) => one.tool === 'snapback_analyze'));
    const { error } = await json('snapback_analyze', { type: 'package', folder: 'web' });
    assert.equal(error.message, 'web/package.json may not be read: the system denies it, or a symlink leads outside the workspace.');
    assert.equal(error.hint, 'Ask the user to correct the manifest, or pass the folder of another one.');
  });
});
