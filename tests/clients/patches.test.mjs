// Errors of patches that do not apply, hunks without context, and several matches in a line.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { openings } from './sdks.mjs';
import { sharedServer } from './shared_server.mjs';

const numbers = Array.from({ length: 20 }, (_, index) => `${index + 1}\n`).join('');
const changed = numbers.replace('10\n', 'TEN\n').replace('15\n', '15\nnew\n').replace('1\n2\n', '0\n1\n');
const header = '--- a/f.txt\n+++ b/f.txt\n';

const server = sharedServer(openings[0]);

async function substrate(t) {
  const folder = server.repository(t, { 'f.txt': numbers, 'g.txt': 'two one two\none\n', 'twice.txt': 'first line\nsame\nthird line\nsame\n' });
  const { call } = await server.connection(folder);
  const answer = async (name, args) => {
    const result = await call(name, args);
    assert.ok(!result.isError, result.content[0].text);
    return result.structuredContent;
  };
  return { folder, call, answer };
}

test('rejects have one entry for each path, with its hunks in order', async (t) => {
  const { answer } = await substrate(t);
  const patch = `${header}@@ -2,2 +2,2 @@\n 2\n-x\n+y\n@@ -8,3 +8,3 @@\n 9\n-10\n+TEN\n 11\n--- a/none.txt\n+++ b/none.txt\n@@ -1 +1 @@\n-a\n+b\n`;
  const { applied, rejects } = await answer('workspace_apply_patch', { patch, exact_lines: true });
  assert.equal(applied, false);
  assert.deepEqual(rejects.map(({ path }) => path), ['f.txt', 'none.txt']);
  const [first, second] = rejects[0].hunks;
  assert.deepEqual({ ...first, message: '' }, {
    expected: 'x', found: '3', index: 0, line: 3, message: '', number: 1, patch_line: 3, reason: 'context_mismatch',
  });
  assert.deepEqual([second.index, second.found_at, second.found, second.header], [1, 9, '8', '@@ -9,3 +9,3 @@']);
  assert.equal(rejects[0].reason, undefined);
  assert.deepEqual([rejects[1].reason, rejects[1].hunks], ['missing', []]);
  // By its content, the second hunk fits.
  const placed = await answer('workspace_apply_patch', { patch });
  assert.deepEqual(placed.rejects.map(({ hunks }) => hunks.map(({ index }) => index)), [[0], []]);
});

test('a patch as models write it is accepted at the first try', async (t) => {
  const { folder, answer } = await substrate(t);
  // In a fence, without a/ and b/, with a bare @@, wrong counts, hunks out of order, and no final newline.
  const patch = 'Here it is:\n```diff\n--- f.txt\n+++ f.txt\n@@ def x\n 12\n-13\n+THIRTEEN\n@@ -1,9 +2,2 @@\n 3\n-4\n+FOUR\n```';
  const { applied, files } = await answer('workspace_apply_patch', { patch });
  assert.equal(applied, true);
  assert.deepEqual(files[0].offsets, [{ hunk: 2, lines: 2 }]);
  assert.deepEqual(files[0].notes, ['wrong counts in the @@ line of hunk 2']);
  assert.equal(readFileSync(join(folder, 'f.txt'), 'utf8'), numbers.replace('13\n', 'THIRTEEN\n').replace('\n4\n', '\nFOUR\n'));
});

test('a hunk that fits several times, or nowhere, is rejected with what to correct', async (t) => {
  const { answer } = await substrate(t);
  const { rejects: [{ hunks: [several] }] } = await answer('workspace_apply_patch', {
    patch: '--- a/twice.txt\n+++ b/twice.txt\n@@ -9 +9 @@\n-same\n+other\n',
  });
  assert.deepEqual([several.reason, several.places], ['ambiguous', [2, 4]]);
  const { rejects: [{ hunks: [nowhere] }] } = await answer('workspace_apply_patch', {
    patch: '--- a/twice.txt\n+++ b/twice.txt\n@@\n first line\n-was same\n+is other\n third line\n',
  });
  assert.equal(nowhere.reason, 'context_mismatch');
  assert.deepEqual(nowhere.nearest, [{ expected: 'was same', found: 'same', line: 2 }]);
});

