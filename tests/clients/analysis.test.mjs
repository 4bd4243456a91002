// The modes of check that run no program: what a change affects, import cycles, and outdated documents.
import assert from 'node:assert/strict';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { onceOf, openings } from './sdks.mjs';
import { sharedServer } from './shared_server.mjs';
import { wireOf } from './wire.mjs';

const trap = (folder) => `touch ${folder}/executed`;

const files = {
  'tsconfig.json': '{"compilerOptions":{"baseUrl":".","paths":{"@/*":["src/*"]}}}',
  'src/user.ts': "export function findUser() {}\nexport function listUsers() {}\n",
  'src/api.ts': "import { findUser } from './user';\n",
  'src/main.ts': "import '@/api';\n",
  'src/user.test.ts': "import './user.js';\n",
  'src/left.ts': "import './right';\n",
  'src/right.ts': "// one\nimport './left';\n",
  'README.md': 'Call findUser(1) of src/user.ts.\n\nsrc/left.ts is old.\n',
};

for (const opening of openings) {
  describe(`check by analysis, ${opening.name}`, () => {
    const once = onceOf(opening);
    const server = sharedServer(opening, { args: ['--profile', 'wire'] });
    const start = async (t) => {
      const folder = server.repository(t, files);
      // Each command that a check could run creates a file, so the test notices if one runs.
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { test: trap(folder), build: trap(folder), lint: trap(folder) } }));
      writeFileSync(join(folder, 'Makefile'), `all:\n\t${trap(folder)}\n`);
      const tools = await wireOf(await server.connection(folder), folder);
      tools.git('add', '-A');
      tools.git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-q', '-m', 'more');
      t.after(() => assert.ok(!existsSync(join(folder, 'executed')), 'a check ran a command of the workspace'));
      return { folder, ...tools };
    };

    test('impact lists the affected files, nearest first, and the tests to run', async (t) => {
      const { ask } = await start(t);
      const named = await ask('check', { mode: 'impact', files: ['src/user.ts'] });
      assert.equal(named.code, 'C');
      assert.deepEqual(named.fields.slice(0, 6), ['status:⏭️', 'err:0E', 'warn:0W', 'ts:⏭️', 'lint:⏭️', 'tests:⏭️']);
      assert.equal(named.of.issues, 'src/api.ts→imports;→src/user.test.ts→imports;→src/main.ts→imports');
      assert.match(named.summary, /\b3 other files, 2 directly\..* Tests to run: src\/user\.test\.ts\./);
      const nothing = await ask('check', { mode: 'impact' });
      assert.equal(nothing.of.status, '⏭️');
      assert.match(nothing.summary, /\bPass files\b/);
    });

    once('impact before an edit covers the files that the task named', async (t) => {
      const { folder, ask } = await start(t);
      await ask('snap', { mode: 'start', task: 'rename a user', files: ['src/user.ts'] });
      const before = await ask('check', { mode: 'impact' });
      assert.equal(before.of.status, '⏭️', 'the impact report cannot fail');
      assert.match(before.summary, /\bsrc\/user\.ts affects 3 other files, 2 directly\b/);
      assert.equal(before.of.issues, 'src/api.ts→imports;→src/user.test.ts→imports;→src/main.ts→imports');
      writeFileSync(join(folder, 'README.md'), 'Edited first.\n');
      assert.match((await ask('check', { mode: 'impact' })).summary, /An edit of src\/user\.ts affects 3 other files/);
    });

    once('impact names as many affected files as the answer has space for, and counts the others', async (t) => {
      const { folder, ask } = await start(t);
      for (let i = 10; i < 70; ++i) writeFileSync(join(folder, `src/page${i}.ts`), "import './user';\n");
      const { summary } = await ask('check', { mode: 'impact', files: ['src/user.ts'] });
      assert.match(summary, /affects 63 other files, 62 directly\./);
      const [, listed, more] = /nearest first: (.*?)\. (\d+) more: cursor /.exec(summary);
      const paths = listed.split(', ');
      assert.ok(paths.length >= 5, summary);
      assert.equal(paths.length + Number(more), 63);
      assert.deepEqual(paths.slice(0, 3), ['src/api.ts', 'src/page10.ts', 'src/page11.ts']);
    });

    once('impact includes files that are written while the server runs', async (t) => {
      const { folder, ask } = await start(t);
      assert.match((await ask('check', { mode: 'impact', files: ['src/main.ts'] })).summary, /affects no other file/);
      writeFileSync(join(folder, 'src/new.ts'), "import './main';\n");
      assert.match((await ask('check', { mode: 'impact', files: ['src/main.ts'] })).summary, /affects 1 other file, 1 directly/);
      rmSync(join(folder, 'src/new.ts'));
      assert.match((await ask('check', { mode: 'impact', files: ['src/main.ts'] })).summary, /affects no other file/);
    });

    once('an import cycle is an error in the named files, and a warning elsewhere', async (t) => {
      const { ask } = await start(t);
      const elsewhere = await ask('check', { mode: 'circular' });
      assert.deepEqual([elsewhere.of.status, elsewhere.of.err, elsewhere.of.warn], ['✓', '0E', '1W']);
      assert.match(elsewhere.summary, /src\/left\.ts:1: circular src\/left\.ts > src\/right\.ts > src\/left\.ts/);
      const here = await ask('check', { mode: 'circular', files: ['src/right.ts'] });
      assert.deepEqual([here.of.status, here.of.err, here.of.warn, here.of.lint], ['✗', '1E', '0W', '⏭️']);
      assert.match(here.summary, /^Import cycle check failed\..*Correct these and check again\.$/s);
    });

    once('the document check finds documents that name deleted or changed code', async (t) => {
      const { folder, ask } = await start(t);
      await ask('snap', { mode: 'start', task: 'rename' });
      const consistent = await ask('check', { mode: 'docs' });
      assert.equal(consistent.of.status, '✓');
      assert.match(consistent.summary, /\b1 document\b/);
      writeFileSync(join(folder, 'src/user.ts'), 'export function oneUser() {}\nexport function listUsers() {}\n');
      rmSync(join(folder, 'src/left.ts'));
      const behind = await ask('check', { mode: 'docs' });
      assert.deepEqual([behind.of.status, behind.of.err, behind.of.warn], ['✗', '2E', '0W']);
      assert.equal(behind.of.issues, 'README.md:1→names_gone;→README.md:3→names_gone');
      assert.match(behind.summary, /\bfindUser of src\/user\.ts;.* src\/left\.ts\b/);
      writeFileSync(join(folder, 'README.md'), 'Call oneUser().\n');
      assert.equal((await ask('check', { mode: 'docs' })).of.status, '✓');
    });

    once('the document check finds documents that name a file that an earlier commit deleted', async (t) => {
      const { folder, ask, git } = await start(t);
      git('rm', '-q', 'src/left.ts', 'src/right.ts');
      git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-q', '-m', 'delete');
      const check = async () => {
        const { of, summary } = await ask('check', { mode: 'docs' });
        assert.deepEqual([of.status, of.err, of.warn, of.issues], ['✗', '1E', '0W', 'README.md:3→names_gone']);
        assert.match(summary, /README\.md:3: names_gone src\/left\.ts\. /);
      };
      await check();
      await ask('snap', { mode: 'start', task: 'another' });
      await check();
      writeFileSync(join(folder, 'src/new.ts'), 'export {};\n');
      await check();
    });

    once('a task\'s risk counts the files that depend on a named file', async (t) => {
      const { folder, ask } = await start(t);
      for (let i = 0; i < 9; ++i) writeFileSync(join(folder, `src/user${i}.ts`), "import './user';\n");
      const line = await ask('snap', { mode: 'start', task: 'x', files: ['src/user.ts'] });
      assert.match(line.summary, /src\/user\.ts: 12 files depend on it/);
    });

    once('a check without changed files is skipped, not passed', async (t) => {
      const { folder, ask } = await start(t);
      const nothing = await ask('check', { mode: 'quick' });
      assert.deepEqual([nothing.of.status, nothing.of.lint], ['⏭️', '⏭️']);
      assert.doesNotMatch(nothing.summary, /\btask\b/);
      writeFileSync(join(folder, 'src/user.ts'), 'export const changed = {;\n');
      await ask('snap', { mode: 'start', task: 'x' });
      const later = await ask('check', { mode: 'quick' });
      assert.deepEqual([later.of.status, later.of.lint], ['⏭️', '⏭️']);
      assert.match(later.summary, /\bsince the task started\b/);
    });

    once('invalid arguments are errors, and nothing runs', async (t) => {
      const { fail } = await start(t);
      assert.equal(await fail('check', { mode: 'everything' }), 'INVALID_MODE');
      assert.equal(await fail('check', { mode: 'docs', taskId: 'task_aaaaaaaa' }), 'NO_TASK');
      assert.equal(await fail('check', { mode: 'impact', files: ['../outside'] }), 'VALIDATION_FAILED');
    });
  });
}
