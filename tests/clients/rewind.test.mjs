// The history: the server records what tools, shell commands and other programs change, and models and people return to
// a recorded state or undo one of several changes.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { fitsTool } from './cli_repository.mjs';
import { json, run } from './commands.mjs';
import { logged } from './facade.mjs';
import { firstState, momentOf } from './moments.mjs';
import { connect, openings } from './sdks.mjs';
import { repository, snapgen } from './servers.mjs';
import { sharedServer } from './shared_server.mjs';

const lines = (changed = {}) => Array.from({ length: 12 }, (_, i) => `${changed[i + 1] ?? `line ${i + 1}`}\n`).join('');
const files = {
  'a.txt': lines(), 'src/b.bin': Buffer.from([0, 255, 10, 13, 0]), 'src/run.sh': 'true\n', '.gitignore': '.env\n', '.snapback/.gitignore': '*\n',
};

const server = sharedServer(openings[0]);

// Returns a workspace whose first state is recorded. `prepare(folder)` changes it before.
async function recording(t, prepare = () => {}) {
  const folder = server.repository(t, files);
  prepare(folder);
  const { call } = await server.connection(folder);
  await firstState(call);
  const made = async (tool, args) => {
    const result = await call(tool, args);
    assert.ok(!result.isError, `${tool}: ${result.content[0].text}`);
    return result.structuredContent;
  };
  return {
    folder, call, made,
    content: (path) => readFileSync(join(folder, path), 'utf8'),
    // Changes a file as another program does, and returns the moment of the change.
    write: async (path, content, after) => {
      writeFileSync(join(folder, path), content);
      return momentOf(call, path, 'modified', after);
    },
    shell: (command) => execFileSync('sh', ['-c', command], { cwd: folder }),
  };
}

describe('history_rewind', () => {
  test('restores what a shell command deleted, byte for byte and with permissions', async (t) => {
    const { folder, call, made, shell } = await recording(t, (at) => {
      writeFileSync(join(at, '.env'), 'KEY=1\n', { mode: 0o600 });
      writeFileSync(join(at, 'src/untracked.txt'), 'not in git\n');
      chmodSync(join(at, 'src/run.sh'), 0o755);
    });
    const paths = ['.env', 'a.txt', 'src/b.bin', 'src/run.sh', 'src/untracked.txt'];
    const state = () => paths.map((path) => [path, readFileSync(join(folder, path)).toString('base64'), statSync(join(folder, path)).mode]);
    const before = state();
    shell('rm -rf src a.txt .env');
    const { moment, changes } = await momentOf(call, 'src/run.sh', 'deleted');
    assert.ok(changes.every(({ by }) => by === 'outside'), JSON.stringify(changes));
    const planned = await made('history_rewind', { target: moment, dry_run: true });
    assert.deepEqual(planned.changes, paths.map((path) => ({ kind: 'created', path })));
    assert.equal(planned.undo_with, undefined);
    assert.ok(!existsSync(join(folder, 'src')), 'a dry run changes nothing');
    const done = await made('history_rewind', { target: moment });
    assert.deepEqual(done.changes, planned.changes);
    assert.deepEqual(state(), before);
    assert.equal((await made('snapshot_file', { path: 'a.txt', lease_id: done.lease_id })).lease_id, done.lease_id);
    // The rewind is a moment, too.
    const undone = await made('history_undo', { target: done.undo_with });
    assert.ok(undone.done);
    for (const path of paths) assert.ok(!existsSync(join(folder, path)), path);
    await made('history_rewind', { target: undone.undo_with });
    assert.deepEqual(state(), before);
  });

  test('restores only the named paths, and logs what it replaces', async (t) => {
    const { folder, content, made, shell, call } = await recording(t);
    shell('echo x >> a.txt; echo y >> src/run.sh; echo z > new.txt');
    const { moment } = await momentOf(call, 'new.txt', 'created');
    const done = await made('history_rewind', { target: moment, paths: ['src'] });
    assert.deepEqual(done.changes, [{ kind: 'replaced', path: 'src/run.sh' }]);
    assert.deepEqual(done.foreign_lines, [{ by: 'outside', lines: ['2'], path: 'src/run.sh' }]);
    assert.equal(content('src/run.sh'), files['src/run.sh']);
    assert.equal(content('a.txt'), `${files['a.txt']}x\n`);
    const all = await made('history_rewind', { target: moment });
    assert.deepEqual(all.changes, [{ kind: 'replaced', path: 'a.txt' }, { kind: 'deleted', path: 'new.txt' }]);
    const entries = await logged(folder, 'audit', (entered) => entered.length >= 2);
    assert.deepEqual(entries.map(({ event, paths }) => [event, paths]), [['rewind', ['src/run.sh']], ['rewind', ['a.txt', 'new.txt']]]);
  });

  test('accepts a time', async (t) => {
    const { call, content, made, write } = await recording(t);
    const second_ms = 1000;
    const next = Math.ceil(Date.parse(await firstState(call)) / second_ms) * second_ms + second_ms;
    while (Date.now() < next) await call('history_list', {});
    await write('a.txt', 'changed\n');
    await made('history_rewind', { target: `${new Date(next - second_ms).toISOString().slice(0, 19)}Z` });
    assert.equal(content('a.txt'), files['a.txt']);
  });

  test('reports what of git moved, and moves it back with git', async (t) => {
    const { call, folder, made, shell } = await recording(t);
    const state = () => execFileSync('sh', ['-c', 'git rev-parse HEAD; git for-each-ref refs/heads; git ls-files --stage; git status --porcelain'],
      { cwd: folder, encoding: 'utf8' });
    const before = state();
    shell('git -c user.name=a -c user.email=a@b commit -q --amend -m other; git branch extra; echo x > a.txt; git add a.txt');
    const { moment } = await momentOf(call, 'a.txt', 'modified');
    const planned = await made('history_rewind', { target: moment, dry_run: true });
    assert.equal(planned.git.moved_back, false);
    assert.match(planned.git.moved.join('\n'), /^HEAD moved from .*\nbranch extra was created at .*\nthe index changed in 1 file$/);
    const done = await made('history_rewind', { target: moment, git: true });
    assert.ok(done.git.moved_back);
    assert.equal(state(), before);
    const refused = await call('history_rewind', { target: moment, git: true, paths: ['a.txt'] });
    assert.match(refused.content[0].text, /INVALID_ARGUMENT/);
  });

  test('does not change files that no tool may change', async (t) => {
    const { call, content, made, shell } = await recording(t);
    shell('echo {} > .mcp.json; echo x >> a.txt');
    const { moment } = await momentOf(call, '.mcp.json', 'created');
    const done = await made('history_rewind', { target: moment });
    assert.deepEqual(done.spared, [{ path: '.mcp.json', reason: 'protected_file' }]);
    assert.equal(content('.mcp.json'), '{}\n');
    assert.equal(content('a.txt'), files['a.txt']);
  });
});