test('a patch in the form V4A gives the same files as a unified diff', async (t) => {
  const { folder, answer } = await substrate(t);
  const unified = `${header}@@ -9,3 +9,3 @@\n 9\n-10\n+TEN\n 11\n--- a/g.txt\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-two one two\n-one\n--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1 @@\n+new\n`;
  const v4a = '*** Begin Patch\n*** Update File: f.txt\n@@\n 9\n-10\n+TEN\n 11\n*** Delete File: g.txt\n*** Add File: new.txt\n+new\n*** End Patch';
  const { snapshot_id } = await answer('snapshot_create', { paths: ['.'] });
  const [first, second] = [unified, v4a].map((patch) => answer('workspace_apply_patch', { patch, snapshot_id }));
  assert.equal((await first).snapshot_id, (await second).snapshot_id);
  const { files } = await answer('workspace_apply_patch', { patch: v4a });
  assert.deepEqual(files.map(({ path, status }) => [path, status]), [['f.txt', 'modified'], ['g.txt', 'deleted'], ['new.txt', 'added']]);
  assert.equal(readFileSync(join(folder, 'f.txt'), 'utf8'), numbers.replace('10\n', 'TEN\n'));
});

test('a rejected patch is continued with the corrected hunks', async (t) => {
  const { folder, answer } = await substrate(t);
  const fitting = '--- a/g.txt\n+++ b/g.txt\n@@\n-one\n+three\n';
  const wrong = `${header}@@\n-2\n+II\n@@\n nine\n-10\n+TEN\n`;
  const corrected = `${header}@@\n-10\n+TEN\n`;
  const after = numbers.replace('\n2\n', '\nII\n').replace('10\n', 'TEN\n');
  const { rejects, patch_id } = await answer('workspace_apply_patch', { patch: wrong + fitting });
  assert.deepEqual(rejects.map(({ path, hunks }) => [path, hunks.map(({ index }) => index)]), [['f.txt', [1]]]);
  const again = await answer('workspace_apply_patch', { patch: '--- a/g.txt\n+++ b/g.txt\n@@\n-one\n+three\n', continue: patch_id });
  assert.deepEqual([again.applied, again.rejects[0].hunks.map(({ index }) => index)], [false, [1]]);
  const { applied, files, patch_id: none } = await answer('workspace_apply_patch', { patch: corrected, continue: patch_id });
  assert.deepEqual([applied, files.map(({ path }) => path), none], [true, ['f.txt', 'g.txt'], undefined]);
  assert.equal(readFileSync(join(folder, 'f.txt'), 'utf8'), after);
  assert.equal(readFileSync(join(folder, 'g.txt'), 'utf8'), 'two one two\nthree\n');
});

test('a rejected patch of a snapshot is continued for this snapshot', async (t) => {
  const { call, answer } = await substrate(t);
  const { snapshot_id } = await answer('snapshot_create', { paths: ['.'] });
  const refusal = async (args) => {
    const { isError, content } = await call('workspace_apply_patch', args);
    assert.equal(isError, true);
    return JSON.parse(content[0].text).error.code;
  };
  const { patch_id } = await answer('workspace_apply_patch', { patch: `${header}@@\n-none\n+II\n`, snapshot_id });
  const patch = `${header}@@\n-2\n+II\n`;
  assert.equal(await refusal({ patch, continue: patch_id }), 'INVALID_ARGUMENT');
  const { applied } = await answer('workspace_apply_patch', { patch, snapshot_id, continue: patch_id });
  assert.equal(applied, true);
  assert.equal(await refusal({ patch, snapshot_id, continue: patch_id }), 'INVALID_ARGUMENT', 'it was applied');
  assert.equal(await refusal({ patch, continue: 'patch_000000000000' }), 'NOT_FOUND');
});

test('a missing file is rejected with the path that may be meant', async (t) => {
  const { folder, answer } = await substrate(t);
  const hunk = '@@\n-2\n+II\n';
  const { rejects: [{ reason, message }], patch_id } = await answer('workspace_apply_patch', { patch: `--- a/F.TXT\n+++ b/F.TXT\n${hunk}` });
  assert.equal(reason, 'missing');
  assert.match(message, /did you mean f\.txt\?$/);
  const { applied } = await answer('workspace_apply_patch', { patch: header + hunk, continue: patch_id });
  assert.equal(applied, true);
  assert.equal(readFileSync(join(folder, 'f.txt'), 'utf8'), numbers.replace('\n2\n', '\nII\n'));
});

