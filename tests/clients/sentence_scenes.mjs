// Situations in which tools answer with sentences that calls in any repository do not have. Each scene begins in a
// repository with these files committed. `ask` calls the scene's tool, and its answer is part of the golden file; `call`
// calls another tool. `git`, `write` and `remove` change the repository.
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { diverge } from './servers.mjs';

const code = {
  'src/user.ts': 'export function findUser() {}\nexport function listUsers() {}\n', 'src/api.ts': "import { findUser } from './user';\n",
  'src/main.ts': "import './api';\n", 'src/user.test.ts': "import './user.js';\n", 'src/left.ts': "import './right';\n",
  'src/right.ts': "// one\nimport './left';\n", 'README.md': 'Call findUser(1) of src/user.ts.\n\nsrc/left.ts is old.\n',
};
const toy = { 'a.txt': 'a\n', 'b.txt': 'b\n' };
const snapshotOf = async (call, args = { paths: ['.'] }) => /snap_[0-9a-f]{10}/.exec(await call('snapshot_create', args))[0];
const violation = { type: 'console_log', file: 'src/user.ts', description: 'x', prevention: 'use the logger' };
const reminder = { type: 'use_utc', description: 'a local time was stored', prevention: 'store times in UTC' };
const manifest = JSON.stringify({ dependencies: { express: '^4.18.0' } });

