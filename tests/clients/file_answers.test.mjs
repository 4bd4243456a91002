// Answers about reads, writes, restores and patches, and about files that are omitted or cannot be read.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { served } from './served.mjs';
import { build, diverge } from './servers.mjs';

describe('restores', () => {
  test('a file that no tool may change is named, with the command that the user can run', async (t) => {
    const { folder, text } = await served(t, { 'a.txt': 'a\n', '.mcp.json': '{}\n' });
    const [id] = /snap_[0-9a-f]{10}/.exec(await text('snapshot_create', { paths: ['.'] }));
    rmSync(join(folder, '.mcp.json'));
    const restored = await text('snap_fix', { action: 'restore', id });
    assert.match(restored, /\bRestored 0 files\b.*\b1 file\b.*\bsnap snapshot restore: \.mcp\.json\./);
  });

  test('a restore reports that staged changes remain in the index', async (t) => {
    const { text, write, git } = await served(t, { 'a.txt': 'a\n' });
    const [id] = /snap_[0-9a-f]{10}/.exec(await text('snapshot_create', { paths: ['.'] }));
    write('a.txt', 'b\n');
    git('add', 'a.txt');
    assert.match(await text('snap_fix', { action: 'restore', id }), /\bindex was not restored: 1 of these files\b/);
    assert.match(git('diff', '--cached'), /^\+b$/m);
  });

  test('a restore reports that a merge conflict, or the source of a staged rename, remains in the index', async (t) => {
    const { text, write, git } = await served(t, { 'a.txt': 'a\n', 'b.txt': 'b\n' });
    diverge({ git, write }, { 'a.txt': 'other\n' }, { 'a.txt': 'ours\n' });
    const [id] = /snap_[0-9a-f]{10}/.exec(await text('snapshot_create', { paths: ['.'] }));
    assert.throws(() => git('merge', 'other'));
    assert.match(await text('snap_fix', { action: 'restore', id }), /\bmerge conflict of a\.txt: `git add`/);
    git('merge', '--abort');
    git('mv', 'b.txt', 'c.txt');
    const restored = await text('snap_fix', { action: 'restore', id });
    assert.match(restored, /The index was not restored: 1 of these files has staged changes/);
    assert.match(restored, /Left unchanged: 1 file not in the snapshot: c\.txt\./);
  });

  test('a snapshot of some paths is not counted as two snapshots', async (t) => {
    const { text, write } = await served(t, { 'src/a.txt': 'a\n', 'b.txt': 'b\n' });
    const [id] = /snap_[0-9a-f]{10}/.exec(await text('snapshot_create', { paths: ['src'] }));
    write('src/a.txt', 'c\n');
    assert.match(await text('snap_fix', { action: 'diff', id }), /1 file not compared: not in the snapshot, which has only some paths\./);
  });

  test('after a path that the snapshot lacks, its list of files is proposed', async (t) => {
    const { json } = await served(t, { 'a.txt': 'a\n' });
    const { data: { alias } } = await json('snapback_snapshot_create', {});
    const { next_actions: [{ tool, args }] } = await json('snapback_snapshot_restore', { snapshot_id: alias, files: ['b.txt'] });
    assert.deepEqual([tool, args], ['snapshot_list', { recursive: true, snapshot_id: alias }]);
    assert.ok((await json(tool, args)).entries.some((one) => one.path === 'a.txt'));
  });
});

