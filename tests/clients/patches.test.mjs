// Errors of patches that do not apply, hunks without context, and several matches in a line.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { connect, openings } from './sdks.mjs';
import { repository, snapgen } from './servers.mjs';

const numbers = Array.from({ length: 20 }, (_, index) => `${index + 1}\n`).join('');
const changed = numbers.replace('10\n', 'TEN\n').replace('15\n', '15\nnew\n').replace('1\n2\n', '0\n1\n');
const header = '--- a/f.txt\n+++ b/f.txt\n';

async function substrate(t) {
  const folder = repository(t, { 'f.txt': numbers, 'g.txt': 'two one two\none\n', 'twice.txt': 'first line\nsame\nthird line\nsame\n' });
  const { call } = await connect(t, openings[0], snapgen(folder));
  const answer = async (name, args) => {
    const result = await call(name, args);
    assert.ok(!result.isError, result.content[0].text);
    return result.structuredContent;
  };
  return { folder, answer };
}

test('rejects have one entry for each path, with its hunks in order', async (t) => {
  const { answer } = await substrate(t);
  const patch = `${header}@@ -2,2 +2,2 @@\n 2\n-x\n+y\n@@ -8,3 +8,3 @@\n 9\n-10\n+TEN\n 11\n--- a/none.txt\n+++ b/none.txt\n@@ -1 +1 @@\n-a\n+b\n`;
  const { applied, rejects } = await answer('workspace_apply_patch', { patch, exact_lines: true });
  assert.equal(applied, false);
  assert.deepEqual(rejects.map(({ path }) => path), ['f.txt', 'none.txt']);
  const [first, second] = rejects[0].hunks;
  assert.deepEqual({ ...first, message: '' }, {
    expected: 'x', found: '3', index: 0, line: 3, message: '', patch_line: 3, reason: 'context_mismatch',
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
  assert.deepEqual(files[0].offsets, [{ hunk: 1, lines: 2 }]);
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
  assert.deepEqual(moved.files[0].offsets, [{ hunk: 0, lines: 7 }]);
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