describe('history_undo', () => {
  test('undoes one of several edits and retains the later ones', async (t) => {
    const { call, content, made, write } = await recording(t);
    await made('workspace_edit', { edits: [{ path: 'a.txt', old: 'line 2\n', new: 'two\n' }] });
    const { moment, changes } = await momentOf(call, 'a.txt', 'modified');
    assert.deepEqual(changes, [{ by: 'server', change: 'modified', path: 'a.txt' }]);
    await write('a.txt', lines({ 2: 'two', 9: 'nine' }), moment);
    const planned = await made('history_undo', { target: moment, dry_run: true });
    assert.equal(planned.done, false);
    assert.deepEqual(planned.files, [{ kind: 'replaced', path: 'a.txt' }]);
    assert.equal(content('a.txt'), lines({ 2: 'two', 9: 'nine' }));
    const undone = await made('history_undo', { target: moment });
    assert.ok(undone.done);
    assert.equal(content('a.txt'), lines({ 9: 'nine' }));
    const again = await made('history_undo', { target: undone.undo_with });
    assert.ok(again.done);
    assert.equal(content('a.txt'), lines({ 2: 'two', 9: 'nine' }));
  });

  test('reports lines that were changed again, and undoes the rest if partial', async (t) => {
    const { content, made, write } = await recording(t);
    const { moment } = await write('a.txt', lines({ 2: 'two', 9: 'nine' }));
    await write('a.txt', lines({ 2: 'zwei', 9: 'nine' }), moment);
    const refused = await made('history_undo', { target: moment });
    assert.equal(refused.done, false);
    assert.deepEqual(refused.conflicts.map(({ path, lines: at }) => [path, at]), [['a.txt', ['2']]]);
    assert.match(refused.conflicts[0].reason, /^[A-Z].*\.$/);
    assert.equal(content('a.txt'), lines({ 2: 'zwei', 9: 'nine' }));
    const partial = await made('history_undo', { target: moment, partial: true });
    assert.ok(partial.done);
    assert.equal(partial.conflicts.length, 1);
    assert.equal(content('a.txt'), lines({ 2: 'zwei' }));
  });

  test('undoes only the named lines', async (t) => {
    const { content, made, write } = await recording(t);
    const { moment } = await write('a.txt', lines({ 2: 'two', 9: 'nine' }));
    const undone = await made('history_undo', { target: moment, paths: ['a.txt:8-10'] });
    assert.ok(undone.done);
    assert.equal(content('a.txt'), lines({ 2: 'two' }));
  });

  test('accepts an undo snapshot', async (t) => {
    const { call, content, made, write } = await recording(t);
    const { undo } = await made('workspace_edit', { edits: [{ path: 'a.txt', old: 'line 2\n', new: 'two\n' }] });
    const { moment } = await momentOf(call, 'a.txt', 'modified');
    await write('a.txt', lines({ 2: 'two', 9: 'nine' }), moment);
    assert.ok((await made('history_undo', { target: undo })).done);
    assert.equal(content('a.txt'), lines({ 9: 'nine' }));
  });
});

