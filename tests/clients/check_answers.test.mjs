// Answers of `check` and snapback_validate about checks that run no program.
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { served } from './served.mjs';
import { build } from './servers.mjs';

const importers = (count) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`pkg/m${i}.py`, 'from pkg import util\n']));

describe('checks', () => {
  test('a task with thousands of changed files is checked completely', async (t) => {
    const { folder, text, write } = await served(t, { 'a.c': 'int a;\n' });
    await text('snap', { mode: 'start', task: 'many files' });
    mkdirSync(join(folder, 'many'));
    for (let i = 0; i < 2100; ++i) write(`many/f${i}.c`, 'int f;\n');
    write('many/zz.json', '[');
    const summary = await text('check', { mode: 'quick' });
    assert.match(summary, /\b1 error and 0 warnings\b.* many\/zz\.json:1: syntax/);
    assert.match(summary, /conflict markers \(2101 files\)/);
  });

  test('the importers of a file are found when its rename is staged', async (t) => {
    const { text, git } = await served(t, { 'pkg/__init__.py': '', 'pkg/util.py': 'x = 1\n', ...importers(12) });
    git('mv', 'pkg/util.py', 'pkg/money.py');
    const staged = await text('snapback_analyze', { type: 'risk' });
    git('reset', '-q');
    const unstaged = await text('snapback_analyze', { type: 'risk' });
    for (const answer of [staged, unstaged]) assert.match(answer, /pkg\/util\.py: deleted, and 12 files depended on it/);
    git('add', '-A');
    assert.match(await text('check', { mode: 'impact' }), /affects 12 other files/);
  });

  test('a folder is as risky as the files in it', async (t) => {
    const { text, write } = await served(t, { 'pkg/__init__.py': '', 'pkg/util.py': 'x = 1\n', ...importers(12) });
    write('pkg/util.py', 'x = 2\n');
    assert.match(await text('snapback_analyze', { type: 'risk', files: ['pkg'] }), /pkg\/util\.py: 12 files depend on it.* 92% of the files/);
    assert.match(await text('check', { mode: 'impact', files: ['pkg'] }), /^🧢.*\n---\n.*\b14 files .*\bno other file\b/);
  });

  test('a planned file that does not exist is reported as missing', async (t) => {
    const { text } = await served(t, { 'a.py': '' });
    await text('snap', { mode: 'start', task: 'a new file', files: ['new/here.py'] });
    assert.match(await text('check', { mode: 'impact' }), /new\/here\.py does not exist\./);
  });

  test('without git and a task there is nothing to compare documents with', async (t) => {
    const { folder, text, json } = await served(t, { 'package.json': '{}', 'a.md': 'See b.py.\n', 'b.py': 'x = 1\n' });
    rmSync(join(folder, '.git'), { recursive: true });
    assert.match(await text('check', { mode: 'docs' }), /1 document compared with the times of the files\./);
    assert.equal((await json('snapback_validate', { mode: 'comprehensive' })).error, undefined);
  });

  test('without git, no answer claims that documents were compared with the history', async (t) => {
    const { folder, text, write } = await served(t, { 'package.json': '{}', 'a.md': 'a\n' });
    rmSync(join(folder, '.git'), { recursive: true });
    await text('snap', { mode: 'start', task: 'x' });
    write('a.md', 'b\n');
    assert.match(await text('check', { mode: 'docs' }), /status:⏭️.*\n---\n.*\b1 changed document not compared: .*\bwithout git\b/);
  });

  test('a check reports the kinds of files that it skipped', async (t) => {
    const { folder, text, write } = await served(t, { 'a.py': 'x = 1\n', 'b.ts': 'let b = 1;\n' });
    for (let i = 0; i < 3; ++i) await text('snap_violation', { type: 'console_log', file: 'b.ts', description: 'x', prevention: 'use the logger' });
    assert.match(await text('check', { mode: 'patterns', files: ['a.py'] }), /status:⏭️.*\n---\n.* Skipped: 1 file .*\bpattern\b.*: a\.py\./);
    assert.match(await text('check', { mode: 'patterns', files: ['b.ts'] }), /status:✓.*\n---\n.*\bpatterns \(1 file\)/);
    symlinkSync('gone.py', join(folder, 'd.py'));
    assert.match(await text('check', { mode: 'quick', files: ['d.py'] }), /Skipped: 1 file that is a symlink to nothing: d\.py\./);
    write('c.py', Buffer.from('<<<<<<< HEAD\nx = (\n=======\n>>>>>>> b\n', 'utf16le'));
    assert.match(await text('check', { mode: 'quick', files: ['c.py'] }), /status:⏭️.*\n---\n.* Skipped: 1 file .*\bbinary or UTF-16: c\.py\./);
  });

  test('a call in a string or comment is not a violation', async (t) => {
    const { text } = await served(t, { 'a.ts': "let a = 'console.log(1)'; // console.log(a)\n", 'b.ts': "let a = '\\''; console.log(a);\n" });
    for (let i = 0; i < 3; ++i) await text('snap_violation', { type: 'console_log', file: 'b.ts', description: 'x', prevention: 'use the logger' });
    assert.match(await text('check', { mode: 'patterns', files: ['a.ts'] }), /Pattern check passed\. Checked:/);
    assert.match(await text('check', { mode: 'patterns', files: ['b.ts'] }), /b\.ts:1: console_log/);
  });

  test('quoted conflict markers in a document are not a conflict, but a closing marker in a source file is', async (t) => {
    const { text } = await served(t, { 'a.md': 'Title\n=======\n\n>>>>>>> quote\n', 'b.c': 'int b;\n>>>>>>> feature\n' });
    assert.match(await text('check', { mode: 'quick', files: ['a.md'] }), /Check passed/);
    assert.match(await text('check', { mode: 'quick', files: ['b.c'] }), /b\.c:2: merge_conflict/);
  });

  test('an answer reports which checks ran, even if only some did', async (t) => {
    const { text } = await served(t, { 'CMakeLists.txt': 'project(a)\n', 'a.cc': '#include "a.h"\n', 'a.h': '\n' });
    await text('snap', { mode: 'start', task: 'a faster a', files: ['a.h'] });
    assert.match(await text('check', { mode: 'all' }), / Checked: import cycles \(2 files\)/);
  });

  test('a constraint without a limit is not reported as satisfied', async (t) => {
    const { json, text } = await served(t, { 'a.txt': 'a\n' });
    await text('workspace_write_file', { path: '.snapback/ctx/context.json', content: '{"version":1,"constraints":{"api":{"any":{"description":"words"},"bad":{"min":10,"max":1}}}}' });
    const check = (name) => ['snapback_context', { op: 'check', domain: 'api', name, value: 5 }];
    assert.equal((await json(...check('any'))).data.passed, undefined);
    assert.match(await text(...check('any')), /^api\.any has no min and no max\. So the value was not compared; judge it by the description\./);
    assert.match(await text(...check('bad')), /^No value can pass: min is 10, and max is 1\./);
  });

  test('an error in the settings asks the user, not the model, to correct them', async (t) => {
    const { folder, text, write } = await served(t, { 'a.py': '' });
    mkdirSync(join(folder, '.snapback'), { recursive: true });
    write('.snapback/config.json', '{"check":{"comands":[]}}');
    assert.match(await text('check', { mode: 'full' }), /code:UNAVAILABLE.*comands.*\bAsk the user\b/s);
  });

  test('tests that a script runs are counted by its summary alone', async (t) => {
    const { text, write } = await served(t, { 'package.json': '{}', 'out.txt': '' });
    write('package.json', JSON.stringify({ scripts: { test: 'cat out.txt && test ! -e failed' } }));
    const printed = async (output) => {
      write('out.txt', output);
      return text('check', { mode: 'test' });
    };
    const none = /tests:⏭️.*\n---\nTest check checked nothing\. Skipped: npm run test found no tests\./;
    for (const output of ['Ran 0 tests in 0.000s\n\nOK\n', '  0 passing (6ms)\n', 'TAP version 13\n1..0\n', 'No tests found, exiting with code 0\n', 'No test files found, exiting with code 0\n'])
      assert.match(await printed(output), none);
    assert.match(await printed('5 passing grades\n  ✔ ok\n\n  1 passing (6ms)\n'), /Test check passed\. 1 test passed\./);
    assert.match(await printed('3 failing attempts\n  ✔ ok\n\n  1 passing (6ms)\n'), /Test check passed\. 1 test passed\./);
    assert.match(await printed('TAP version 13\nok 1 - t # todo\n1..1\n'), /tests:⏭️.*\n---\n.* Skipped: npm run test .*: 0 skipped, 1 todo\./);
    write('failed', '');
    const failed = await printed('  0 passing (3ms)\n  1 failing\n\n  1) bad:\n     Error: x is not y\n');
    assert.match(failed, / 1 test failed\. test bad: x is not y\. /);
    assert.doesNotMatch(failed, / more /);
  });

  test('a linter that inspected no file is not reported as passed', async (t) => {
    const { folder, text, write } = await served(t, { 'package.json': '{}', 'eslint.config.js': 'module.exports = [];\n', 'a.js': 'let a;\n' });
    mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
    const lint = async (printed) => {
      write('printed', printed);
      return text('check', { mode: 'full' });
    };
    writeFileSync(join(folder, 'node_modules/.bin/eslint'), '#!/bin/sh\ncat printed\n', { mode: 0o755 });
    for (const printed of ['[]', '']) assert.match(await lint(printed), /lint:⏭️.*\n---\nFull check checked nothing\..*eslint linted no file/);
    assert.match(await lint('[{"filePath":"a.js","messages":[]}]'), /lint:✓/);
  });

  test('a script before the test can fail the test', async (t) => {
    const { text } = await served(t, { 'package.json': JSON.stringify({ scripts: { pretest: 'exit 1', test: 'node --test' } }), 'a.test.js': "require('node:test')('a', () => {});\n" });
    assert.match(await text('check', { mode: 'test' }), /Test check failed\. .*npm run test ended with exit code 1/);
  });

  test('tests without a known runner are not reported as missing', async (t) => {
    const { text } = await served(t, { Rakefile: 'task :test\n', 'tests/__init__.py': '', 'tests/test_a.py': 'import unittest\n' });
    assert.match(await text('check', { mode: 'test' }), /tests:⏭️.*\n---\n.*\bno known test runner\b.*\bcheck\.commands in \.snapback\/config\.json\b/);
  });

  test('an alias that YAML does not define is an error', async (t) => {
    const { text } = await served(t, { 'a.yml': 'a: &x 1\nb: *y\n', 'b.yml': 'a: &x 1\nb: *x\n' });
    assert.match(await text('check', { mode: 'quick', files: ['a.yml'] }), /Check failed\. .*a\.yml:2: syntax the alias \*y has no anchor &y/);
    assert.match(await text('check', { mode: 'quick', files: ['b.yml'] }), /Check passed/);
  });

  test('tests are counted if a runner of several scripts prefixes their lines', async (t) => {
    const { text, write } = await served(t, { 'package.json': JSON.stringify({ scripts: { test: 'cat out.txt && test ! -e failed' } }), 'out.txt': '' });
    const printed = async (output) => {
      write('out.txt', output);
      return text('check', { mode: 'test' });
    };
    const pnpm = 'a test$ mocha\npkg/b test$ node --test\na test:   2 passing (6ms)\npkg/b test: TAP version 13\na test: Done\npkg/b test: ok 1 - x\npkg/b test: 1..1\npkg/b test: Done\n';
    assert.match(await printed(pnpm), /Test check passed\. 3 tests passed\./);
    assert.match(await printed('ok 1 - x\nok 2 - y # SKIP no\n1..2\n'), /Test check passed\. 1 test passed, 1 skipped\./);
    write('failed', '');
    assert.match(await printed('[0]   1 passing (6ms)\n[web] 1 failed, 2 passed in 0.12s\n[0] npm run a exited with code 0\n[web] npm run b exited with code 1\n'), /3 tests passed, 1 failed\./);
    assert.match(await printed('1..1\nnot ok 1 - x\n'), / 1 test failed\. test x: failed/);
  });

  test('the calls that a check proposes succeed', async (t) => {
    const { json } = await served(t, { 'src/a.ts': 'export {};\n' });
    const next = (answer) => answer.next_actions.filter((one) => one.tool === 'snapback_validate');
    assert.deepEqual(next(await json('snapback_validate', { file_path: 'src/new.ts', code: 'export {};\n' })), []);
    const [comprehensive] = next(await json('snapback_validate', { file_path: 'src/a.ts' }));
    assert.match(comprehensive.reason, /\bcheck with mode full\b/);
    const facade = await served(t, { 'src/a.ts': 'export {};\n' }, { profile: 'facade' });
    assert.doesNotMatch(next(await facade.json('snapback_validate', { file_path: 'src/a.ts' }))[0].reason, /\bcheck\b/, 'the profile does not list check');
  });
});
