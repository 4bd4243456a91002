// What answers claim about diffs, patches and proposed changes is so, as in claims.test.mjs.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { served } from './claims.mjs';

describe('patches and diffs', () => {
  test('one file that is not UTF-8 does not encode the other parts of a diff', async (t) => {
    const { text, json, write } = await served(t, { 'a.txt': 'a\n', 'l.txt': 'l\n', 'z.txt': 'z\n' });
    write('a.txt', 'b\n');
    write('l.txt', Buffer.from([0x63, 0xe9, 0x0a]));
    write('z.txt', 'y\n');
    const answer = await text('snapshot_diff');
    assert.match(answer, /omitted l\.txt \+1 -1\n1 omitted file not in UTF-8; name only such files with paths to get base64\n/);
    assert.ok(answer.includes('\n+b\n') && answer.includes('\n+y\n') && !answer.includes('base64:'), answer);
    assert.match(await text('snapshot_diff', { paths: ['l.txt'] }), /\nbase64:/);
    const { diff } = await json('snapshot_diff');
    assert.ok(Buffer.from(diff.slice('base64:'.length), 'base64').includes(Buffer.from([0x63, 0xe9])));
  });

  test('a patch that changes nothing is not called applied', async (t) => {
    const { text } = await served(t, { 'a.txt': 'a\n' });
    const answer = await text('workspace_apply_patch', { patch: '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+a\n' });
    assert.match(answer, /^nothing to apply: the files already are as the patch makes them/);
    assert.doesNotMatch(answer, /modified/);
  });

  test('a hunk that fits more than once is rejected with the lines', async (t) => {
    const { text } = await served(t, { 'a.txt': '1\n2\n3\nx\n5\nx\n' });
    const answer = await text('workspace_apply_patch', { allow_offset: true, patch: '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-x\n+y\n' });
    assert.match(answer, /the hunk fits more than once, first at the lines 4 and 6/);
  });

  test('an error after a write names the snapshot that undoes it', async (t) => {
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
