// What a client learns from STALE_LEASE, and how it retries.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { connect, openings } from './sdks.mjs';
import { repository, snapgen } from './servers.mjs';

async function substrate(t) {
  const folder = repository(t, { 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'b\n' });
  const { call } = await connect(t, openings[0], snapgen(folder));
  const answer = async (tool, args) => {
    const result = await call(tool, args);
    assert.ok(!result.isError, result.content[0].text);
    return result.structuredContent;
  };
  const refusal = async (tool, args) => {
    const result = await call(tool, args);
    assert.equal(result.isError, true);
    return result.content[0].text;
  };
  const edit = (path, content) => writeFileSync(join(folder, path), content);
  return { answer, refusal, edit };
}

test('the error of a write shows how the files that were read have changed', async (t) => {
  const { answer, refusal, edit } = await substrate(t);
  await answer('snapshot_create', { paths: ['.'] });
  const { lease_id } = await answer('snapshot_file', { path: 'a.txt' });
  edit('a.txt', 'one\nTWO\nthree\n');
  edit('b.txt', 'B\n');
  const { code, details } = JSON.parse(await refusal('workspace_write_file', { path: 'c.txt', content: 'c\n', lease_id })).error;
  assert.equal(code, 'STALE_LEASE');
  assert.deepEqual(details.changed_paths, ['a.txt', 'b.txt']);
  assert.deepEqual(details.read_paths, ['a.txt']);
  assert.deepEqual(details.diff.split('\n').filter((line) => /^[-+]/.test(line)), ['--- a/a.txt', '+++ b/a.txt', '-two', '+TWO']);
  const { lease_id: same } = await answer('workspace_write_file', { path: 'c.txt', content: 'c\n', lease_id: details.lease_id });
  assert.equal(same, details.lease_id);
});

test('the new lease of the error covers the earlier reads', async (t) => {
  const { answer, refusal, edit } = await substrate(t);
  const { lease_id } = await answer('snapshot_file', { path: 'a.txt' });
  edit('new.txt', 'new\n');
  const first = JSON.parse(await refusal('snapshot_file', { path: 'b.txt', lease_id })).error.details;
  assert.deepEqual([first.changed_paths, first.read_paths, first.diff], [['new.txt'], undefined, undefined]);
  await answer('snapshot_file', { path: 'b.txt', lease_id: first.lease_id });
  edit('a.txt', 'other\n');
  const second = JSON.parse(await refusal('snapshot_file', { path: 'b.txt', lease_id: first.lease_id })).error.details;
  assert.deepEqual(second.read_paths, ['a.txt']);
});

test('a model receives the new lease and the diff, and no hashes', async (t) => {
  const folder = repository(t, { 'a.txt': 'one\n\t"two"\nthree\n' });
  const { call } = await connect(t, openings[0], { ...snapgen(folder), args: [...snapgen(folder).args, '--answers', 'text'] });
  await call('snapshot_create', { paths: ['.'] });
  const { content: [{ text: read }] } = await call('snapshot_file', { path: 'a.txt' });
  const [lease_id] = /lease_\w+/.exec(read);
  writeFileSync(join(folder, 'a.txt'), 'one\n\t"TWO"\nthree\n');
  const { content: [{ text }] } = await call('snapshot_file', { path: 'a.txt', lease_id });
  assert.match(text, /^STALE_LEASE: .*a\.txt changed.*\nchanged_paths: a\.txt\n--- a\/a\.txt\n\+\+\+ b\/a\.txt\n@@ .*\n one\n-\t"two"\n\+\t"TWO"\n three$/);
  const [, renewed] = /repeat the call with lease_id: "(lease_\w+)"/.exec(text);
  const retried = await call('snapshot_file', { path: 'a.txt', lease_id: renewed });
  assert.ok(!retried.isError);
});