describe('reads and writes as text', () => {
  test('an unknown lease is reported as unknown', async (t) => {
    const { text } = await served(t, { 'a.txt': 'a\n' });
    assert.match(await text('snapshot_file', { path: 'a.txt', lease_id: 'lease_aaaaaaaaaaaaaaaa' }), /^a\.txt 1 line blob 87428fc522 lease_\w+ \(new: .*\bunknown\)\n/);
    assert.match(await text('snapshot_file', { path: 'a.txt' }), /^a\.txt 1 line blob 87428fc522 lease_\w+\n/);
  });

  test('a write of the same content reports that nothing was written', async (t) => {
    const { folder, text } = await served(t, { 'a.txt': 'a\n' });
    const before = statSync(join(folder, 'a.txt'), { bigint: true });
    assert.match(await text('workspace_write_file', { path: 'a.txt', content: 'a\n' }), /^a\.txt unchanged, .* 2 bytes lease_/);
    assert.equal(statSync(join(folder, 'a.txt'), { bigint: true }).mtimeNs, before.mtimeNs);
    assert.match(await text('workspace_write_file', { path: 'a.txt', content: 'b\n' }), /^a\.txt written 2 bytes /);
  });

  test('counts of omitted matches are exact, or marked as lower bounds', async (t) => {
    const { text, write } = await served(t, { 'data.txt': 'text value\n'.repeat(12_000) });
    const found = await text('snapshot_grep', { pattern: 'text value', max_matches: 10_000 });
    assert.match(found, /^at least 10000 matches in 1 file .*\nfirst \d+ shown; .*\bpattern, paths or globs\n/);
    for (const name of ['b', 'c', 'd']) write(`${name}.txt`, 'x\n');
    assert.match(await text('snapshot_diff', { untracked: true, max_files: 2 }), /^first 2 changed files /);
  });

  test('a truncated file says where to continue, also in JSON', async (t) => {
    const lines = Array.from({ length: 50 }, (_, i) => `line ${i + 1}\n`);
    const { json } = await served(t, { 'a.txt': lines.join('') });
    const part = await json('snapshot_file', { path: 'a.txt', max_bytes: 100 });
    assert.deepEqual([part.truncated, part.content.endsWith('\n')], [true, true]);
    const rest = await json('snapshot_file', { path: 'a.txt', start_line: part.next_start_line });
    assert.equal(part.content + rest.content, lines.join(''));
  });

  test('a part of a file that is not text is marked as a part', async (t) => {
    const { text } = await served(t, { 'a.txt': 'a\n' });
    await text('workspace_write_file', { path: 'b.txt', content: 'base64:AeRsbG8Kd/ZybGQK' });
    assert.match(await text('snapshot_file', { path: 'b.txt', start_line: 2 }), /^b\.txt 6 of 12 bytes, from line 2 /);
    assert.match(await text('snapshot_file', { path: 'b.txt' }), /^b\.txt 12 bytes /);
  });

  test('a path that a snapshot does not contain is reported as missing in the snapshot', async (t) => {
    const { text } = await served(t, { 'src/a.txt': 'a\n', 'tests/b.txt': 'b\n' });
    const [snapshot_id] = /snap_[0-9a-f]{10}/.exec(await text('snapshot_create', { paths: ['src'] }));
    assert.match(await text('snapshot_list', { snapshot_id, path: 'tests' }), /^0 entries\nthe snapshot contains nothing there\n/);
    assert.doesNotMatch(await text('snapshot_list', { snapshot_id, path: 'src' }), /nothing/);
  });

  test("a snapshot of the server's folder is rejected, and a list counts the files that it omits", async (t) => {
    const { text } = await served(t, { 'a.txt': 'a\n' });
    await text('snap', { mode: 'start', task: 'makes files in .snapback' });
    assert.match(await text('snapshot_create', { paths: ['.snapback'] }), /^INVALID_ARGUMENT: \.snapback .*\bone by one\b/);
    assert.match(await text('snapshot_create', { paths: ['.snapback/session/current.json'] }), /^snap_\w+ 1 file /);
    assert.match(await text('snapshot_list', { path: '.snapback', recursive: true }), /^0 entries \w+\nskipped \d+ ignored\n/);
  });

  test("the server's own files are not counted as ignored", async (t) => {
    const { text } = await served(t, { 'a.txt': 'a\n', '.gitignore': '*.log\n' });
    await text('snap', { mode: 'start', task: 'makes files in .snapback' });
    await text('snap_learn', { trigger: 'x', action: 'y', type: 'pattern' });
    assert.doesNotMatch(await text('snapshot_list', {}), /ignored/);
  });
});

describe('patches and diffs', () => {
  test('one file that is not text does not encode the other parts of a diff', async (t) => {
    const { text, json, write } = await served(t, { 'a.txt': 'a\n', 'l.txt': 'l\n', 'z.txt': 'z\n' });
    write('a.txt', 'b\n');
    write('l.txt', Buffer.from([0x01, 0xe9, 0x0a]));
    write('z.txt', 'y\n');
    const answer = await text('snapshot_diff');
    assert.match(answer, /omitted l\.txt \+1 -1\n1 omitted file not in UTF-8; name only such files with paths to get base64\n/);
    assert.ok(answer.includes('\n+b\n') && answer.includes('\n+y\n') && !answer.includes('base64:'), answer);
    assert.match(await text('snapshot_diff', { paths: ['l.txt'] }), /\nbase64:/);
    const { diff } = await json('snapshot_diff');
    assert.ok(Buffer.from(diff.slice('base64:'.length), 'base64').includes(Buffer.from([0x01, 0xe9])));
  });

  test('a patch that changes nothing is not reported as applied', async (t) => {
    const { text } = await served(t, { 'a.txt': 'a\n' });
    const answer = await text('workspace_apply_patch', { patch: '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+a\n' });
    assert.match(answer, /^nothing to apply\b/);
    assert.doesNotMatch(answer, /modified/);
  });

  test('a hunk that matches several locations is rejected with their lines', async (t) => {
    const { text } = await served(t, { 'a.txt': '1\n2\n3\nx\n5\nx\n' });
    const answer = await text('workspace_apply_patch', { patch: '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-x\n+y\n' });
    assert.match(answer, /fits at the lines 4, 6/);
  });

  test('an error after a write names the snapshot that undoes the write', async (t) => {
    const { folder, text, write } = await served(t, { 'a.txt': 'a\n' });
    write('a.txt', 'uncommitted\n');
    await text('snap', { mode: 'context' });
    const index = readFileSync(join(folder, '.git/index'));
    writeFileSync(join(folder, '.git/index'), 'no index');
    const answer = await text('workspace_write_file', { path: 'a.txt', content: 'new\n' });
    writeFileSync(join(folder, '.git/index'), index);
    const [, id] = /Everything was written, but .* To go back, restore (snap_[0-9a-f]{10})\./.exec(answer);
    await text('snap_fix', { action: 'restore', id });
    assert.equal(readFileSync(join(folder, 'a.txt'), 'utf8'), 'uncommitted\n');
  });

  test('no task is proposed about files that no tool may change', async (t) => {
    const { json, write } = await served(t, { '.snapback/config.json': '{}\n', 'a.txt': 'a\n' });
    write('.snapback/config.json', '{ }\n');
    write('a.txt', 'b\n');
    const { next_actions: actions } = await json('snapback_session', { op: 'recommendations' });
    const { args } = actions.find((one) => one.args.op === 'start');
    assert.deepEqual([args.task, args.files], ['change a.txt', ['a.txt']]);
  });
});

