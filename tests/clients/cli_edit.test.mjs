// `snap edit` and `snap apply`: what they change, show and refuse.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { fitsTool, scratch } from './cli_repository.mjs';
import { json, onTerminal, run } from './commands.mjs';

const content = (folder, path) => readFileSync(join(folder, path), 'utf8');

test('snap edit replaces a text, and its change can be undone', async (t) => {
  const folder = scratch(t);
  // Paths are relative to the current folder.
  const done = await run(join(folder, 'src'), ['edit', 'b.txt', '--old', 'three', '--new', '3']);
  assert.equal(done.code, 0, done.errors);
  assert.equal(content(folder, 'src/b.txt'), '3\n');
  const [, undo] = /modified +src\/b\.txt\nChanged 1 file\. To go back, restore (snap_\w+)\.\n/.exec(done.out);
  assert.equal((await run(folder, ['snapshot', 'restore', undo, '--yes'])).code, 0);
  assert.equal(content(folder, 'src/b.txt'), 'three\n');
});

test('snap edit makes the edits of a file, or shows them as a diff', async (t) => {
  const folder = scratch(t);
  const edits = join(folder, '..', 'edits.json');
  writeFileSync(edits, JSON.stringify([{ path: 'a.txt', old: 'two', new: '2' }, { path: 'new.txt', create: 'new\n' }]));
  const planned = await run(folder, ['edit', '--edits', edits, '--dry-run']);
  assert.ok(planned.out.includes('--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n'), planned.out);
  assert.match(planned.out, /Would change 2 files\.\n$/);
  assert.equal(content(folder, 'a.txt'), 'one\ntwo\n');
  const shown = await onTerminal(folder, ['edit', '--edits', edits, '--dry-run']);
  assert.match(shown.out, /\x1b\[32m\+2/);
  const made = await json(folder, ['edit', '--edits', edits]);
  await fitsTool('substrate/workspace_edit.json', made.value);
  assert.equal(content(folder, 'a.txt') + content(folder, 'new.txt'), 'one\n2\nnew\n');
});

test('snap edit shows what does not fit', async (t) => {
  const folder = scratch(t);
  const refused = await run(folder, ['edit', 'a.txt', '--old', 'TWO', '--new', '2']);
  assert.equal(refused.code, 1);
  assert.match(refused.out, /a\.txt: .*letter case.*\n {2}2 -TWO\n {2}2 \+two\nNothing was changed\.\n/);
  assert.equal((await run(folder, ['edit', 'a.txt', '--old', 'two'])).code, 2);
  assert.equal((await run(folder, ['edit', '--edits', 'none.json'])).code, 1);
});

test('snap apply applies a patch, or nothing', async (t) => {
  const folder = scratch(t);
  const patch = join(folder, '..', 'fix.patch');
  writeFileSync(patch, '--- a/a.txt\n+++ b/a.txt\n@@ @@\n-two\n+2\n');
  const planned = await run(folder, ['apply', patch, '--dry-run']);
  assert.match(planned.out, /^diff --git a\/a\.txt b\/a\.txt\n/);
  assert.equal(content(folder, 'a.txt'), 'one\ntwo\n');
  const done = await run(folder, ['apply', patch]);
  assert.equal(done.code, 0, done.errors);
  assert.equal(content(folder, 'a.txt'), 'one\n2\n');
  const again = await run(folder, ['apply', patch]);
  assert.equal(again.code, 1);
  assert.match(again.out, /a\.txt hunk 1: .*\nNothing was changed\.\n/s);
});
