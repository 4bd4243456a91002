// What an answer claims about files that the server cannot read or does not inspect is so, as in claims.test.mjs.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { served } from './claims.mjs';

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
    assert.ok(skipped.unreadable >= 2);
    const stats = await json('snapback_session', { op: 'stats' });
    assert.equal(stats.data.changed_files, 1);
    assert.ok((await text('snapback_session', { op: 'stats' })).includes(sentence));
    const ended = await text('snap_end');
    assert.ok(ended.includes('files:1F') && ended.includes(sentence), ended);
    unlock('b.txt');
    unlock('locked');
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
});
