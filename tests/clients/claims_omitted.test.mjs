// What answers claim about files that snapshots and work trees omit is so, as in claims.test.mjs.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { served } from './claims.mjs';

describe('what a snapshot omits', () => {
  test('an ignored file of the task is named by each comparison with its snapshot', async (t) => {
    const { folder, text, write } = await served(t, { '.gitignore': '.env\n', 'a.txt': 'a\n' });
    write('.env', 'S=1\n');
    mkdirSync(join(folder, 'vend'));
    execFileSync('git', ['init', '-q', join(folder, 'vend')]);
    write('vend/x', 'x\n');
    const id = /snap_[0-9a-f]{10}/.exec(await text('snap', { mode: 'start', task: 'x', files: ['.env'] }))[0];
    write('.env', 'S=2\n');
    const sentence = 'The ignored file .env is not in the snapshot.';
    for (const [tool, args] of [
      ['snap_fix', { action: 'diff', id }],
      ['snap_fix', { action: 'restore', id }],
      ['snapback_session', { op: 'stats' }],
      ['snap_end', {}],
    ]) {
      const answer = await text(tool, args);
      assert.ok(answer.includes(sentence), answer);
      assert.ok(answer.includes('The nested repository vend is omitted'), answer);
    }
  });

  test('a file that a sparse checkout omits is not called missing', async (t) => {
    const { text, git } = await served(t, { 'src/a.txt': 'a\n', 'tests/b.txt': 'b\n' });
    git('sparse-checkout', 'set', '--no-cone', '/src/');
    const sentence = 'tests/b.txt is in HEAD, but not checked out (sparse checkout).';
    for (const [tool, args] of [
      ['snapshot_file', { path: 'tests/b.txt' }],
      ['snap', { mode: 'start', task: 'x', files: ['tests/b.txt'] }],
      ['check', { mode: 'quick', files: ['tests/b.txt'] }],
      ['snapback_analyze', { type: 'risk', files: ['tests/b.txt'] }],
    ]) {
      const answer = await text(tool, args);
      assert.ok(answer.includes(sentence), answer);
    }
  });
});
