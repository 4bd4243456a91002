// Answers about tasks, memory, risk and snapshots of the work.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { connect, openings } from './sdks.mjs';
import { served } from './served.mjs';
import { build, repository, snapgen } from './servers.mjs';

// Starts another server on the same work tree, whose answers are text.
async function other_server(t, folder) {
  const server = snapgen(folder);
  const start = { ...server, args: [...server.args, '--profile', 'full'], env: { ...process.env, SNAPBACK_TIER: 'enterprise' } };
  const { call } = await connect(t, openings[0], start, 'claude-code');
  return async (name, args = {}) => (await call(name, args)).content[0].text;
}

const task_in = (answer) => /task_[a-z2-7]{8}/.exec(answer)[0];

describe('the state of the work', () => {
  test('a snapshot is reused only if it is the present state', async (t) => {
    const { text, json, write, git } = await served(t, { 'src/a.c': 'int a;\n', 'tests/b.c': 'int b;\n' });
    const taken = async () => (await json('snapback_snapshot_create', {})).data;
    git('sparse-checkout', 'set', 'src');
    assert.equal((await taken()).files, 1);
    git('sparse-checkout', 'disable');
    assert.equal((await taken()).files, 2);
    git('config', 'status.showUntrackedFiles', 'no');
    write('c.c', 'int c;\n');
    assert.equal((await taken()).files, 3);
    git('update-index', '--assume-unchanged', 'src/a.c');
    write('src/a.c', 'int hidden;\n');
    const { alias, reused } = await taken();
    assert.equal(reused, false);
    assert.match(await text('snapshot_file', { path: 'src/a.c', snapshot_id: alias }), /int hidden;/);
    assert.deepEqual([(await taken()).alias, (await taken()).reused], [alias, true]);
  });

  test('answers say that submodules and nested repositories are not inspected', async (t) => {
    const inner = repository(t, { 's.txt': 's\n' });
    const { folder, text, write, git } = await served(t, { 'a.txt': 'a\n' });
    git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner, 'vendor/sub');
    git('commit', '-qm', 'with a submodule');
    const sentence = 'The nested repository vendor/sub is omitted from checks and snapshots, except files that you name.';
    assert.doesNotMatch(await text('snap', { mode: 'start', task: 'x' }), /nested/);
    const named = await text('snap', { mode: 'start', task: 'a file in it', files: ['vendor/sub/s.txt'] });
    assert.ok(named.includes(sentence) && !named.includes('Not committed'), named);
    await text('snap_end');
    write('vendor/sub/s.txt', 'precious\n');
    for (const [name, args] of [
      ['snapback_prepare_workspace', {}],
      ['check', { mode: 'quick' }],
      ['snapback_snapshot_create', {}],
      ['snapback_session', { op: 'stats' }],
      ['snap', { mode: 'start', task: 'y' }],
      ['snap_end', { outcome: 'completed' }],
    ])
      assert.ok((await text(name, args)).includes(sentence), name);
    assert.match(await text('snap', { mode: 'context' }), /1 file uncommitted, 0% protected\./);
    git('-C', 'vendor/sub', 'checkout', '-q', '.');
    mkdirSync(join(folder, 'nested'));
    git('init', '-q', 'nested');
    write('nested/n.txt', 'n\n');
    assert.match(await text('snapback_prepare_workspace'), /The nested repository nested is omitted/);
  });

  test('task files that cannot be read are not reported as missing', async (t) => {
    const { folder, text, write } = await served(t, { 'a.txt': 'a\n' });
    mkdirSync(join(folder, '.snapback/session/tasks'), { recursive: true });
    const id = 'task_aaaaaaaa'; // of an earlier version, which did not store tasks in the store
    write(`.snapback/session/tasks/${id}.json`, '{bad');
    const sentence = '1 file in .snapback/session cannot be read.';
    assert.ok((await text('snap', { mode: 'context' })).includes(`no open task. ${sentence}`));
    assert.ok((await text('snap_end', { outcome: 'completed' })).includes(sentence));
    assert.ok(existsSync(join(folder, `.snapback/session/tasks/${id}.json`)));
  });

  test('a risk is accepted only for files that exist', async (t) => {
    const { text } = await served(t, { 'a.txt': 'a\n' });
    assert.match(await text('snapback_acknowledge_risk', { reason: 'ok', files: ['none.txt'] }), /none\.txt does not exist, and has no risk\. Name files that exist\./);
  });

  test('a deletion is a change, and a missing context.json is named', async (t) => {
    const { folder, text } = await served(t, { 'src/auth.ts': 'export const a = 1\n' });
    assert.match(await text('snapback_analyze', { type: 'risk' }), /Nothing is changed/);
    unlinkSync(join(folder, 'src/auth.ts'));
    assert.match(await text('snapback_analyze', { type: 'risk' }), /The deletion of src\/auth\.ts is not committed\./);
    assert.match(await text('snapback_context', { op: 'blockers' }), /context\.json does not exist/);
  });

  test('one conflict is one blocker, wherever blockers are counted', async (t) => {
    const { json, write } = await served(t, { 'a.txt': 'a\n' });
    write('a.txt', '<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n');
    assert.equal((await json('snapback_prepare_workspace')).data.contextStatus.blockerCount, 1);
    assert.equal((await json('snapback_context', { op: 'blockers' })).data.blockers.length, 1);
  });

  test('the error for an unknown task names the tasks that are open', async (t) => {
    const { text } = await served(t, { 'a.txt': 'a\n' });
    const end = () => text('snap_end', { outcome: 'completed', taskId: 'task_aaaaaaaa' });
    assert.match(await end(), /code:NO_TASK.*\btask_aaaaaaaa\b.*\bsnap, mode start\b/s);
    const [open] = /task_[a-z2-7]{8}/.exec(await text('snap', { mode: 'start', task: 'x' }));
    assert.match(await end(), new RegExp(`code:NO_TASK.*\\btask_aaaaaaaa\\b.*\\b${open}\\b`, 's'));
  });

  test('learnings that share a subject are recalled, even if all their words are frequent', async (t) => {
    const { text } = await served(t, { 'a.txt': 'a\n' });
    for (let i = 0; i < 6; ++i) await text('snap_learn', { trigger: `token refresh case ${i}`, action: `do ${i}`, type: 'pattern' });
    assert.match(await text('snap', { mode: 'start', task: 'token refresh' }), /5 learnings may help\. /);
  });

  test('learnings are shown whole, in their words, or the answer names the call that returns them', async (t) => {
    const { folder, text } = await served(t, { 'a.txt': 'a\n' });
    const action = 'Update __all__ in the module | its stub, docs/api.rst, the table in README.rst and the tests; run `python -m unittest -k "all of it"` and doctest.';
    await text('snap_learn', { trigger: 'schema', action, type: 'pattern' });
    for (const mode of ['start', 'context']) {
      const answer = await text('snap', { mode, task: 'schema' });
      assert.ok(answer.endsWith(`\n- schema: ${action}`), answer);
    }
    await text('snap_learn', { trigger: 'schema', action: `${action} `.repeat(3), type: 'pattern' });
    const both = await text('snap', { mode: 'start', task: 'schema' });
    assert.match(both, /2 learnings may help, 1 shown; whole texts: snapback_session, op recommendations\. /);
    assert.ok((await text('snapback_session', { op: 'recommendations' })).includes(`${action} `.repeat(3).trim()));
    const { text: wire } = await served(t, { 'a.txt': 'a\n' }, { profile: 'wire' });
    await wire('snap_learn', { trigger: 'schema', action: `${action} `.repeat(3), type: 'pattern' });
    assert.match(await wire('snap', { mode: 'start', task: 'schema' }), /1 learning may help; whole texts: \.snapback\/learnings\/\*\.jsonl\. [^]*\n- Update __all__ [^]*…$/);
    assert.ok(readFileSync(join(folder, '.snapback/learnings/user-learnings.jsonl'), 'utf8').includes('its stub'));
  });

  test('the list of snapshots says what they were taken for, those of callers first', async (t) => {
    const { text } = await served(t, { 'a.txt': 'a\n' });
    await text('snapshot_create', { paths: ['.'], message: 'before the refactoring' });
    for (let i = 0; i < 6; ++i) await text('workspace_write_file', { path: 'a.txt', content: `${i}\n` });
    assert.match(await text('snap_fix'), /available\. snap_\w+ before the refactoring; snap_\w+ before .*; and \d more messages with limit \d+\.$/);
    const all = await text('snap_fix', { limit: 20 });
    const [count, messages] = [Number(/count:(\d+)/.exec(all)[1]), all.match(/snap_\w+ before [^;]+(?=[;.])/g)];
    assert.equal(messages.length, count);
    assert.match(messages[0], /^snap_\w+ before the refactoring$/);
    assert.match(messages[1], /\ba\.txt\b/);
  });

  test('a reminder is in the answer that begins a task', async (t) => {
    const { text } = await served(t, { 'a.txt': 'a\n' });
    for (let i = 0; i < 3; ++i) await text('snap_violation', { type: 'use_utc', file: 'a.txt', description: 'local time', prevention: 'store UTC' });
    assert.match(await text('snap', { mode: 'start', task: 'x' }), /\n- reminder, not checked: use_utc: store UTC$/);
  });

  test('an unknown package is reported as unknown, and an installed one is not proposed again', async (t) => {
    const { json } = await served(t, { 'package.json': '{"dependencies":{"zod":"^3.0.0"}}' });
    const summary = async (args) => {
      const { data, next_actions: actions } = await json('snapback_analyze', { type: 'package', ...args });
      return [data.packages.length, actions.some((one) => one.args.task?.startsWith('add the package'))];
    };
    assert.deepEqual(await summary({ package: 'zod' }), [1, false]);
    assert.deepEqual(await summary({ package: 'lodash' }), [1, true]);
    const text = (await served(t, { 'package.json': '{}' })).text;
    assert.match(await text('snapback_analyze', { type: 'package', package: 'lodash' }), /^lodash is neither in the 1 manifest nor installed, and no registry was asked, so whether it exists was not checked:/);
    assert.match(await text('snapback_analyze', { type: 'package', package: 'lodash', version: '4.17.21' }), /so whether version 4\.17\.21 of it exists was not checked:/);
    const python = (await served(t, { 'pyproject.toml': '[project]\nname = "a"\nversion = "1"\n' })).text;
    assert.match(await python('snapback_analyze', { type: 'package', package: 'mypy' }), /^mypy is not in the 1 manifest, and no registry was asked/);
  });

  test('a package without a version is declared, and a range is compared with the declared one', async (t) => {
    const { json, text } = await served(t, { 'pyproject.toml': '[project]\nname = "a"\nversion = "1"\ndependencies = ["pydantic", "flask==2.0.1"]\n' });
    assert.match(await text('snapback_analyze', { type: 'package', package: 'pydantic' }), /^1 package checked in 1 manifest/);
    const { next_actions: actions } = await json('snapback_analyze', { type: 'package', package: 'pydantic' });
    assert.ok(!actions.some((one) => one.args.task?.startsWith('add the package')));
    assert.match(await text('snapback_analyze', { type: 'package', package: 'flask', version: '>=3' }), /pyproject\.toml asks for ==2\.0\.1, and no version is also in >=3\./);
    assert.match(await text('snapback_analyze', { type: 'package', package: 'flask[async]' }), /"flask\[async\]" is not the name of a package of PyPI\. Pass the name alone, and a version in `version`\./);
  });

  test('a proposal does not claim that unchecked files were checked', async (t) => {
    const { json, write } = await served(t, { 'a.c': 'int a;\n' });
    write('b.c', 'int b( {\n');
    const { data, next_actions: actions } = await json('snapback_validate', { file_path: 'a.c' });
    assert.deepEqual([data.passed, actions.filter((one) => one.tool === 'snapback_snapshot_create')], [true, []]);
  });

  test('a violation type that is only spelled differently is reported', async (t) => {
    const { text } = await served(t, { 'a.txt': 'a\n' });
    assert.match(await text('snap_violation', { type: 'Silent Catch', description: 'x' }), / Checks can detect silent_catch: report it under this name\./);
  });

  test('a task whose snapshot is deleted has no count of changes', async (t) => {
    const { folder, text, json, write } = await served(t, { 'a.txt': 'a\n' });
    const snap = (...words) => execFileSync(join(build, 'snap'), [...words, '--workspace', folder], { encoding: 'utf8' });
    for (const end of [async () => (await json('snapback_session', { op: 'end' })).data, async () => text('snap_end')]) {
      await text('snap', { mode: 'start', task: 'long work' });
      write('a.txt', 'changed\n');
      snap('snapshot', 'gc', '--keep-days', '0', '--keep-count', '0');
      const ended = await end();
      if (typeof ended === 'string') assert.match(ended, /\|learn:0L\|summary:[^]*\bnot counted\b.*\bsnapshot is deleted\b/);
      else assert.deepEqual([ended.changed_files, ended.added_lines, ended.truncated], [undefined, undefined, true]);
    }
    assert.match(snap('log'), /completed.*long work \(its changes were not counted\)/);
  });

  test('a check of named documents reports that it omits findings in others', async (t) => {
    const { text, write, git } = await served(t, { 'README.md': 'See src/gone.ts.\n', 'src/gone.ts': 'export const g = 1\n', 'src/other.ts': 'export const o = 1\n' });
    git('rm', '-q', 'src/gone.ts');
    git('commit', '-qm', 'remove');
    write('src/other.ts', 'export const o = 2\n');
    assert.match(await text('check', { mode: 'docs', files: ['src/other.ts'] }), /the files that the history deleted; only what names the passed files, or is in them, is reported/);
    assert.match(await text('check', { mode: 'docs' }), /names_gone|src\/gone\.ts/);
  });

  test('a package in a manifest that cannot be read is not reported as missing', async (t) => {
    const { json, text } = await served(t, { 'package.json': '{"name":"x" "dependencies":{"lodash":"^4.17.0"}}' });
    const { next_actions: actions } = await json('snapback_analyze', { type: 'package', package: 'lodash' });
    assert.match(await text('snapback_analyze', { type: 'package', package: 'lodash' }), /^lodash may be declared in what could not be read of the 1 manifest, and no registry was asked/);
    assert.ok(!actions.some((one) => one.args.task?.startsWith('add the package')));
  });

  test('the files of an ended task are those that it changed', async (t) => {
    const { folder, text, write } = await served(t, { 'a.txt': 'a\n', 'b.txt': 'b\n' });
    await text('snap', { mode: 'start', task: 'x', files: ['b.txt'] });
    write('a.txt', 'changed\n');
    await text('snap_end', { learnings: ['check b'] });
    const log = execFileSync(join(build, 'snap'), ['log', '--json', '--workspace', folder], { encoding: 'utf8' });
    const ended = JSON.parse(log).find((one) => one.state === 'completed');
    assert.deepEqual([ended.files, ended.file_count], [['a.txt'], 1]);
    assert.match(await text('snap', { mode: 'start', task: 'other words', files: ['b.txt'] }), /: check b$/);
  });

  test('after invalid arguments or with an invalid context.json, the proposed call is possible', async (t) => {
    const { json } = await served(t, { 'a.txt': 'a\n' });
    for (const content of [undefined, '{bad', '{"version":1}']) {
      if (content) await json('workspace_write_file', { path: '.snapback/ctx/context.json', content });
      for (const args of [{ op: 'constraint' }, { op: 'check', domain: 'a', name: 'b' }, { op: 'constraint', domain: 'a', name: 'b' }])
        for (const { tool, args: next } of (await json('snapback_context', args)).next_actions ?? []) assert.equal((await json(tool, next)).error, undefined, JSON.stringify(next));
    }
  });

  test('with broken settings, no answer offers the restore of single paths', async (t) => {
    const { folder, text } = await served(t, { 'a.txt': 'a\n' });
    const id = /snap_[0-9a-f]{10}/.exec(await text('snapshot_create', { paths: ['.'] }))[0];
    mkdirSync(join(folder, '.snapback'), { recursive: true });
    writeFileSync(join(folder, '.snapback/config.json'), '{bad');
    writeFileSync(join(folder, 'a.txt'), 'b\n');
    const { call } = await connect(t, openings[0], snapgen(folder));
    const refused = (await call('snap_fix', { action: 'restore', id })).content[0].text;
    assert.match(refused, /a\.txt may not be written: .*restart the server.* Report the error to the user\./);
    assert.doesNotMatch(refused, /single paths/);
  });

  test('the audit log lists the files whose risk the user accepted', async (t) => {
    const { folder, text, write } = await served(t, { 'a.txt': 'a\n' });
    write('a.txt', 'b\n');
    await text('snapback_acknowledge_risk', { reason: 'the user agrees' });
    const entry = JSON.parse(readFileSync(join(folder, '.snapback/logs/audit.jsonl'), 'utf8').trim().split('\n').at(-1));
    assert.deepEqual([entry.files, entry.file_count], [['a.txt'], 1]);
  });

  test('a proposed session has the files whose risk was measured', async (t) => {
    const { json, text } = await served(t, { 'src/auth/login.ts': 'export const a = 1\n' });
    const { data, next_actions: actions } = await json('snapback_analyze', { type: 'risk', files: ['src/auth/login.ts'] });
    const session = actions.find((one) => one.args.op === 'start');
    assert.deepEqual([data.risk_level, session.args.files], ['medium', ['src/auth/login.ts']]);
    assert.match(await text(session.tool, session.args), /Medium risk/);
  });

  test('a snapshot that existed before is reported as existing, with its new reason', async (t) => {
    const { json, text, write, git } = await served(t, { 'a.txt': 'a\n' });
    const files = ['a.txt'];
    assert.equal((await json('snapback_snapshot_create', { files, reason: 'one' })).data.reused, false);
    assert.match(await text('snapback_snapshot_create', { files, reason: 'two' }), /^These files are as in snapshot snap_[0-9a-f]{10}\b[^]*\nfiles: 1\nreused: true\n/);
    assert.equal((await json('snapback_snapshot_create', { files, reason: 'three' })).data.reused, true);
    await text('snapback_snapshot_create', { reason: 'whole' });
    write('a.txt', 'b\n');
    await text('snapback_snapshot_create', { reason: 'changed' });
    git('checkout', '-q', 'a.txt');
    assert.match(await text('snapback_snapshot_create', { reason: 'back' }), /^The workspace is as in snapshot .*\bnew reason was not stored\b/);
  });
});

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

  test('a session that began no task receives the list of open tasks to choose from', async (t) => {
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

describe('learnings', () => {
  test('a learning on a changed file is recalled', async (t) => {
    const { text, json, write } = await served(t, { 'src/price.ts': 'export const a = 1;\n' });
    await text('snapback_learn', { trigger: 'zzz', action: 'qqq', files: ['src/price.ts'] });
    await text('snap', { mode: 'start', task: 'unrelated' });
    assert.match(await text('snapback_session', { op: 'recommendations' }), /^0 learnings fit;/);
    write('src/price.ts', 'export const a = 2;\n');
    assert.match(await text('snapback_session', { op: 'recommendations' }), /^1 learning fits;/);
    assert.match(await text('snap', { mode: 'context' }), /zzz: qqq$/);
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
    assert.deepEqual([lines.length, lines[0].startsWith('{{')], [3, true], 'the line that was damaged is complete again');
  });

  test('a learning is recorded in the store if a symlink is in place of the folder of the copies', async (t) => {
    const { folder, text } = await served(t, { 'a.txt': 'a\n', 'b/c.txt': 'c\n' });
    mkdirSync(join(folder, '.snapback'));
    symlinkSync(join(folder, 'b'), join(folder, '.snapback/learnings'));
    await text('snap_learn', { trigger: 'dates', action: 'use the library', type: 'pattern' });
    assert.match(await text('snap', { mode: 'start', task: 'parse dates' }), /is a symlink; nothing is read or written through it\./);
    assert.deepEqual(readdirSync(join(folder, 'b')), ['c.txt']);
    unlinkSync(join(folder, '.snapback/learnings'));
    assert.match(await text('snap', { mode: 'start', task: 'parse dates' }), /\n- dates: use the library$/);
  });
});