test('an answer lists at most twenty locations, and some of the lines that differ', async (t) => {
  const { folder, answer } = await substrate(t);
  writeFileSync(join(folder, 'same.txt'), 'same\n'.repeat(30));
  const { rejects: [{ hunks: [{ places, places_total }] }] } = await answer('workspace_apply_patch', { patch: '--- a/same.txt\n+++ b/same.txt\n@@\n-same\n+other\n' });
  assert.deepEqual([places.length, places_total], [20, 30]);
  const line = (name, i) => `${name} ${i} ${'x'.repeat(80)}\n`;
  const lines = (name) => Array.from({ length: 40 }, (_, i) => line(i % 2 ? name : 'shared', i));
  writeFileSync(join(folder, 'long.txt'), lines('file').join(''));
  const patch = `--- a/long.txt\n+++ b/long.txt\n@@\n${lines('hunk').map((each) => `-${each}`).join('')}`;
  const { rejects: [{ hunks: [{ nearest, nearest_total }] }] } = await answer('workspace_apply_patch', { patch });
  assert.equal(nearest_total, 20);
  assert.ok(nearest.length > 1 && JSON.stringify(nearest).length < 2000, `${nearest.length} differences`);
});

test('a diff without context applies at its lines, or else where its old lines occur once', async (t) => {
  const { folder, answer } = await substrate(t);
  const path = join(folder, 'f.txt');
  writeFileSync(path, changed);
  const patch = execFileSync('git', ['-C', folder, 'diff', '-U0'], { encoding: 'utf8' });
  assert.match(patch, /^@@ -15,0 \+16 @@/m);
  writeFileSync(path, numbers);
  assert.equal((await answer('workspace_apply_patch', { patch })).applied, true);
  assert.equal(readFileSync(path, 'utf8'), changed);
  writeFileSync(path, numbers);
  const away = `${header}@@ -3 +3 @@\n-10\n+TEN\n`;
  const { rejects: [{ hunks: [hunk] }] } = await answer('workspace_apply_patch', { patch: away, exact_lines: true });
  assert.deepEqual([hunk.expected, hunk.found, hunk.found_at], ['10', '3', 10]);
  const moved = await answer('workspace_apply_patch', { patch: away });
  assert.deepEqual(moved.files[0].offsets, [{ hunk: 1, lines: 7 }]);
  assert.equal(readFileSync(path, 'utf8'), numbers.replace('10\n', 'TEN\n'));
  const insertion = await answer('workspace_apply_patch', { patch: `${header}@@ -99,0 +100 @@\n+new\n` });
  assert.equal(insertion.rejects[0].hunks[0].message, 'the file ends before line 99, after which the hunk inserts');
});

test('a line with several matches lists their columns', async (t) => {
  const { answer } = await substrate(t);
  const { matches } = await answer('snapshot_grep', { pattern: 'two|one', paths: ['g.txt'] });
  assert.deepEqual(matches.map(({ line, col, cols }) => ({ line, col, cols })), [
    { line: 1, col: 1, cols: [1, 5, 9] },
    { line: 2, col: 1, cols: undefined },
  ]);
});

test('an applied patch returns the blob and the changed lines of each file, and a dry run its diff', async (t) => {
  const { answer } = await substrate(t);
  const patch = `${header}@@ @@\n-10\n+TEN\n+ten\n@@ @@\n-15\n`;
  const { diff } = await answer('workspace_apply_patch', { patch, dry_run: true });
  assert.ok(diff.startsWith('diff --git a/f.txt b/f.txt\n') && diff.includes('\n-10\n+TEN\n+ten\n'), diff);
  const { files: [file], diff: none } = await answer('workspace_apply_patch', { patch, context: 1 });
  assert.equal(none, undefined);
  assert.deepEqual(file.ranges, [[10, 11], [16, 15]]);
  assert.deepEqual(file.lines, [{ line: 9, text: '9\nTEN\nten\n11\n' }, { line: 15, text: '14\n16\n' }]);
  const { blob } = await answer('snapshot_file', { path: 'f.txt' });
  assert.equal(file.blob, blob);
});
