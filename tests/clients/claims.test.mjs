// What an answer claims is so: each scenario is one in which an answer once said something that was not true.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { served } from './claims.mjs';
import { connect, openings } from './sdks.mjs';
import { build, repository, snapgen } from './servers.mjs';

const importers = (count) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`pkg/m${i}.py`, 'from pkg import util\n']));

describe('checks', () => {
  test('a task with thousands of changed files is checked completely', async (t) => {
    const { folder, text, write } = await served(t, { 'a.c': 'int a;\n' });
    await text('snap', { mode: 'start', task: 'many files' });
    mkdirSync(join(folder, 'many'));
    for (let i = 0; i < 2100; ++i) write(`many/f${i}.c`, 'int f;\n');
    write('many/zz.json', '[');
    const summary = await text('check', { mode: 'quick' });
    assert.match(summary, /Check failed\. 1 error and 0 warnings\. many\/zz\.json:1: syntax/);
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
    assert.match(await text('check', { mode: 'impact', files: ['pkg'] }), /^🧢.*\n---\nImpact check done\. An edit of 14 files affects no other file by imports\./);
  });

  test('a planned file that does not exist is said not to exist', async (t) => {
    const { text } = await served(t, { 'a.py': '' });
    await text('snap', { mode: 'start', task: 'a new file', files: ['new/here.py'] });
    assert.match(await text('check', { mode: 'impact' }), /new\/here\.py does not exist\./);
  });

  test('every package script is shown whole before it runs', async (t) => {
    const scripts = { test: 'touch ran-test', build: `touch ran-build # ${'b'.repeat(150)}`, lint: `touch ran-lint # ${'l'.repeat(150)}` };
    const { folder, text } = await served(t, { 'package.json': JSON.stringify({ scripts }) });
    const first = await text('check', { mode: 'full' });
    for (const [name, script] of Object.entries(scripts)) {
      assert.ok(first.includes(script), `${name} is not shown whole in ${first}`);
      assert.ok(!existsSync(join(folder, `ran-${name}`)), name);
    }
    await text('check', { mode: 'full' });
    for (const name of Object.keys(scripts)) assert.ok(existsSync(join(folder, `ran-${name}`)), name);
  });

  test('without git and a task there is nothing to compare documents with', async (t) => {
    const { folder, text, json } = await served(t, { 'package.json': '{}', 'a.md': 'See b.py.\n', 'b.py': 'x = 1\n' });
    rmSync(join(folder, '.git'), { recursive: true });
    assert.match(await text('check', { mode: 'docs' }), /1 document compared with the times of the files\./);
    assert.equal((await json('snapback_validate', { mode: 'comprehensive' })).error, undefined);
  });

  test('without git, changed documents are not called compared with the history', async (t) => {
    const { folder, text, write } = await served(t, { 'package.json': '{}', 'a.md': 'a\n' });
    rmSync(join(folder, '.git'), { recursive: true });
    await text('snap', { mode: 'start', task: 'x' });
    write('a.md', 'b\n');
    assert.match(await text('check', { mode: 'docs' }), /Document check had nothing to do\. 0 documents compared with 0 changes\. 1 changed document not compared: there is no history without git\./);
  });

  test('a check reports the kinds of files that it skipped', async (t) => {
    const { folder, text, write } = await served(t, { 'a.py': 'x = 1\n', 'b.ts': 'let b = 1;\n' });
    for (let i = 0; i < 3; ++i) await text('snap_violation', { type: 'console_log', file: 'b.ts', description: 'x', prevention: 'use the logger' });
    assert.match(await text('check', { mode: 'patterns', files: ['a.py'] }), /Pattern check checked nothing\. Skipped: 1 file of a kind in which no promoted pattern is sought: a\.py\./);
    assert.match(await text('check', { mode: 'patterns', files: ['b.ts'] }), /Pattern check passed\. Checked: promoted patterns \(1 file\)\./);
    symlinkSync('gone.py', join(folder, 'd.py'));
    assert.match(await text('check', { mode: 'quick', files: ['d.py'] }), /Skipped: 1 file that is a symlink to nothing: d\.py\./);
    write('c.py', Buffer.from('<<<<<<< HEAD\nx = (\n=======\n>>>>>>> b\n', 'utf16le'));
    assert.match(await text('check', { mode: 'quick', files: ['c.py'] }), /Check checked nothing\. Skipped: 1 file that is binary or UTF-16: c\.py\./);
  });

  test('a call in a string or comment is no violation', async (t) => {
    const { text } = await served(t, { 'a.ts': "let a = 'console.log(1)'; // console.log(a)\n", 'b.ts': "let a = '\\''; console.log(a);\n" });
    for (let i = 0; i < 3; ++i) await text('snap_violation', { type: 'console_log', file: 'b.ts', description: 'x', prevention: 'use the logger' });
    assert.match(await text('check', { mode: 'patterns', files: ['a.ts'] }), /Pattern check passed\. Checked:/);
    assert.match(await text('check', { mode: 'patterns', files: ['b.ts'] }), /b\.ts:1: console_log/);
  });

  test('a quotation in a document is no conflict, and the end of one in a source is', async (t) => {
    const { text } = await served(t, { 'a.md': 'Title\n=======\n\n>>>>>>> quote\n', 'b.c': 'int b;\n>>>>>>> feature\n' });
    assert.match(await text('check', { mode: 'quick', files: ['a.md'] }), /Check passed/);
    assert.match(await text('check', { mode: 'quick', files: ['b.c'] }), /b\.c:2: merge_conflict/);
  });

  test('what was checked is said even if only a part was', async (t) => {
    const { text } = await served(t, { 'CMakeLists.txt': 'project(a)\n', 'a.cc': '#include "a.h"\n', 'a.h': '\n' });
    await text('snap', { mode: 'start', task: 'a faster a', files: ['a.h'] });
    assert.match(await text('check', { mode: 'all' }), / Checked: import cycles \(2 files\)/);
  });

  test('a constraint without a limit is not said to be kept', async (t) => {
    const { json, text } = await served(t, { 'a.txt': 'a\n' });
    await text('workspace_write_file', { path: '.snapback/ctx/context.json', content: '{"version":1,"constraints":{"api":{"any":{"description":"words"},"bad":{"min":10,"max":1}}}}' });
    const check = (name) => ['snapback_context', { op: 'check', domain: 'api', name, value: 5 }];
    assert.equal((await json(...check('any'))).data.passed, undefined);
    assert.match(await text(...check('any')), /^api\.any has no min and no max\. So the value was not compared; judge it by the description\./);
    assert.match(await text(...check('bad')), /^No value can pass: min is 10, and max is 1\./);
  });

  test('wrong settings are for the user to correct', async (t) => {
    const { folder, text, write } = await served(t, { 'a.py': '' });
    mkdirSync(join(folder, '.snapback'), { recursive: true });
    write('.snapback/config.json', '{"check":{"comands":[]}}');
    assert.match(await text('check', { mode: 'full' }), /code:UNAVAILABLE.*comands.*Ask the user to correct the file, which no tool may change\./s);
  });

  test('tests that a script runs are counted by its summary alone', async (t) => {
    const { text, write } = await served(t, { 'package.json': '{}', 'out.txt': '' });
    write('package.json', JSON.stringify({ scripts: { test: 'cat out.txt && test ! -e failed' } }));
    await text('check', { mode: 'test' });
    const printed = async (output) => {
      write('out.txt', output);
      return text('check', { mode: 'test' });
    };
    const none = /tests:⏭️.*\n---\nTest check checked nothing\. Skipped: npm run test found no tests\./;
    for (const output of ['Ran 0 tests in 0.000s\n\nOK\n', '  0 passing (6ms)\n', 'TAP version 13\n1..0\n', 'No tests found, exiting with code 0\n', 'No test files found, exiting with code 0\n'])
      assert.match(await printed(output), none);
    assert.match(await printed('5 passing grades\n  ✔ ok\n\n  1 passing (6ms)\n'), /Test check passed\. 1 test passed\./);
    assert.match(await printed('3 failing attempts\n  ✔ ok\n\n  1 passing (6ms)\n'), /Test check passed\. 1 test passed\./);
    assert.match(await printed('TAP version 13\nok 1 - t # todo\n1..1\n'), /Skipped: npm run test has only tests that cannot fail: 0 skipped, 1 todo\./);
    write('failed', '');
    const failed = await printed('  0 passing (3ms)\n  1 failing\n\n  1) bad:\n     Error: x is not y\n');
    assert.match(failed, / 1 test failed\. test bad: x is not y\. /);
    assert.doesNotMatch(failed, / more /);
  });

  test('a linter that linted no file did not pass', async (t) => {
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
    assert.match(await text('check', { mode: 'test' }), /check again to run it: `npm run test`, in package\.json `exit 1 && node --test`\./);
    assert.match(await text('check', { mode: 'test' }), /Test check failed\. .*npm run test ended with exit code 1/);
  });

  test('tests without a known runner are not said to be missing', async (t) => {
    const { text } = await served(t, { Makefile: 'test:\n\t./run_tests.sh\n', 'tests/__init__.py': '', 'tests/test_a.py': 'import unittest\n' });
    assert.match(await text('check', { mode: 'test' }), /Skipped: no known test runner found \(the user can add one under check\.commands in \.snapback\/config\.json\)\./);
  });

  test('an alias that YAML does not define is an error', async (t) => {
    const { text } = await served(t, { 'a.yml': 'a: &x 1\nb: *y\n', 'b.yml': 'a: &x 1\nb: *x\n' });
    assert.match(await text('check', { mode: 'quick', files: ['a.yml'] }), /Check failed\. .*a\.yml:2: syntax the alias \*y has no anchor &y/);
    assert.match(await text('check', { mode: 'quick', files: ['b.yml'] }), /Check passed/);
  });

  test('tests are counted whatever a runner of several scripts writes before their lines', async (t) => {
    const { text, write } = await served(t, { 'package.json': JSON.stringify({ scripts: { test: 'cat out.txt && test ! -e failed' } }), 'out.txt': '' });
    await text('check', { mode: 'test' });
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

  test('the proposals after a check can be followed', async (t) => {
    const { json } = await served(t, { 'src/a.ts': 'export {};\n' });
    const next = (answer) => answer.next_actions.filter((one) => one.tool === 'snapback_validate');
    assert.deepEqual(next(await json('snapback_validate', { file_path: 'src/new.ts', code: 'export {};\n' })), []);
    const [comprehensive] = next(await json('snapback_validate', { file_path: 'src/a.ts' }));
    assert.equal(comprehensive.reason, 'Run the compilers, too. check with mode full also runs linters and tests.');
    const facade = await served(t, { 'src/a.ts': 'export {};\n' }, { profile: 'facade' });
    assert.equal(next(await facade.json('snapback_validate', { file_path: 'src/a.ts' }))[0].reason, 'Run the compilers, too.', 'there is no check');
  });
});

describe('restores', () => {
  test('a file that no tool may change is named, and the command with which the user can', async (t) => {
    const { folder, text } = await served(t, { 'a.txt': 'a\n', '.mcp.json': '{}\n' });
    const [id] = /snap_[0-9a-f]{10}/.exec(await text('snapshot_create', { paths: ['.'] }));
    rmSync(join(folder, '.mcp.json'));
    const restored = await text('snap_fix', { action: 'restore', id });
    assert.match(restored, /Restored 0 files .* Left unchanged: 1 file that only the user may change, with snap snapshot restore: \.mcp\.json\./);
  });

  test('staged changes are said to remain in the index', async (t) => {
    const { text, write, git } = await served(t, { 'a.txt': 'a\n' });
    const [id] = /snap_[0-9a-f]{10}/.exec(await text('snapshot_create', { paths: ['.'] }));
    write('a.txt', 'b\n');
    git('add', 'a.txt');
    assert.match(await text('snap_fix', { action: 'restore', id }), /The index was not restored: 1 of these files has staged changes, which the next commit contains\./);
    assert.match(git('diff', '--cached'), /^\+b$/m);
  });

  test('a merge conflict is said to remain in the index, and so is the source of a staged rename', async (t) => {
    const { text, write, git } = await served(t, { 'a.txt': 'a\n', 'b.txt': 'b\n' });
    git('checkout', '-qb', 'other');
    write('a.txt', 'other\n');
    git('commit', '-qam', 'other');
    git('checkout', '-q', '-');
    write('a.txt', 'ours\n');
    git('commit', '-qam', 'ours');
    const [id] = /snap_[0-9a-f]{10}/.exec(await text('snapshot_create', { paths: ['.'] }));
    assert.throws(() => git('merge', 'other'));
    assert.match(await text('snap_fix', { action: 'restore', id }), /Git's index still has the merge conflict of a\.txt: `git add` what is resolved\.$/);
    git('merge', '--abort');
    git('mv', 'b.txt', 'c.txt');
    const restored = await text('snap_fix', { action: 'restore', id });
    assert.match(restored, /The index was not restored: 1 of these files has staged changes/);
    assert.match(restored, /Left unchanged: 1 file not in the snapshot: c\.txt\./);
  });

  test('a snapshot of some paths is not said to be two snapshots', async (t) => {
    const { text, write } = await served(t, { 'src/a.txt': 'a\n', 'b.txt': 'b\n' });
    const [id] = /snap_[0-9a-f]{10}/.exec(await text('snapshot_create', { paths: ['src'] }));
    write('src/a.txt', 'c\n');
    assert.match(await text('snap_fix', { action: 'diff', id }), /1 file not compared: not in the snapshot, which has only some paths\./);
  });

  test('after a path that the snapshot lacks, its list of files is proposed', async (t) => {
    const { json } = await served(t, { 'a.txt': 'a\n' });
    const { data: { alias } } = await json('snapback_snapshot_create', {});
    const { next_actions: [{ tool, args }] } = await json('snapback_snapshot_restore', { snapshot_id: alias, files: ['b.txt'] });
    assert.deepEqual([tool, args], ['snapshot_list', { recursive: true, snapshot_id: alias }]);
    assert.ok((await json(tool, args)).entries.some((one) => one.path === 'a.txt'));
  });
});

describe('reads and writes as text', () => {
  test('a lease that is unknown is said to be so', async (t) => {
    const { text } = await served(t, { 'a.txt': 'a\n' });
    assert.match(await text('snapshot_file', { path: 'a.txt', lease_id: 'lease_aaaaaaaaaaaaaaaa' }), /^a\.txt 1 line lease_\w+ \(new: the lease of the call is unknown\)\n/);
    assert.match(await text('snapshot_file', { path: 'a.txt' }), /^a\.txt 1 line lease_\w+\n/);
  });

  test('a write of the same content is said to have written nothing', async (t) => {
    const { folder, text } = await served(t, { 'a.txt': 'a\n' });
    const before = statSync(join(folder, 'a.txt'), { bigint: true });
    assert.match(await text('workspace_write_file', { path: 'a.txt', content: 'a\n' }), /^a\.txt unchanged, as it already has this content, 2 bytes lease_/);
    assert.equal(statSync(join(folder, 'a.txt'), { bigint: true }).mtimeNs, before.mtimeNs);
    assert.match(await text('workspace_write_file', { path: 'a.txt', content: 'b\n' }), /^a\.txt written 2 bytes /);
  });

  test('counts of what is not shown are whole or called lower bounds', async (t) => {
    const { text, write } = await served(t, { 'data.txt': 'text value\n'.repeat(12_000) });
    const found = await text('snapshot_grep', { pattern: 'text value', max_matches: 10_000 });
    assert.match(found, /^at least 10000 matches in 1 file searched .*\nfirst \d+ shown; narrow the search with the pattern, paths or globs\n/);
    for (const name of ['b', 'c', 'd']) write(`${name}.txt`, 'x\n');
    assert.match(await text('snapshot_diff', { untracked: true, max_files: 2 }), /^first 2 changed files /);
  });

  test('a file that is cut in JSON, too, says where to continue', async (t) => {
    const lines = Array.from({ length: 50 }, (_, i) => `line ${i + 1}\n`);
    const { json } = await served(t, { 'a.txt': lines.join('') });
    const part = await json('snapshot_file', { path: 'a.txt', max_bytes: 100 });
    assert.deepEqual([part.truncated, part.content.endsWith('\n')], [true, true]);
    const rest = await json('snapshot_file', { path: 'a.txt', start_line: part.next_start_line });
    assert.equal(part.content + rest.content, lines.join(''));
  });

  test('a part of a file that is not text is called a part', async (t) => {
    const { text } = await served(t, { 'a.txt': 'a\n' });
    await text('workspace_write_file', { path: 'b.txt', content: 'base64:aORsbG8Kd/ZybGQK' });
    assert.match(await text('snapshot_file', { path: 'b.txt', start_line: 2 }), /^b\.txt 6 of 12 bytes, from line 2 /);
    assert.match(await text('snapshot_file', { path: 'b.txt' }), /^b\.txt 12 bytes /);
  });

  test('a path that a snapshot does not contain is said to be missing there', async (t) => {
    const { text } = await served(t, { 'src/a.txt': 'a\n', 'tests/b.txt': 'b\n' });
    const [snapshot_id] = /snap_[0-9a-f]{10}/.exec(await text('snapshot_create', { paths: ['src'] }));
    assert.match(await text('snapshot_list', { snapshot_id, path: 'tests' }), /^0 entries\nthe snapshot contains nothing there\n/);
    assert.doesNotMatch(await text('snapshot_list', { snapshot_id, path: 'src' }), /nothing/);
  });

  test("a snapshot of the server's own folder is refused, and a list counts what it leaves out", async (t) => {
    const { text } = await served(t, { 'a.txt': 'a\n' });
    await text('snap', { mode: 'start', task: 'makes files in .snapback' });
    assert.match(await text('snapshot_create', { paths: ['.snapback'] }), /^INVALID_ARGUMENT: \.snapback has files of snapgen itself, which a snapshot contains only if they are named one by one\./);
    assert.match(await text('snapshot_create', { paths: ['.snapback/session/current.json'] }), /^snap_\w+ 1 file /);
    assert.match(await text('snapshot_list', { path: '.snapback', recursive: true }), /^0 entries \w+\nskipped \d+ ignored\n/);
  });

  test("the server's own files are not counted as ignored", async (t) => {
    const { text } = await served(t, { 'a.txt': 'a\n', '.gitignore': '*.log\n' });
    await text('snap', { mode: 'start', task: 'makes files in .snapback' });
    await text('snap_learn', { trigger: 'x', action: 'y', type: 'pattern' });
    assert.doesNotMatch(await text('snapshot_list', {}), /ignored/);
  });
});

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

  test('task files that cannot be read are not called missing', async (t) => {
    const { folder, text, write } = await served(t, { 'a.txt': 'a\n' });
    const [id] = /task_[a-z2-7]{8}/.exec(await text('snap', { mode: 'start', task: 'x' }));
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

  test('one conflict is one blocker, wherever blockers are counted', async (t) => {
    const { json, write } = await served(t, { 'a.txt': 'a\n' });
    write('a.txt', '<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n');
    assert.equal((await json('snapback_prepare_workspace')).data.contextStatus.blockerCount, 1);
    assert.equal((await json('snapback_context', { op: 'blockers' })).data.blockers.length, 1);
  });

  test('advice about an unknown task fits what is open', async (t) => {
    const { text } = await served(t, { 'a.txt': 'a\n' });
    const end = () => text('snap_end', { outcome: 'completed', taskId: 'task_aaaaaaaa' });
    assert.match(await end(), /There is no open task task_aaaaaaaa\. No task is open\. Begin one with snap, mode start\.$/);
    const [open] = /task_[a-z2-7]{8}/.exec(await text('snap', { mode: 'start', task: 'x' }));
    assert.match(await end(), new RegExp(`There is no open task task_aaaaaaaa\\. Omit the id, or pass that of the latest open task: ${open}\\.$`));
  });

  test('learnings of one subject are recalled, although none of their words is rare', async (t) => {
    const { text } = await served(t, { 'a.txt': 'a\n' });
    for (let i = 0; i < 6; ++i) await text('snap_learn', { trigger: `token refresh case ${i}`, action: `do ${i}`, type: 'pattern' });
    assert.match(await text('snap', { mode: 'start', task: 'token refresh' }), /5 learnings may help, \d shown\. /);
  });

  test('a learning that is alone is shown as far as the answer has space', async (t) => {
    const { text } = await served(t, { 'a.txt': 'a\n' });
    const action = 'run the generator before the build, and commit what it wrote with the schema';
    await text('snap_learn', { trigger: 'schema', action, type: 'pattern' });
    assert.ok((await text('snap', { mode: 'start', task: 'schema' })).includes(action.replaceAll(' ', '→')));
  });

  test('a reminder is in the answer that begins a task', async (t) => {
    const { text } = await served(t, { 'a.txt': 'a\n' });
    for (let i = 0; i < 3; ++i) await text('snap_violation', { type: 'use_utc', file: 'a.txt', description: 'local time', prevention: 'store UTC' });
    assert.match(await text('snap', { mode: 'start', task: 'x' }), /1 reminder, not checked: use_utc: store UTC\./);
  });

  test('an unknown package is said to be unknown, and an installed one is not to be added', async (t) => {
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

  test('a proposal does not call files checked that were not', async (t) => {
    const { json, write } = await served(t, { 'a.c': 'int a;\n' });
    write('b.c', 'int b( {\n');
    const { data, next_actions: actions } = await json('snapback_validate', { file_path: 'a.c' });
    assert.deepEqual([data.passed, actions.filter((one) => one.tool === 'snapback_snapshot_create')], [true, []]);
  });

  test('a type that is only spelled otherwise is pointed out', async (t) => {
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
      if (typeof ended === 'string') assert.match(ended, /\|learn:0L\|summary:[^]*recorded\. Its changes were not counted, because its snapshot is deleted or damaged\.$/);
      else assert.deepEqual([ended.changed_files, ended.added_lines, ended.truncated], [undefined, undefined, true]);
    }
    assert.match(snap('log'), /completed.*long work \(its changes were not counted\)/);
  });

  test('a check of named documents says that other findings are left out', async (t) => {
    const { text, write, git } = await served(t, { 'README.md': 'See src/gone.ts.\n', 'src/gone.ts': 'export const g = 1\n', 'src/other.ts': 'export const o = 1\n' });
    git('rm', '-q', 'src/gone.ts');
    git('commit', '-qm', 'remove');
    write('src/other.ts', 'export const o = 2\n');
    assert.match(await text('check', { mode: 'docs', files: ['src/other.ts'] }), /the files that the history deleted; only what names the passed files, or is in them, is reported/);
    assert.match(await text('check', { mode: 'docs' }), /names_gone|src\/gone\.ts/);
  });

  test('a package in a manifest that cannot be read is not called missing', async (t) => {
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
    assert.match(await text('snap', { mode: 'start', task: 'other words', files: ['b.txt'] }), /check→b/);
  });

  test('after wrong arguments and with a wrong context.json, a call is proposed that can be made', async (t) => {
    const { json } = await served(t, { 'a.txt': 'a\n' });
    for (const content of [undefined, '{bad', '{"version":1}']) {
      if (content) await json('workspace_write_file', { path: '.snapback/ctx/context.json', content });
      for (const args of [{ op: 'constraint' }, { op: 'check', domain: 'a', name: 'b' }, { op: 'constraint', domain: 'a', name: 'b' }])
        for (const { tool, args: next } of (await json('snapback_context', args)).next_actions ?? []) assert.equal((await json(tool, next)).error, undefined, JSON.stringify(next));
    }
  });

  test('broken settings are not said to permit the restore of single paths', async (t) => {
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

  test('a snapshot that existed is called so, with its new reason', async (t) => {
    const { json, text, write, git } = await served(t, { 'a.txt': 'a\n' });
    const files = ['a.txt'];
    assert.equal((await json('snapback_snapshot_create', { files, reason: 'one' })).data.reused, false);
    assert.match(await text('snapback_snapshot_create', { files, reason: 'two' }), /^These files are as in snapshot snap_[0-9a-f]{10}, so none was added\. It contains 1 file\.\n/);
    assert.equal((await json('snapback_snapshot_create', { files, reason: 'three' })).data.reused, true);
    await text('snapback_snapshot_create', { reason: 'whole' });
    write('a.txt', 'b\n');
    await text('snapback_snapshot_create', { reason: 'changed' });
    git('checkout', '-q', 'a.txt');
    assert.match(await text('snapback_snapshot_create', { reason: 'back' }), /^The workspace is as in snapshot .* the new reason was not stored\./);
  });
});