test('history_note, which no list has, names what a hook reports', async (t) => {
  const { call, write, made } = await recording(t);
  const note = async (args) => assert.deepEqual((await call('history_note', { host: 'claude', session: 's', turn: 'p', ...args })).content, [{ type: 'text', text: '{}' }]);
  await note({ kind: 'prompt', detail: 'Change the file' });
  await made('history_list', {});  // Records the state at the prompt.
  await note({ kind: 'tool_begin', tool: 'Bash', call: 'c1', detail: "sed -i s/a/b/ a.txt" });
  const { moment } = await write('a.txt', 'changed\n');
  await note({ kind: 'tool_end', tool: 'Bash', call: 'c1', detail: '' });
  const [turn] = (await made('history_list', { target: moment })).turns;
  assert.deepEqual([turn.host, turn.prompt], ['claude', 'Change the file']);
  assert.match(turn.moments[0].changes[0].by, /sed -i s\/a\/b\/ a\.txt/);
  assert.match((await call('history_note', { host: 'claude', kind: 'unknown' })).content[0].text, /INVALID_ARGUMENT/);
});

test('history_list has pages, and the changes of a path or a target', async (t) => {
  const { call, made, shell, write } = await recording(t);
  const { moment: first } = await write('a.txt', 'one\n');
  shell('echo x > new.txt');
  const { moment: second } = await momentOf(call, 'new.txt', 'created');
  const ids = ({ turns }) => turns.flatMap(({ moments }) => moments.map(({ moment }) => moment));
  const page = await made('history_list', { max_moments: 1 });
  assert.deepEqual(ids(page), [second]);
  assert.deepEqual(ids(await made('history_list', { max_moments: 1, cursor: page.next_cursor })), [first]);
  assert.deepEqual(ids(await made('history_list', { paths: ['a.txt'] })), [first]);
  assert.deepEqual(ids(await made('history_list', { target: first })), [first]);
  assert.deepEqual(ids(await made('history_list', { target: page.turns[0].turn })), [second, first]);
});

test('a wrong argument returns a sentence that says what to send', async (t) => {
  const { call, write } = await recording(t);
  await write('a.txt', 'changed\n');
  for (const [tool, args, code] of [
    ['history_rewind', { target: 'yesterday-ish' }, 'INVALID_ARGUMENT'], ['history_rewind', { target: 'm999' }, 'NOT_FOUND'],
    ['history_rewind', { target: 't999' }, 'NOT_FOUND'], ['history_rewind', { target: '2001-01-01 00:00' }, 'NOT_FOUND'],
    ['history_undo', { target: 'snap_0000000000' }, 'NOT_FOUND'], ['history_undo', { target: 'm999' }, 'NOT_FOUND'],
    ['history_undo', { target: '0 seconds ago' }, 'INVALID_ARGUMENT'], ['history_undo', { target: 'm1', paths: ['src'] }, 'NOT_FOUND'],
    ['history_undo', { target: 'm1', paths: ['a.txt:3-2'] }, 'INVALID_ARGUMENT'], ['history_undo', { target: 'm1', paths: ['../x'] }, 'INVALID_ARGUMENT'],
    ['history_list', { cursor: 'next' }, 'INVALID_ARGUMENT'], ['history_list', { target: 'm999' }, 'NOT_FOUND'],
  ]) {
    const result = await call(tool, args);
    assert.ok(result.isError, `${tool} ${JSON.stringify(args)}`);
    const { error } = JSON.parse(result.content[0].text);
    assert.equal(error.code, code, `${tool} ${JSON.stringify(args)}: ${error.message}`);
    assert.match(error.message, /^[A-Z].*\.$/);
  }
});

