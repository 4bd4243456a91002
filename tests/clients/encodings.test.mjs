// Files that are not in UTF-8: a model reads and changes them as text, and they keep their encoding.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { connect, openings } from './sdks.mjs';
import { repository, snapgen } from './servers.mjs';

const source = "# -*- coding: latin-1 -*-\nNAME = 'Jürgen'\n";
const utf16 = (text) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);

async function encodings(t, form) {
  const folder = repository(t, { 'plain.txt': 'plain\n' });
  writeFileSync(join(folder, 'l.py'), Buffer.from(source, 'latin1'));
  writeFileSync(join(folder, 'u.txt'), utf16('größer\r\n'));
  writeFileSync(join(folder, 'b.bin'), Buffer.from([0, 0xff, 0xfe, 1]));
  const server = snapgen(folder);
  const { call } = await connect(t, openings[0], { ...server, args: [...server.args, '--answers', form] });
  return {
    bytes: (path) => readFileSync(join(folder, path)),
    send: async (tool, input) => {
      const result = await call(tool, input);
      return result.structuredContent ?? result.content[0].text;
    },
  };
}

test('reads return text with its encoding, and binary files as base64', async (t) => {
  const { send } = await encodings(t, 'json');
  const one = await send('snapshot_file', { path: 'l.py' });
  assert.deepEqual([one.content, one.encoding, one.total_lines], [source, 'latin-1', 2]);
  const { files } = await send('snapshot_file', { paths: ['u.txt', 'plain.txt', 'b.bin'] });
  assert.deepEqual(files.map(({ content, encoding }) => [content, encoding]),
    [['größer\r\n', 'utf-16le'], ['plain\n', undefined], ['base64:AP/+AQ==', undefined]]);
  const found = await send('snapshot_grep', { pattern: 'größer' });
  assert.deepEqual(found.matches, [{ col: 1, encoding: 'utf-16le', line: 1, path: 'u.txt', text: 'größer\r' }]);
});

test('the text for models names the encoding', async (t) => {
  const { send } = await encodings(t, 'text');
  assert.match(await send('snapshot_file', { path: 'l.py' }), /^l\.py 2 lines blob .*, encoding latin-1\n# -\*- coding: latin-1/);
  assert.match(await send('snapshot_grep', { pattern: 'größer|Jürgen' }), /^2 matches .*\nencoding latin-1: l\.py\nencoding utf-16le: u\.txt\n/);
  assert.match(await send('workspace_edit', { edits: [{ path: 'l.py', old: 'Jürgen', new: 'Jörg' }] }), /M l\.py 2 .*, encoding latin-1\n/);
});

test('edits, patches and writes keep the encoding', async (t) => {
  const { bytes, send } = await encodings(t, 'json');
  const edited = await send('workspace_edit', { edits: [{ path: 'l.py', old: 'Jürgen', new: 'Jörg' }] });
  assert.deepEqual([edited.applied, edited.files[0].encoding], [true, 'latin-1']);
  assert.deepEqual(bytes('l.py'), Buffer.from(source.replace('Jürgen', 'Jörg'), 'latin1'));
  const patched = await send('workspace_apply_patch', { patch: '--- a/u.txt\n+++ b/u.txt\n@@ -1 +1,2 @@\n größer\n+€\n' });
  assert.deepEqual([patched.applied, patched.files[0].encoding], [true, 'utf-16le']);
  assert.deepEqual(bytes('u.txt'), utf16('größer\r\n€\r\n'));
  const written = await send('workspace_write_file', { path: 'l.py', content: '# coding: latin-1\nx = "ü"\n' });
  assert.equal(written.encoding, 'latin-1');
  assert.deepEqual(bytes('l.py'), Buffer.from('# coding: latin-1\nx = "ü"\n', 'latin1'));
  const { diff, files } = await send('snapshot_diff', { against: written.undo });
  assert.match(diff, /-NAME = 'Jörg'\n\+# coding: latin-1\n\+x = "ü"\n/);
  assert.equal(files.find(({ path }) => path === 'l.py').encoding, 'latin-1');
});

test('a character that the encoding lacks stops the call, and base64 changes the encoding', async (t) => {
  const { bytes, send } = await encodings(t, 'json');
  const { applied, faults } = await send('workspace_edit', { edits: [{ path: 'l.py', old: 'Jürgen', new: '5 €' }] });
  assert.deepEqual([applied, faults[0].reason, faults[0].edit], [false, 'encoding', 0]);
  assert.match(faults[0].message, /^line 2 has "€" \(U\+20AC\), which latin-1, the encoding of l\.py, does not have\. Use other characters, or /);
  const rejected = await send('workspace_apply_patch', { patch: "--- a/l.py\n+++ b/l.py\n@@\n NAME = 'Jürgen'\n+EURO = '€'\n" });
  assert.deepEqual([rejected.applied, rejected.rejects[0].hunks[0].reason], [false, 'encoding']);
  assert.match(await send('workspace_write_file', { path: 'l.py', content: '€' }), /Nothing was written: line 1 has/);
  assert.deepEqual(bytes('l.py'), Buffer.from(source, 'latin1'));
  const continued = await send('workspace_apply_patch', { continue: rejected.patch_id, patch: "--- a/l.py\n+++ b/l.py\n@@\n NAME = 'Jürgen'\n+EURO = 'ß'\n" });
  assert.equal(continued.applied, true);
  assert.deepEqual(bytes('l.py'), Buffer.from(`${source}EURO = 'ß'\n`, 'latin1'));
  await send('workspace_write_file', { path: 'l.py', content: `base64:${Buffer.from("NAME = '€'\n").toString('base64')}` });
  assert.equal((await send('snapshot_file', { path: 'l.py' })).encoding, undefined);
});
