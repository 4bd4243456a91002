// What answers claim about tasks of several sessions is so, as in claims.test.mjs.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { served } from './claims.mjs';
import { connect, openings } from './sdks.mjs';
import { snapgen } from './servers.mjs';

// Another server on the same work tree, as text.
async function other_server(t, folder) {
  const server = snapgen(folder);
  const start = { ...server, args: [...server.args, '--profile', 'full'], env: { ...process.env, SNAPBACK_TIER: 'enterprise' } };
  const { call } = await connect(t, openings[0], start, 'claude-code');
  return async (name, args = {}) => (await call(name, args)).content[0].text;
}

const task_in = (answer) => /task_[a-z2-7]{8}/.exec(answer)[0];

describe('tasks of several sessions', () => {
  test('a session ends its own task, although another one began later', async (t) => {
    const { folder, text } = await served(t, { 'a.txt': 'a\n' });
    const other = await other_server(t, folder);
    const own = task_in(await text('snap', { mode: 'start', task: 'A work' }));
    const foreign = task_in(await other('snap', { mode: 'start', task: 'B work' }));
    assert.match(await text('snap', { mode: 'context' }), new RegExp(`Current context: task ${own} \\(A work\\), and 1 more open`));
    assert.match(await text('snap_end'), /A→?\s?work.*completed/s);
    assert.match(await other('snapback_session', { op: 'stats' }), new RegExp(foreign));
  });

  test('a session that began no task asks which of several it means', async (t) => {
    const { folder, text, json } = await served(t, { 'a.txt': 'a\n' });
    const ids = [];
    for (const task of ['A work', 'B work']) ids.push(task_in(await text('snap', { mode: 'start', task })));
    const other = await other_server(t, folder);
    const answer = await other('snap_end');
    assert.match(answer, /2 tasks are open, and this session began none of them: /);
    for (const id of ids) assert.ok(answer.includes(id), answer);
    assert.match(await other('snap', { mode: 'context' }), /this session began none of the open tasks task_/);
    assert.match(await other('snap_end', { taskId: ids[0] }), /Task ended/);
    assert.match(await other('snap_end'), /Task ended/, 'the only open task is the default');
    assert.equal((await json('snapback_session', { op: 'recommendations' })).data.open_tasks, 0);
  });
});
