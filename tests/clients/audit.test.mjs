// .snapback/logs/ records deleted and overwritten files and rejected calls of every family; errors of the facade
// propose next actions.
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { facadeTools, logged } from './facade.mjs';
import { connect, openings } from './sdks.mjs';
import { repository, snapgen } from './servers.mjs';

const workspace = (t, config = { tier: 'pro' }) => {
  const folder = repository(t, { 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n', 'd/e.txt': 'e\n' });
  mkdirSync(join(folder, '.snapback'));
  writeFileSync(join(folder, '.snapback/config.json'), JSON.stringify(config));
  return folder;
};
const text = (result) => result.content[0].text;

test('calls that overwrite or delete are in the audit log, and no other calls', async (t) => {
  const folder = workspace(t);
  const { call } = await connect(t, openings[0], snapgen(folder));
  const done = async (name, args) => {
    const result = await call(name, args);
    assert.ok(!result.isError, text(result));
    return result.structuredContent;
  };
  const { snapshot_id: id } = await done('snapshot_create', { paths: ['.'] });
  await done('workspace_write_file', { path: 'new.txt', content: 'n\n' });
  const patch = '--- a/b.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-b\n+B\n';
  await done('workspace_apply_patch', { patch, dry_run: true });
  await done('workspace_apply_patch', { patch, snapshot_id: id });
  assert.match(text(await call('snap_fix', { action: 'restore', id: `snap_${id.slice(7, 17)}`, dryRun: true })), /Would restore/);
  await done('workspace_write_file', { path: 'a.txt', content: 'password=sesame-0123456789\n' });
  await done('workspace_write_file', { path: 'a.txt', content: 'password=sesame-0123456789\n' });
  await done('workspace_apply_patch', { patch });
  await done('workspace_delete', { path: 'd', recursive: true });
  assert.match(text(await call('snap_fix', { action: 'restore', id: `snap_${id.slice(7, 17)}` })), /Restored 3 files from .* Deleted 1 file/);
  unlinkSync(join(folder, 'c.txt'));
  await done('snapback_snapshot_restore', { snapshot_id: id, files: ['c.txt'] });
  const lines = await logged(folder, 'audit', (all) => all.length >= 5);
  assert.deepEqual(lines.map(({ event }) => event).toSorted(), ['delete', 'overwrite', 'patch', 'restore', 'restore']);
  const entry = (event) => lines.find((one) => one.event === event);
  assert.equal(entry('overwrite').path, 'a.txt');
  assert.match(entry('overwrite').blob, /^[0-9a-f:sha]+/);
  assert.deepEqual(entry('patch').paths, ['b.txt']);
  assert.equal(entry('delete').path, 'd');
  assert.ok(entry('restore').safety_snapshot_id);
  for (const line of lines) {
    assert.match(line.id, /^audit_[a-z2-7]{12}$/);
    assert.ok(line.files >= 1 && Date.parse(line.at) > 0);
    assert.doesNotMatch(JSON.stringify(line), /sesame/);
  }
});

test('every family rejects paths outside the workspace or in .git, and logs them', async (t) => {
  const folder = workspace(t);
  const { call } = await connect(t, openings[0], snapgen(folder));
  const refused = [
    ['snapshot_file', { path: '../secret' }],
    ['snapshot_list', { path: '/etc' }],
    ['workspace_write_file', { path: '~/.ssh/authorized_keys', content: 'x' }],
    ['workspace_delete', { path: 'C:\\Windows' }],
    ['workspace_apply_patch', { patch: '--- /dev/null\n+++ b/.git/hooks/pre-commit\n@@ -0,0 +1 @@\n+x\n' }],
    ['workspace_apply_patch', { patch: '--- a/a.txt\n+++ b/../a.txt\n--- /dev/null\n+++ b/link/x\n@@ -0,0 +1 @@\n+x\n' }],
    ['workspace_edit', { edits: [{ path: '../out.txt', create: 'x' }, { path: 'a.txt', move_to: 'link/x' }] }],
    ['snapshot_file', { path: '.git/config' }],
    ['workspace_delete', { path: '.git', recursive: true }],
    ['snapback_analyze', { type: 'risk', files: ['../../etc/passwd'] }],
    ['snapback_analyze', { type: 'package', folder: '../..' }],
    ['snapback_prepare_workspace', { files: ['../secret'] }],
    ['snapback_learn', { type: 'pattern', trigger: 'a', action: 'b', files: ['../secret'] }],
    ['snap', { mode: 'start', task: 'look', files: ['../secret'] }],
  ];
  symlinkSync(tmpdir(), join(folder, 'link'));
  // A patch with a fault of another kind is no attempt.
  assert.match(text(await call('workspace_apply_patch', { patch: '--- a/none.txt\n+++ b/none.txt\n@@ -1 +1 @@\n-a\n+b\n' })), /"applied":false/);
  for (const [name, args] of refused) {
    const result = await call(name, args);
    const answer = text(result);
    if (['workspace_apply_patch', 'workspace_edit'].includes(name)) assert.match(answer, /"applied":false/);
    else assert.equal(result.isError, true, `${name}: ${answer}`);
  }
  const lines = await logged(folder, 'security', (all) => all.length >= refused.length);
  assert.deepEqual(lines.map(({ tool }) => tool.replaceAll('.', '_')), refused.map(([name]) => name));
  for (const line of lines) assert.ok(line.message && line.id && line.at);
});

test('next actions in errors of the facade can be called unchanged', async (t) => {
  const pro = await facadeTools(t, openings[0], workspace(t));
  const proposals = async ({ call, list }, name, args) => {
    const failure = JSON.parse(text(await call(name, args)));
    assert.equal(failure.ok, false);
    const names = (await list()).map((tool) => tool.name);
    for (const action of failure.next_actions ?? []) {
      assert.ok(names.includes(action.tool));
      assert.ok(!(await call(action.tool, action.args)).isError, `${action.tool} can be called`);
    }
    return (failure.next_actions ?? []).map((action) => action.tool);
  };
  assert.deepEqual(await proposals(pro, 'snapback_snapshot_restore', { snapshot_id: 'snap_0123456789' }), ['snapback_snapshot_list']);
  const free = await facadeTools(t, openings[0], workspace(t, {}), { tier: 'free' });
  assert.deepEqual(await proposals(free, 'snapback_snapshot_create', {}), ['snapback_session', 'snapback_meta']);
  assert.deepEqual(await proposals(free, 'snapback_analyze', { type: 'package', folder: '../..' }), []);
});
