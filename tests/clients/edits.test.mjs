// Edits as models send them, over an SDK: in the forms json and text, with what to send if one does not fit.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { openings } from './sdks.mjs';
import { sharedServer } from './shared_server.mjs';

const files = {
  'a.py': 'def f():\n    return "one"\n\ndef g():\n    return "two"\n',
  'b.py': 'from a import f\nprint(f())\n',
  'c.txt': 'same\nother\nsame\n',
};

const servers = new Map(['json', 'text'].map((form) => [form, sharedServer(openings[0], { args: ['--answers', form] })]));

async function editing(t, form = 'json') {
  const folder = servers.get(form).repository(t, files);
  const { call } = await servers.get(form).connection(folder);
  return {
    call,
    content: (path) => readFileSync(join(folder, path), 'utf8'),
    edit: async (edits, more = {}) => {
      const result = await call('workspace_edit', { edits, ...more });
      assert.ok(!result.isError, result.content[0].text);
      return result.structuredContent ?? result.content[0].text;
    },
  };
}

test('one call edits, creates, moves and deletes, and can be undone', async (t) => {
  const { call, content, edit } = await editing(t);
  const done = await edit([
    { path: 'a.py', old: '"one"', new: '"1"' },
    { path: 'new/d.txt', create: 'new\n' },
    { path: 'b.py', move_to: 'new/b.py' },
    { path: 'c.txt', delete: true },
  ], { context: 1 });
  assert.equal(done.applied, true);
  assert.deepEqual(done.files.map(({ path, status, ranges }) => [path, status, ranges]), [
    ['a.py', 'modified', [[2, 2]]], ['c.txt', 'deleted', []], ['new/b.py', 'renamed', []], ['new/d.txt', 'added', [[1, 1]]],
  ]);
  assert.deepEqual(done.files[0].lines, [{ line: 1, text: 'def f():\n    return "1"\n\n' }]);
  assert.equal(content('new/b.py'), files['b.py']);
  // The blob of the answer proves the lines of the next edit.
  const lines = await edit([{ path: 'a.py', start_line: 2, end_line: 2, blob: done.files[0].blob, new: '    return 1' }], { lease_id: done.lease_id });
  assert.equal(lines.applied, true);
  await call('snap_fix', { action: 'restore', id: lines.undo });
  await call('snap_fix', { action: 'restore', id: done.undo });
  for (const [path, text] of Object.entries(files)) assert.equal(content(path), text);
});

test('every fault is in one answer, and nothing changes', async (t) => {
  const { content, edit } = await editing(t);
  const { applied, faults, files: changed } = await edit([
    { path: 'a.py', old: '"one"', new: '"1"' },
    { path: 'a.py', old: '  return \'two\'', new: '' },
    { path: 'c.txt', old: 'same', new: 'x' },
    { path: 'none.txt', delete: true },
    { path: '../outside', create: 'x' },
    { path: 'b.py', new: 'x' },
    { path: 'b.py', old: 'print', new: 'x', start_line: 1 },
    { pattern: 'f\\(', new: 'h(', expect: 5 },
    { path: 'b.py', start_line: 1, end_line: 1, blob: '0123456789', new: 'x' },
  ]);
  assert.equal(applied, false);
  assert.deepEqual(changed, []);
  assert.deepEqual(faults.map(({ edit: index, reason }) => [index, reason]), [
    [1, 'context_mismatch'], [2, 'ambiguous'], [3, 'missing'], [4, 'path'], [5, 'malformed'], [6, 'malformed'], [7, 'count'],
  ]);
  assert.deepEqual(faults[0].nearest, [{ expected: '  return \'two\'', found: '    return "two"', line: 5 }]);
  assert.deepEqual(faults[1].lines, [1, 3]);
  assert.deepEqual(faults[6].matches, [{ line: 1, path: 'a.py' }, { line: 2, path: 'b.py' }]);
  for (const [path, text] of Object.entries(files)) assert.equal(content(path), text);
});

test('a word is replaced in many files', async (t) => {
  const { content, edit } = await editing(t);
  const { files: changed } = await edit([{ pattern: 'f', word: true, fixed: true, new: 'first', globs: ['*.py'], expect: 3 }]);
  assert.deepEqual(changed.map(({ path }) => path), ['a.py', 'b.py']);
  assert.equal(content('b.py'), 'from a import first\nprint(first())\n');
});

test('the text for models has a line for each file, and a block for each fault', async (t) => {
  const { edit } = await editing(t, 'text');
  const done = await edit([{ path: 'a.py', old: '"one"', new: '"1"' }, { path: 'c.txt', delete: true }], { context: 1 });
  assert.match(done, /^applied lease_\w+ undo snap_\w+\n/);
  assert.match(done, /^M a\.py 2 blob [0-9a-f]{10}$/m);
  assert.match(done, /^D c\.txt$/m);
  assert.ok(done.includes('def f():\n    return "1"\n'), done);
  const refused = await edit([{ path: 'a.py', old: '\treturn "two"', new: '' }, { path: 'b.py', old: 'f', new: 'g' }]);
  assert.match(refused, /2 faults/);
  assert.match(refused, /^edits\[0\] a\.py: .*indentation.* \(context_mismatch\)$/m);
  assert.ok(refused.includes('\n  5 -\treturn "two"\n  5 +    return "two"\n'), refused);
  assert.match(refused, /^edits\[1\] b\.py: .*\(ambiguous\)$/m);
});

test('an unknown member is rejected with the known ones, and discard asks first', async (t) => {
  const { call } = await editing(t);
  const unknown = await call('workspace_edit', { edits: [{ path: 'a.py', old_string: 'one', new: '1' }] });
  assert.ok(unknown.isError);
  assert.match(unknown.content[0].text, /old/);
  const discarding = await call('workspace_edit', { edits: [{ path: 'a.py', old: 'one', new: '1' }], discard: true });
  assert.match(discarding.content[0].text, /PERMISSION_DENIED/);
});
