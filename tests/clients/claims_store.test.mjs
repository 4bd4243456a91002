// What answers claim about snapshots is so although another program has damaged the store, as in claims.test.mjs.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { served } from './claims.mjs';
import { build } from './servers.mjs';

const blobs = (folder) => join(folder, '.git/snapgen/blobs');

// Inverts all bytes after the header of each segment.
function damage(folder) {
  for (const name of readdirSync(blobs(folder))) {
    if (!name.endsWith('.seg')) continue;
    const path = join(blobs(folder), name);
    const bytes = Buffer.alloc(statSync(path).size);
    const file = openSync(path, 'r+');
    readSync(file, bytes, 0, bytes.length, 0);
    for (let i = 16; i < bytes.length; ++i) bytes[i] ^= 255;
    writeSync(file, bytes, 0, bytes.length, 0);
    closeSync(file);
  }
}

function remove(folder) {
  for (const name of readdirSync(blobs(folder))) rmSync(join(blobs(folder), name));
}

const id_in = (answer) => /snap_[0-9a-f]{10}/.exec(answer)[0];

describe('a damaged store', () => {
  for (const [what, harm] of [['damaged', damage], ['deleted', remove]]) {
    test(`a snapshot whose contents are ${what} is stored again before it is called present`, async (t) => {
      const { folder, text, write } = await served(t, { 'a.txt': 'a\n' });
      write('b.txt', 'only in the store\n');
      const id = id_in(await text('snapback_snapshot_create'));
      harm(folder);
      const again = await text('snapback_snapshot_create');
      assert.ok(again.startsWith(`The workspace is as in snapshot ${id}`), again);
      rmSync(join(folder, 'b.txt'));
      await text('snap_fix', { action: 'restore', id });
      assert.equal(readFileSync(join(folder, 'b.txt'), 'utf8'), 'only in the store\n');
    });

    test(`after the contents are ${what}, the next snapshot has the unchanged files too`, async (t) => {
      const { folder, text, write } = await served(t, { 'a.txt': 'a\n' });
      write('b.txt', 'only in the store\n');
      await text('snapback_snapshot_create');
      harm(folder);
      write('c.txt', 'another\n');
      const id = id_in(await text('snapback_snapshot_create'));
      for (const name of ['a.txt', 'b.txt', 'c.txt']) rmSync(join(folder, name));
      await text('snap_fix', { action: 'restore', id });
      for (const name of ['a.txt', 'b.txt', 'c.txt']) assert.ok(existsSync(join(folder, name)), name);
      const verified = spawnSync(join(build, 'snap'), ['store', 'verify', '--workspace', folder], { encoding: 'utf8' });
      assert.ok(/^result /m.test(verified.stdout) && !verified.stdout.includes(id), verified.stdout);
    });

    test(`an uncommitted file whose content is ${what} is not protected`, async (t) => {
      const { folder, json, write } = await served(t, { 'a.txt': 'a\n' });
      write('b.txt', 'only in the store\n');
      await json('snapback_snapshot_create');
      assert.equal((await json('snapback_prepare_workspace')).data.protectionScore, 100);
      harm(folder);
      assert.equal((await json('snapback_prepare_workspace')).data.protectionScore, 0);
    });

    test(`the undo snapshot of a write has the content although the stored one is ${what}`, async (t) => {
      const { folder, text, write } = await served(t, { 'a.txt': 'a\n' });
      write('b.txt', 'only in the store\n');
      await text('snapback_snapshot_create');
      harm(folder);
      const [, undo] = / undo (snap_[0-9a-f]{10})/.exec(await text('workspace_write_file', { path: 'b.txt', content: 'new\n' }));
      assert.match(await text('snap_fix', { action: 'restore', id: undo }), /Restored 1 file /);
      assert.equal(readFileSync(join(folder, 'b.txt'), 'utf8'), 'only in the store\n');
    });
  }
});