describe('files that a snapshot omits', () => {
  test('an ignored file of the task is named by each comparison with its snapshot', async (t) => {
    const { folder, text, write } = await served(t, { '.gitignore': '.env\n', 'a.txt': 'a\n' });
    write('.env', 'S=1\n');
    mkdirSync(join(folder, 'vend'));
    execFileSync('git', ['init', '-q', join(folder, 'vend')]);
    write('vend/x', 'x\n');
    const id = /snap_[0-9a-f]{10}/.exec(await text('snap', { mode: 'start', task: 'x', files: ['.env'] }))[0];
    write('.env', 'S=2\n');
    const sentence = 'The ignored file .env is not in the snapshot.';
    for (const [tool, args] of [
      ['snap_fix', { action: 'diff', id }],
      ['snap_fix', { action: 'restore', id }],
      ['snapback_session', { op: 'stats' }],
      ['snap_end', {}],
    ]) {
      const answer = await text(tool, args);
      assert.ok(answer.includes(sentence), answer);
      assert.ok(answer.includes('The nested repository vend is omitted'), answer);
    }
  });

  test('a snapshot of a nested repository alone is rejected, and its files can be named', async (t) => {
    const { folder, text, write } = await served(t, { 'a.txt': 'a\n' });
    mkdirSync(join(folder, 'vend/src'), { recursive: true });
    execFileSync('git', ['init', '-q', join(folder, 'vend')]);
    write('vend/src/b.js', 'let b;\n');
    for (const path of ['vend', 'vend/src'])
      assert.match(await text('snapshot_create', { paths: [path] }), new RegExp(`^INVALID_ARGUMENT: ${path} has only files of a nested repository\\b`));
    assert.match(await text('snapshot_create', { paths: ['vend/src/b.js'] }), /\b1 file\b/);
    assert.match(await text('snapshot_create', { paths: ['.'] }), /\b1 file\b.*\n.*\b1 nested_repository\b/);
  });

  test('a file that a sparse checkout omits is not reported as missing', async (t) => {
    const { text, git } = await served(t, { 'src/a.txt': 'a\n', 'tests/b.txt': 'b\n' });
    git('sparse-checkout', 'set', '--no-cone', '/src/');
    const sentence = 'tests/b.txt is in HEAD, but not checked out (sparse checkout).';
    for (const [tool, args] of [
      ['snapshot_file', { path: 'tests/b.txt' }],
      ['snap', { mode: 'start', task: 'x', files: ['tests/b.txt'] }],
      ['check', { mode: 'quick', files: ['tests/b.txt'] }],
      ['snapback_analyze', { type: 'risk', files: ['tests/b.txt'] }],
    ]) {
      const answer = await text(tool, args);
      assert.ok(answer.includes(sentence), answer);
    }
  });
});

describe('files that are not read', () => {
  test('a check reports that it omits a nested repository which the call names', async (t) => {
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

  test('files that cannot be read are not reported as deleted', async (t) => {
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

  test('a file that could not be captured is not reported as added', async (t) => {
    const { text, lock } = await served(t, { 'a.txt': 'a\n', 'b.txt': 'b\n' });
    lock('b.txt');
    const [id] = /snap_[0-9a-f]{10}/.exec(await text('snap', { mode: 'start', task: 'x' }));
    const diff = await text('snap_fix', { action: 'diff', id });
    assert.match(diff, /\|added:\+0\|removed:-0\|changed:~0\n---\n.*\b1 file cannot be read\b.*: b\.txt\./);
  });

  test('an answer reports a repository in which the server may not write', async (t) => {
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
    assert.match(error.message, /^web\/package\.json may not be read\b/);
    assert.match(error.hint, /\bpass the folder of another one\b/);
  });
});
