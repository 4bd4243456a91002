// What answers claim about diffs, patches and proposed changes is so, as in claims.test.mjs.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { served } from './claims.mjs';

describe('patches and diffs', () => {
  test('one file that is not UTF-8 does not encode the other parts of a diff', async (t) => {
    const { text, json, write } = await served(t, { 'a.txt': 'a\n', 'l.txt': 'l\n', 'z.txt': 'z\n' });
    write('a.txt', 'b\n');
    write('l.txt', Buffer.from([0x63, 0xe9, 0x0a]));
    write('z.txt', 'y\n');
    const answer = await text('snapshot_diff');
    assert.match(answer, /omitted l\.txt \+1 -1\n1 omitted file not in UTF-8; name only such files with paths to get base64\n/);
    assert.ok(answer.includes('\n+b\n') && answer.includes('\n+y\n') && !answer.includes('base64:'), answer);
    assert.match(await text('snapshot_diff', { paths: ['l.txt'] }), /\nbase64:/);
    const { diff } = await json('snapshot_diff');
    assert.ok(Buffer.from(diff.slice('base64:'.length), 'base64').includes(Buffer.from([0x63, 0xe9])));
  });
});
