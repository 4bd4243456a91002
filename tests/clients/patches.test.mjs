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
  const folder = repository(t, { 'f.txt': numbers, 'g.txt': 'two one two\none\n' });
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
  const { applied, rejects } = await answer('workspace_apply_patch', { patch });
  assert.equal(applied, false);
  assert.deepEqual(rejects.map(({ path }) => path), ['f.txt', 'none.txt']);
  const [first, second] = rejects[0].hunks;
  assert.deepEqual({ ...first, message: '' }, {
    expected: 'x', found: '3', index: 0, line: 3, message: '', patch_line: 3, reason: 'context_mismatch',
  });
  assert.deepEqual([second.index, second.found_at, second.found], [1, 9, '8']);
  assert.equal(rejects[0].reason, undefined);
  assert.deepEqual([rejects[1].reason, rejects[1].hunks], ['missing', []]);
});

test('a diff without context applies at its lines, and with allow_offset where its old lines occur once', async (t) => {
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
  const { rejects: [{ hunks: [hunk] }] } = await answer('workspace_apply_patch', { patch: away });
  assert.deepEqual([hunk.expected, hunk.found, hunk.found_at], ['10', '3', 10]);
  const moved = await answer('workspace_apply_patch', { patch: away, allow_offset: true });
  assert.deepEqual(moved.files[0].offsets, [{ hunk: 0, lines: 7 }]);
  assert.equal(readFileSync(path, 'utf8'), numbers.replace('10\n', 'TEN\n'));
  const insertion = await answer('workspace_apply_patch', { patch: `${header}@@ -99,0 +100 @@\n+new\n`, allow_offset: true });
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