test('the profile first has the tools in the tier free, and the settings can switch the history off', async (t) => {
  const start = async (config) => {
    const folder = repository(t, { ...files, '.snapback/config.json': JSON.stringify(config) });
    const { args, command } = snapgen(folder);
    return connect(t, openings[0], { command, args: [...args, '--profile', 'first'], env: { ...process.env, SNAPBACK_TIER: 'free' } });
  };
  const { call } = await start({});
  await firstState(call);
  for (const tool of ['history_rewind', 'history_undo'])
    assert.match((await call(tool, { target: 'm999' })).content[0].text, /NOT_FOUND/);
  const off = await start({ history: { mode: 'off' } });
  for (const [tool, args] of [['history_list', {}], ['history_rewind', { target: 'm1' }], ['history_undo', { target: 'm1' }]]) {
    const result = await off.call(tool, args);
    assert.ok(result.isError);
    assert.match(JSON.parse(result.content[0].text).error.message, /^The history is off\b/);
  }
});

test('snap history, rewind and undo do the same for people', async (t) => {
  const { content, folder, write } = await recording(t);
  const { moment } = await write('a.txt', lines({ 2: 'two', 9: 'nine' }));
  const listed = await run(folder, ['history', '--path', 'a.txt']);
  assert.match(listed.out, new RegExp(`^t\\d+ .*\\n  ${moment} .* 1 file: a\\.txt modified \\(outside\\)\\n`));
  const { value: list } = await json(folder, ['history', moment]);
  await fitsTool('substrate/history_list.json', list);
  assert.equal(list.turns[0].moments[0].moment, moment);

  const planned = await run(folder, ['undo', moment, '--dry-run']);
  assert.match(planned.out, / replaced +a\.txt\nWould undo the change in 1 file\.\n/);
  assert.equal(content('a.txt'), lines({ 2: 'two', 9: 'nine' }));
  // Paths are relative to the current folder.
  const undone = await run(join(folder, 'src'), ['undo', moment, '../a.txt:2']);
  assert.equal(undone.code, 0, undone.errors);
  const [, back] = /Undone in 1 file\. To go back: snap undo (m\d+)\n$/.exec(undone.out);
  assert.equal(content('a.txt'), lines({ 9: 'nine' }));
  await fitsTool('substrate/history_undo.json', (await json(folder, ['undo', back])).value);
  assert.equal(content('a.txt'), lines({ 2: 'two', 9: 'nine' }));

  await write('a.txt', lines({ 2: 'zwei', 9: 'nine' }), back);
  const refused = await run(folder, ['undo', moment]);
  assert.equal(refused.code, 1);
  assert.match(refused.out, /Conflict: a\.txt lines 2\. .*\nNothing was changed\. --partial undoes what has no conflict\.\n/);
  const would = await run(folder, ['rewind', moment, '--dry-run']);
  assert.match(would.out, / replaced +a\.txt\n(.*\n)*Would rewind 1 file to the state after m\d+/);
  const rewound = await run(folder, ['rewind', moment, 'a.txt']);
  assert.match(rewound.out, /Rewound 1 file to the state after .*\. To go back: snap undo m\d+\n$/);
  assert.equal(content('a.txt'), lines());
  await fitsTool('substrate/history_rewind.json', (await json(folder, ['rewind', moment])).value);

  const wrong = await run(folder, ['rewind', 'nonsense']);
  assert.equal(wrong.code, 2);
  assert.match(wrong.errors, /nonsense.* snap history shows them\./);
  assert.match((await run(folder, ['history', 't999'])).errors, /no turn t999\. snap history shows the turns\./);
  assert.equal((await run(folder, ['undo', 'm999'])).code, 1);
});

test('snap history --pause makes the server record nothing until --resume', async (t) => {
  const { call, folder, made, shell } = await recording(t);
  const sentence = /^The history is paused since \d{4}-.*; snap history --resume continues it\.$/m;
  assert.match((await run(folder, ['history', '--pause'])).out, sentence);
  shell('echo x > paused.txt');
  assert.ok((await made('history_list', {})).paused_since);
  assert.match((await run(folder, ['doctor'])).out, /history .*The history is paused since /);
  assert.doesNotMatch((await run(folder, ['history', '--resume'])).out, sentence);
  const { changes } = await momentOf(call, 'paused.txt', 'created');
  assert.equal(changes[0].path, 'paused.txt');
  assert.equal((await made('history_list', {})).paused_since, undefined);
});