export const scenes = {
  check: [
    { title: 'nothing changed', files: code, run: async ({ ask, call, write }) => {
      for (const mode of ['quick', 'impact', 'circular', 'docs']) await ask({ mode });
      write('src/user.ts', 'export const changed = {;\n');
      await call('snap', { mode: 'start', task: 'x' });
      await ask({ mode: 'quick' });
    } },
    { title: 'imports', files: code, run: async ({ ask, call, write }) => {
      await ask({ mode: 'impact', files: ['src/user.ts'] });
      await ask({ mode: 'circular', files: ['src/left.ts'] });
      await ask({ mode: 'circular', files: ['src/user.ts'] });
      await ask({ mode: 'impact', files: ['README.md'] });
      await call('snap', { mode: 'start', task: 'x', files: ['src/user.ts', 'src/api.ts'] });
      await ask({ mode: 'impact' });
      write('src/user.ts', 'export {};\n');
      await ask({ mode: 'impact' });
    } },
    { title: 'documents', files: code, run: async ({ ask, call, write, remove }) => {
      await call('snap', { mode: 'start', task: 'x' });
      await ask({ mode: 'docs' });
      write('src/user.ts', 'export function oneUser() {}\nexport function listUsers() {}\n');
      remove('src/left.ts');
      await ask({ mode: 'docs' });
    } },
    { title: 'no git', files: { 'package.json': '{}', 'a.md': 'a\n' }, run: async ({ ask, call, write, remove }) => {
      remove('.git');
      await call('snap', { mode: 'start', task: 'x' });
      write('a.md', 'b\n');
      await ask({ mode: 'docs' });
    } },
    { title: 'files that are not inspected', files: { 'a.py': 'x = 1\n', ...code }, run: async ({ ask, call, write, folder }) => {
      for (let i = 0; i < 3; ++i) await call('snap_violation', violation);
      await ask({ mode: 'patterns', files: ['a.py'] });
      await ask({ mode: 'patterns', files: ['src/user.ts'] });
      symlinkSync('gone.py', join(folder, 'd.py'));
      await ask({ mode: 'quick', files: ['d.py'] });
      write('c.py', Buffer.from('<<<<<<< HEAD\nx = (\n=======\n>>>>>>> b\n', 'utf16le'));
      await ask({ mode: 'quick', files: ['c.py'] });
    } },
    { title: 'programs', files: { 'package.json': JSON.stringify({ scripts: { test: 'cat out.txt' } }), 'out.txt': 'TAP version 13\nok 1 - t # todo\n1..1\n' },
      run: async ({ ask, write }) => {
        await ask({ mode: 'test' });
        write('out.txt', 'Ran 0 tests in 0.000s\n\nOK\n');
        await ask({ mode: 'test' });
        await ask({ mode: 'build' });
      } },
    { title: 'no known runner', files: { Rakefile: 'task :test\n', 'tests/__init__.py': '', 'tests/test_a.py': 'import unittest\n' },
      run: ({ ask }) => ask({ mode: 'test' }) },
    { title: 'CMake is not configured', files: { 'CMakeLists.txt': 'project(x)\n', 'build/CMakeCache.txt': 'A:B=c\n' }, run: ({ ask }) => ask({ mode: 'build' }) },
    { title: 'settings', files: { 'a.py': '' }, run: async ({ ask, write }) => {
      write('.snapback/config.json', '{"check":{"comands":[]}}');
      await ask({ mode: 'full' });
    } },
  ],
  snap: [
    { title: 'a task', files: toy, run: async ({ ask, write }) => {
      await ask({ mode: 'context' });
      await ask({ mode: 'start', task: 'mend', files: ['a.txt', 'none.txt'] });
      write('a.txt', 'c\n');
      await ask({ mode: 'start', task: 'mend again' });
      await ask({ mode: 'context' });
      for (const args of [{ mode: 'start' }, { mode: 'start', task: ' \n' }, { mode: 'begin' }, { mode: 'start', task: 'x', files: ['../outside'] }]) await ask(args);
    } },
  ],
  snap_end: [
    { title: 'a task', files: toy, run: async ({ ask, call, write }) => {
      await ask({});
      await ask({ outcome: 'completed', taskId: 'task_aaaaaaaa' });
      await call('snap', { mode: 'start', task: 'x' });
      await ask({ outcome: 'completed', taskId: 'task_aaaaaaaa' });
      write('a.txt', 'c\n');
      await ask({ outcome: 'completed', learnings: ['check the audience of a jwt'] });
    } },
    { title: 'a snapshot that is deleted', files: toy, run: async ({ ask, call, write, snap }) => {
      await call('snap', { mode: 'start', task: 'x' });
      write('a.txt', 'c\n');
      snap('snapshot', 'gc', '--keep-days', '0', '--keep-count', '0');
      await ask({});
    } },
  ],
  snap_learn: [
    { title: 'a learning', files: toy, run: async ({ ask }) => {
      await ask({ type: 'pitfall', trigger: 'jwt', action: 'check the audience' });
      await ask({ type: 'pitfall', trigger: 'jwt', action: 'check the audience' });
      for (const args of [{ type: 'pattern', trigger: '', action: 'x' }, { type: 'hunch', trigger: 'x', action: 'x' }, {}]) await ask(args);
    } },
  ],
  snap_violation: [
    { title: 'a violation', files: code, run: async ({ ask }) => {
      for (let i = 0; i < 4; ++i) await ask(violation);
      for (let i = 0; i < 4; ++i) await ask(reminder);
      for (const args of [{ type: 'Silent Catch', description: 'x' }, { type: 'x', description: 'y', file: '/etc/passwd' }, { type: 'x', description: 'y', taskId: 'task_aaaaaaaa' }])
        await ask(args);
    } },
  ],
  snap_fix: [
    { title: 'restores', files: { ...toy, '.mcp.json': '{}\n' }, run: async ({ ask, call, git, write, remove }) => {
      const id = await snapshotOf(call);
      remove('.mcp.json');
      write('a.txt', 'c\n');
      git('add', 'a.txt');
      await ask({ action: 'restore', id });
    } },
    { title: 'a merge', files: toy, run: async ({ ask, call, git, write }) => {
      diverge({ git, write }, { 'a.txt': 'other\n' }, { 'a.txt': 'ours\n' });
      const id = await snapshotOf(call);
      try { git('merge', 'other'); } catch { /* There is a conflict. */ }
      await ask({ action: 'restore', id });
    } },
    { title: 'a file that cannot be read', files: toy, run: async ({ ask, call, folder }) => {
      chmodSync(join(folder, 'b.txt'), 0);
      const id = await snapshotOf(call);
      await ask({ action: 'diff', id });
    } },
    { title: 'a snapshot of some paths', files: { ...toy, 'src/c.txt': 'c\n' }, run: async ({ ask, call }) => ask({ action: 'diff', id: await snapshotOf(call, { paths: ['src'] }) }) },
  ],
  workspace_write_file: [
    { title: 'content that would be lost', files: { ...toy, '.gitignore': '.env\n' }, run: async ({ ask, write }) => {
      write('.env', 'precious\n');
      await ask({ path: '.env', content: 'gone\n', discard: true });
      await ask({ path: '.env', content: 'gone\n' });
    } },
  ],
  snapshot_create: [
    { title: 'snapshots', files: toy, run: async ({ ask, call }) => {
      await call('snap', { mode: 'start', task: 'x' });
      for (const args of [{ paths: ['.'] }, { paths: ['a.txt'] }, { paths: ['none.txt'] }, { paths: ['../outside'] }, { paths: ['.snapback'] }, { paths: [] }]) await ask(args);
    } },
  ],
  snapshot_changes: [
    { title: 'two states', files: toy, run: async ({ ask, call, write }) => {
      const id = await snapshotOf(call);
      write('a.txt', 'c\n');
      for (const args of [
        {}, { mode: 'snapshot' }, { against: 'snap_0000000000', mode: 'worktree' }, { against: 'snap_0000000000', lease_id: 'lease_aaaaaaaaaaaaaaaa' },
        { against: 'snap_0000000000' }, { paths: ['none.txt'] },
      ]) await ask({ snapshot_id: id, ...args });
      await ask({ snapshot_id: 'snap_0000000000' });
    } },
  ],
  snapshot_diff: [
    { title: 'bases', files: toy, run: async ({ ask, write }) => {
      write('a.txt', 'c\n');
      for (const against of ['head', 'HEAD', 'main', 'snap_0000000000']) await ask({ against });
    } },
    { title: 'snapshots', files: toy, run: async ({ ask, call }) => {
      const id = await snapshotOf(call);
      for (const args of [{ untracked: true, against: id }, { mode: 'snapshot' }, { snapshot_id: id, mode: 'worktree' }, { snapshot_id: id, lease_id: 'lease_aaaaaaaaaaaaaaaa' },
        { paths: ['none.txt'] }, { snapshot_id: id, paths: ['none.txt'] }]) await ask(args);
    } },
  ],
  snapback_snapshot_create: [
    { title: 'a state that has a snapshot', files: toy, run: async ({ ask, git, write }) => {
      const files = ['a.txt'];
      for (const reason of ['one', 'two', 'two']) await ask({ files, reason });
      await ask({ reason: 'whole' });
      write('a.txt', 'c\n');
      await ask({ reason: 'changed' });
      git('checkout', '-q', 'a.txt');
      await ask({ reason: 'back' });
    } },
    { title: 'the tier free', tier: 'free', files: toy, run: ({ ask }) => ask({}) }, { title: 'the tier free without other tools', tier: 'free', profile: 'facade', files: toy, run: ({ ask }) => ask({}) },
  ],
  snapback_snapshot_list: [{ title: 'the tier free', tier: 'free', files: toy, run: ({ ask }) => ask({}) }, { title: 'the tier free without other tools', tier: 'free', profile: 'facade', files: toy, run: ({ ask }) => ask({}) }],
  snapback_snapshot_restore: [
    { title: 'questions', files: toy, run: async ({ ask, call, write }) => {
      const id = await snapshotOf(call);
      write('a.txt', 'c\n');
      await ask({ snapshot_id: id, confirm: true });
    } },
    { title: 'write rules', files: { ...toy, '.snapback/config.json': '{"writes":{"deny":["a.txt"]}}' }, run: async ({ ask, call, write }) => {
      const id = await snapshotOf(call);
      write('a.txt', 'c\n');
      await ask({ snapshot_id: id });
    } },
    { title: 'the tier free', tier: 'free', files: toy, run: ({ ask }) => ask({ snapshot_id: 'snap_0000000000' }) }, { title: 'the tier free without other tools', tier: 'free', profile: 'facade', files: toy, run: ({ ask }) => ask({ snapshot_id: 'snap_0000000000' }) },
  ],
  snapback_prepare_workspace: [
    { title: 'files', files: toy, run: async ({ ask, call, write }) => {
      await ask({ files: ['a.txt', 'none.txt'] });
      write('a.txt', 'c\n');
      await ask({ files: ['a.txt'] });
      await call('snapshot_create', { paths: ['.'] });
      await ask({});
    } },
  ],
  snapback_session: [{ title: 'a session', files: toy, run: async ({ ask }) => { await ask({ op: 'stats' }); await ask({ op: 'start', task: 'x' }); } }],
  snapback_validate: [
    { title: 'one file', files: code, run: async ({ ask, write }) => {
      await ask({ file_path: 'src/user.ts' });
      write('src/user.ts', 'export {};\n');
      await ask({ mode: 'comprehensive' });
    } },
  ],
  snapback_analyze: [
    { title: 'files', files: toy, run: async ({ ask }) => { await ask({ type: 'risk', files: ['none.txt'] }); await ask({ type: 'risk', files: ['none.txt', 'a.txt'] }); } },
    { title: 'packages', files: { ...toy, 'package.json': manifest, 'src/x.txt': 'x\n' }, run: async ({ ask, write }) => {
      await ask({ type: 'package', package: 'express', version: '5.0.0' });
      await ask({ type: 'package', package: 'express', version: 'banana' });
      await ask({ type: 'package', folder: 'src' });
      write('pyproject.toml', '[project\n');
      await ask({ type: 'package', package: 'numpy' });
    } },
    { title: 'a manifest that cannot be read', files: { ...toy, 'package.json': manifest }, run: async ({ ask, folder }) => {
      mkdirSync(join(folder, 'web'));
      symlinkSync('/etc/passwd', join(folder, 'web/package.json'));
      await ask({ type: 'package', folder: 'web' });
    } },
  ],
};
