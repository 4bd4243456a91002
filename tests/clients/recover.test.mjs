// A workspace that was deleted with its .git: the history has a copy elsewhere, and `snap recover` restores from it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { json, onTerminal, run } from './commands.mjs';
import { firstState, momentOf } from './moments.mjs';
import { connect, openings } from './sdks.mjs';
import { repository, snapgen } from './servers.mjs';

const files = { 'a.txt': 'one\n', 'src/run.sh': 'true\n', '.gitignore': '.env\n' };

// Returns a workspace whose first state is recorded, and the environment with its folder of copies.
async function recording(t, config = {}) {
  const state = mkdtempSync(join(tmpdir(), 'snapgen-state-'));
  t.after(() => rmSync(state, { recursive: true, force: true }));
  const folder = repository(t, { ...files, '.snapback/config.json': JSON.stringify(config) });
  writeFileSync(join(folder, '.env'), 'KEY=1\n', { mode: 0o600 });
  chmodSync(join(folder, 'src/run.sh'), 0o755);
  const { args, command } = snapgen(folder);
  const { call } = await connect(t, openings[0], { command, args, env: { ...process.env, XDG_STATE_HOME: state } });
  await firstState(call);
  return { call, env: { XDG_STATE_HOME: state }, folder };
}

test('snap recover restores a workspace that was deleted with its .git', async (t) => {
  const { call, env, folder } = await recording(t);
  const options = { env };
  writeFileSync(join(folder, 'a.txt'), 'two\n');
  await momentOf(call, 'a.txt', 'modified');
  const head = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: folder, encoding: 'utf8' }).slice(0, 10);
  const before = (await json(tmpdir(), ['recover'], options)).value.copies.find(({ workspace }) => workspace === folder);
  assert.ok(before.exists);
  assert.ok(before.bytes > 0);
  rmSync(folder, { recursive: true });
  const { content, isError } = await call('history_list', {});
  assert.ok(isError);
  assert.match(content[0].text, /no longer exists\. Restore the folder, with `snap recover`/);

  const listed = await run(tmpdir(), ['recover'], options);
  assert.ok(listed.out.includes(folder), listed.out + listed.errors);
  assert.match(listed.out, / deleted /);
  const recovered = await run(tmpdir(), ['recover', folder], options);
  assert.equal(recovered.code, 0, recovered.errors);
  assert.match(recovered.out, new RegExp(`^Restored \\d+ files in .*: the state after m\\d+, .*\\n(.*\\n)*The repository \\(\\.git\\) is not in the copy\\. HEAD was \\w+ ${head}: clone it again`));
  assert.equal(readFileSync(join(folder, 'a.txt'), 'utf8'), 'two\n');
  assert.equal(readFileSync(join(folder, '.env'), 'utf8'), 'KEY=1\n');
  assert.equal(statSync(join(folder, '.env')).mode & 0o777, 0o600);
  assert.equal(statSync(join(folder, 'src/run.sh')).mode & 0o777, 0o755);
  assert.ok(!existsSync(join(folder, '.git/HEAD')));

  const again = await run(tmpdir(), ['recover', folder], options);
  assert.equal(again.code, 2);
  assert.match(again.errors, /is not empty/);
  const elsewhere = join(env.XDG_STATE_HOME, 'elsewhere');
  const { value } = await json(tmpdir(), ['recover', elsewhere, '--from', folder, '--at', 'm1'], options);
  assert.equal(value.state.moment, 'm0');
  assert.equal(readFileSync(join(elsewhere, 'a.txt'), 'utf8'), 'one\n');
  const unknown = await run(tmpdir(), ['recover', join(elsewhere, 'x'), '--from', '/nowhere'], options);
  assert.equal(unknown.code, 1);
  assert.match(unknown.errors, /There is no copy of the history of \/nowhere\./);
});

test('snap recover restores the deleted workspace if a new one is at its path, and deletes its copy', async (t) => {
  const { env, folder } = await recording(t);
  const options = { env };
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  execFileSync('git', ['init', '-q'], { cwd: folder });
  writeFileSync(join(folder, 'new.txt'), 'new\n');
  const { args, command } = snapgen(folder);
  const { call } = await connect(t, openings[0], { command, args, env: { ...process.env, ...env } });
  await firstState(call);
  writeFileSync(join(folder, 'new.txt'), 'newer\n');
  await momentOf(call, 'new.txt', 'modified');
  assert.ok((await call('history_list', {})).structuredContent.recoverable, 'the list names the deleted history');

  const copies = async () => (await json(tmpdir(), ['recover'], options)).value.copies.filter(({ workspace }) => workspace === folder);
  const listed = await copies();
  assert.deepEqual(listed.map(({ exists }) => exists).sort(), [false, true]);
  const elsewhere = join(env.XDG_STATE_HOME, 'elsewhere');
  const recovered = await run(tmpdir(), ['recover', elsewhere, '--from', folder], options);
  assert.equal(recovered.code, 0, recovered.errors);
  assert.equal(readFileSync(join(elsewhere, 'a.txt'), 'utf8'), 'one\n');

  const { name } = listed.find(({ exists }) => !exists);
  const unasked = await run(tmpdir(), ['recover', '--delete', name], options);
  assert.equal(unasked.code, 2);
  assert.match(unasked.errors, /Pass --yes/);
  const refused = await onTerminal(tmpdir(), ['recover', '--delete', name], { ...options, lines: [[/Delete this copy\?/, 'n\n']] });
  assert.match(refused.out, /Delete this copy\?[^]*Nothing was changed\./);
  assert.equal((await copies()).length, 2);
  const deleted = await run(tmpdir(), ['recover', '--delete', name, '--yes'], options);
  assert.equal(deleted.out, `Deleted ${name}.\n`);
  assert.deepEqual((await copies()).map(({ exists }) => exists), [true]);
});

test('the settings can switch the copies off', async (t) => {
  const { env } = await recording(t, { history: { copies: false } });
  assert.deepEqual((await json(tmpdir(), ['recover'], { env })).value.copies, []);
});
