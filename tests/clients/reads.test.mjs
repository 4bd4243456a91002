// Reads that help to edit: several files, line numbers, absolute paths, searches that list files, and ignored files.
import assert from 'node:assert/strict';
import { mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { openings } from './sdks.mjs';
import { remove } from './servers.mjs';
import { sharedServer } from './shared_server.mjs';

const files = {
  'a.py': 'one\ntwo\nthree\n', 'src/b.py': 'two\nfour', '.gitignore': '/out/\n', 'out/c.py': 'two\n',
  'long.js': `${'x'.repeat(3000)}needle${'y'.repeat(3000)}\n`,
};

const server = sharedServer(openings[0]);

async function connected(t) {
  const folder = server.repository(t, files);
  const { call } = await server.connection(folder);
  const structured = async (name, args) => {
    const result = await call(name, args);
    assert.ok(!result.isError, result.content[0].text);
    return result.structuredContent;
  };
  return { folder, call, structured };
}

test('several files are read in one call, and a missing one is a part of the answer', async (t) => {
  const { structured } = await connected(t);
  const answer = await structured('snapshot_file', { paths: ['a.py', 'none.py', 'src/b.py'], line_numbers: true });
  assert.match(answer.lease_id, /^lease_/);
  assert.deepEqual(answer.files.map(({ path, content }) => [path, content]), [
    ['a.py', '1\tone\n2\ttwo\n3\tthree\n'], ['none.py', ''], ['src/b.py', '1\ttwo\n2\tfour'],
  ]);
  assert.match(answer.files[1].problem, /none\.py/);
});

test('path and paths together, or none of them, is an error that says what to pass', async (t) => {
  const { call } = await connected(t);
  for (const args of [{}, { path: 'a.py', paths: ['a.py'] }, { paths: ['a.py'], start_line: 1 }]) {
    const result = await call('snapshot_file', args);
    assert.ok(result.isError);
    assert.match(result.content[0].text, /paths/);
  }
});

test('a range of lines names its lines', async (t) => {
  const { structured } = await connected(t);
  const { content, start_line, end_line } = await structured('snapshot_file', { path: 'a.py', start_line: 2, line_numbers: true });
  assert.deepEqual([content, start_line, end_line], ['2\ttwo\n3\tthree\n', 2, 3]);
  const whole = await structured('snapshot_file', { path: 'a.py' });
  assert.equal(whole.start_line, undefined);
});

test('an absolute path in the workspace is as good as a relative one, in reads and writes', async (t) => {
  const { folder, call, structured } = await connected(t);
  assert.equal((await structured('snapshot_file', { path: join(folder, 'src/b.py') })).path, 'src/b.py');
  assert.equal((await structured('snapshot_grep', { pattern: 'four', paths: [join(folder, 'src')] })).matches[0].path, 'src/b.py');
  assert.equal((await structured('snapshot_list', { path: folder })).entries.at(-1).path, 'src');
  assert.equal((await structured('workspace_write_file', { path: join(folder, 'new/c.py'), content: '' })).path, 'new/c.py');
  assert.deepEqual((await structured('workspace_delete', { path: join(folder, 'new/c.py') })).deleted, ['new/c.py']);
  const scratch = mkdtempSync(join(tmpdir(), 'snapgen-'));
  t.after(() => remove(scratch));
  const link = join(scratch, 'link');
  symlinkSync(folder, link);
  assert.equal((await structured('snapshot_file', { path: join(link, 'a.py') })).path, 'a.py');
  assert.ok((await call('snapshot_file', { path: '/etc/passwd' })).isError);
  assert.ok((await call('snapshot_file', { path: join(folder, '../x') })).isError);
});

test('a search returns files, files without a match, or counts', async (t) => {
  const { structured } = await connected(t);
  const search = async (output) => (await structured('snapshot_grep', { pattern: 'two|one', globs: ['*.py'], output })).files;
  assert.deepEqual(await search('files'), [{ path: 'a.py' }, { path: 'src/b.py' }]);
  assert.deepEqual(await search('count'), [{ lines: 2, path: 'a.py' }, { lines: 1, path: 'src/b.py' }]);
  assert.deepEqual(await search('files_without'), []);
  assert.equal(await search('lines'), undefined);
});

test('a search shows the match of a long line', async (t) => {
  const { structured } = await connected(t);
  const { matches: [match] } = await structured('snapshot_grep', { pattern: 'needle' });
  assert.match(match.text, /xneedley/);
  assert.ok(match.text.length < 600);
  assert.equal(match.col, 3001);
});

test('a named path that git ignores is searched and listed', async (t) => {
  const { structured } = await connected(t);
  assert.equal((await structured('snapshot_grep', { pattern: 'two', paths: ['out'] })).matches[0].path, 'out/c.py');
  assert.deepEqual((await structured('snapshot_list', { path: 'out' })).entries, [{ path: 'out/c.py', type: 'file' }]);
  assert.ok((await structured('snapshot_grep', { pattern: 'two' })).matches.every(({ path }) => path !== 'out/c.py'));
});

test('files are found by name', async (t) => {
  const { structured } = await connected(t);
  const { entries } = await structured('snapshot_list', { globs: ['*.py'] });
  assert.deepEqual(entries.map(({ path }) => path), ['a.py', 'src/b.py']);
});
