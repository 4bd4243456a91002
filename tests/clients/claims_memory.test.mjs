// What answers claim about recorded learnings is so, as in claims.test.mjs.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { served } from './claims.mjs';
import { build } from './servers.mjs';

describe('what was learned', () => {
  test('a learning on a changed file is recalled', async (t) => {
    const { text, json, write } = await served(t, { 'src/price.ts': 'export const a = 1;\n' });
    await text('snapback_learn', { trigger: 'zzz', action: 'qqq', files: ['src/price.ts'] });
    await text('snap', { mode: 'start', task: 'unrelated' });
    assert.match(await text('snapback_session', { op: 'recommendations' }), /^0 learnings fit;/);
    write('src/price.ts', 'export const a = 2;\n');
    assert.match(await text('snapback_session', { op: 'recommendations' }), /^1 learning fits;/);
    assert.match(await text('snap', { mode: 'context' }), /zzz:→qqq/);
    assert.equal((await json('snapback_analyze', { type: 'risk' })).data.learnings.length, 1);
  });

  test('lines of the memory that cannot be read are counted, and remain', async (t) => {
    const { folder, text } = await served(t, { 'a.txt': 'a\n' });
    await text('snap_learn', { trigger: 'price', action: 'sum it', type: 'pattern' });
    for (let i = 0; i < 3; ++i) await text('snap_violation', { type: 'todo_left', file: 'a.txt', description: 'x' });
    const memory = join(folder, '.snapback/learnings');
    for (const name of readdirSync(memory).filter((each) => each.endsWith('.jsonl')))
      writeFileSync(join(memory, name), readFileSync(join(memory, name), 'utf8').replace(/^/gm, '{').replace(/\{$/, ''));
    const sentence = '4 lines in .snapback/learnings cannot be read.';
    for (const [tool, args] of [
      ['snap', { mode: 'start', task: 'price' }],
      ['snap', { mode: 'context' }],
      ['snapback_session', { op: 'recommendations' }],
      ['snapback_analyze', { type: 'risk' }],
      ['check', { mode: 'patterns', files: ['a.txt'] }],
    ]) {
      const answer = await text(tool, args);
      assert.ok(answer.includes(sentence), answer);
    }
    let doctor;
    try {
      doctor = execFileSync(join(build, 'snap'), ['doctor', '--workspace', folder], { encoding: 'utf8' });
    } catch (error) {
      doctor = error.stdout;
    }
    assert.ok(doctor.replace(/\s+/g, ' ').includes(sentence), doctor);
    await text('snap_learn', { trigger: 'other', action: 'do it', type: 'pattern' });
    const lines = readFileSync(join(memory, 'user-learnings.jsonl'), 'utf8').trim().split('\n');
    assert.deepEqual([lines.length, lines[0].startsWith('{{')], [2, true]);
  });

  test('a folder of the memory that is a symlink is not called a file to omit', async (t) => {
    const { folder, text } = await served(t, { 'a.txt': 'a\n' });
    mkdirSync(join(folder, '.snapback'));
    symlinkSync('/tmp', join(folder, '.snapback/learnings'));
    const answer = await text('snap_learn', { trigger: 'x', action: 'y', type: 'pattern' });
    assert.doesNotMatch(answer, /Omit that file/);
    assert.match(answer, /Ask the user to move it away\.$/);
  });
});
