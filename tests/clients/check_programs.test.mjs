// Answers of checks about programs, failed tests, merges, imports and packages.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, test } from 'node:test';

import { served } from './served.mjs';
import { build, diverge, installed, trust } from './servers.mjs';

// Checks find the same node that runs this test.
process.env.PATH = dirname(process.execPath) + delimiter + process.env.PATH;

const program = (folder, path, content) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
  chmodSync(join(folder, path), 0o755);
};

describe('programs of checks', () => {
  test('files that a program changed are named', async (t) => {
    const files = { '.gitignore': 'node_modules\n', 'package.json': '{}', 'eslint.config.js': '', 'a.js': 'a\n', 'b.js': 'b\n', 'c.js': 'c\n' };
    const { folder, text, write } = await served(t, files);
    program(folder, 'node_modules/.bin/eslint', '#!/bin/sh\necho x >> a.js; rm b.js; echo x >> new.js; touch report.txt; echo "[]"\n');
    write('new.js', 'new\n');
    const sentence = 'These files were written or deleted while the programs ran: a.js, b.js, new.js.';
    const answer = await text('check', { mode: 'full' });
    assert.ok(answer.includes(sentence), answer);
    program(folder, 'node_modules/.bin/eslint', '#!/bin/sh\necho "[]"\n');
    assert.doesNotMatch(await text('check', { mode: 'full' }), /were? written or deleted/);
  });

  test('a program whose interpreter is missing is not reported as missing', async (t) => {
    const { folder, text } = await served(t, { '.gitignore': '.venv\n', 'pytest.ini': '[pytest]\n' });
    program(folder, '.venv/bin/pytest', '#!/nonexistent/python\n');
    const answer = await text('check', { mode: 'test', limit: 1 });
    assert.match(answer, /bin\/pytest cannot run: the interpreter in its first line, \/nonexistent\/python, does not exist\.$/);
  });

  test('a build folder that CMake did not finish is not reported as configured', async (t) => {
    const { text } = await served(t, { 'CMakeLists.txt': 'project(x)\n', 'build/CMakeCache.txt': 'A:B=c\n' });
    assert.match(await text('check', { mode: 'build' }), /ts:⏭️.*\n---\n.* Skipped: .*\bCMake did not finish\b.*\bcmake -B build\b/);
  });

  test('the summary at the end of a long output is evaluated', async (t) => {
    const { folder, text } = await served(t, { 'package.json': '{"scripts":{"test":"./tests.sh"}}' });
    program(folder, 'tests.sh', '#!/bin/sh\nyes "a line of a log" | head -c 20000000; printf "\\n=== 2 failed, 3 passed in 0.1s ===\\n"; exit 1\n');
    assert.match(await text('check', { mode: 'test' }), /3 tests passed, 2 failed\./);
  });

  test('TypeScript project references are checked without writing tsc output files', async (t) => {
    const project = (references) => JSON.stringify({ compilerOptions: { composite: true, strict: true, types: [], outDir: 'dist' }, include: ['*.ts'], references });
    const { folder, git, text, write } = await served(t, {
      '.gitignore': 'node_modules\ndist\n',
      'package.json': '{}',
      'tsconfig.json': '{"files":[],"references":[{"path":"core"},{"path":"cli"}]}',
      'core/tsconfig.json': project([]),
      'core/money.ts': 'export const money: number = 1;\n',
      'cli/tsconfig.json': project([{ path: '../core' }]),
      'cli/main.ts': "import { money } from '../core/money';\nexport const text: string = String(money);\n",
    });
    symlinkSync(join(import.meta.dirname, 'node_modules'), join(folder, 'node_modules'));
    const check = () => text('check', { mode: 'build', limit: 9 });
    const alone = await check();
    assert.match(alone, /Build check passed as far as it ran\. .*Skipped: tsc: cli\/tsconfig\.json references other projects, and no script runs tsc --build/s);
    write('core/money.ts', "export const money: number = '1';\n");
    assert.match(await check(), /1 error and 0 warnings\. core\/money\.ts:1: TS2322/);
    assert.deepEqual(git('status', '--porcelain', '--ignored').split('\n').filter((one) => one.includes('dist')), []);
    write('core/money.ts', 'export const money: number = 1;\n');
    write('package.json', '{"scripts":{"build":"tsc -b"}}');
    assert.match(await check(), /Build check passed\. /);
    write('cli/main.ts', "import { money } from '../core/money';\nexport const text: string = money;\n");
    assert.match(await check(), /1 error and 0 warnings\. cli\/main\.ts:2: TS2322/);
  });

  test('errors in files that the task does not affect are reported as older than the task', async (t) => {
    const { folder, text, write } = await served(t, {
      '.gitignore': 'node_modules\n',
      'tsconfig.json': '{}',
      'old.ts': 'export const old: number = "";\n',
      'user.ts': "import { own } from './own';\n",
      'own.ts': 'export const own = 1;\n',
    });
    const check = () => text('check', { mode: 'build' });
    const tsc = (...files) => program(folder, 'node_modules/.bin/tsc', `#!/bin/sh\nfor f in ${files.join(' ')}; do echo "$f(1,2): error TS1: wrong"; done; exit 2\n`);
    tsc('old.ts');
    await text('snap', { mode: 'start', task: 'change own.ts' });
    write('own.ts', 'export const own = 2;\n');
    const older = await check();
    assert.match(older, /status:✗.* old\.ts:1: TS1 wrong\..* The error is in a file that the task does not affect, so probably there before\.$/s);
    assert.doesNotMatch(older, /Correct these/);
    tsc('old.ts', 'user.ts');
    assert.match(await check(), / user\.ts:1: TS1 wrong; old\.ts:1: TS1 wrong\. .*Correct these and check again\. The last error is in a file that the task does not affect, so probably there before\.$/s);
    // What a change of a configuration affects is not known.
    write('tsconfig.json', '{"compilerOptions":{}}');
    assert.match(await check(), /Correct these and check again\.$/);
  });

  test('errors that an earlier check found, too, are listed last and are not to be corrected for a task', async (t) => {
    const { folder, text, write } = await served(t, { '.gitignore': 'node_modules\n', 'tsconfig.json': '{}', 'a.ts': '1', 'b.ts': '1' });
    const tsc = (...lines) => program(folder, 'node_modules/.bin/tsc', `#!/bin/sh\nprintf '%s\\n' ${lines.map((one) => `'${one}'`).join(' ')}; exit ${lines.length && 2}\n`);
    const check = () => text('check', { mode: 'build' });
    const [a, b] = ['a.ts(1,2): error TS1: wrong', 'b.ts(3,1): error TS2: bad'];
    tsc(b);
    assert.match(await check(), /b\.ts:3: TS2 bad\..*Correct these and check again\.$/s);
    assert.match(await check(), /Correct these and check again\. The error is known from the previous check\.$/);
    tsc(a, b.replace('3', '5'));
    assert.match(await check(), / a\.ts:1: TS1 wrong; b\.ts:5: TS2 bad\. .*Correct these and check again\. The last error is known from the previous check\.$/s);
    tsc(b);
    await check();
    await text('snap', { mode: 'start', task: 'change b.ts' });
    write('b.ts', '2');
    const older = await check();
    assert.match(older, /The error is known from the last check before the task\.$/);
    assert.doesNotMatch(older, /Correct these/);
    tsc(b, b.replace('3', '8'));
    assert.match(await check(), /Correct these and check again\.$/, 'nothing tells equal errors apart');
    tsc('error TS9: x');
    assert.match(await check(), /All are new since/);
    tsc(a);
    assert.match(await check(), /Correct these and check again\. All are new since the last check before the task\.$/);
    tsc(b, a);
    assert.match(await check(), / a\.ts:1: TS1 wrong; b\.ts:3: TS2 bad\. .*The last error is known from the last check before the task\.$/s, 'the checks of the task are no earlier ones');
  });

  test('a message that ends with a full stop gets no second full stop', async (t) => {
    const { folder, text } = await served(t, { '.gitignore': 'node_modules\n', 'tsconfig.json': '{}' });
    program(folder, 'node_modules/.bin/tsc', '#!/bin/sh\necho "a.ts(1,2): error TS1: Cannot find name x."; exit 1\n');
    for (const [tool, args] of [['check', { mode: 'build' }], ['snapback_validate', { mode: 'comprehensive' }]]) {
      const answer = await text(tool, args);
      assert.ok(answer.includes('Cannot find name x.') && !answer.includes('x..'), answer);
    }
  });

  test('snapback_validate proposes itself again if it only asked for consent', async (t) => {
    const { folder, json } = await served(t, { 'package.json': '{"scripts":{"typecheck":"true"}}', 'a.json': '{}' });
    execFileSync(join(build, 'snap'), ['trust', '--remove', '--workspace', folder], { stdio: 'ignore' });
    const args = { file_path: 'a.json', mode: 'comprehensive' };
    const { next_actions: actions } = await json('snapback_validate', args);
    assert.deepEqual([actions[0].tool, actions[0].args], ['snapback_validate', args]);
    const again = await json('snapback_validate', args);
    assert.ok(!again.next_actions.some((one) => one.tool === 'snapback_validate'));
  });
});

describe('failed tests', () => {
  test('a script with a pattern names the failed tests of node, their locations and the compared values', async (t) => {
    const { text } = await served(t, {
      'package.json': '{"scripts":{"test":"node --test test/*.test.mjs"}}',
      'test/sum.test.mjs': "import test from 'node:test';\nimport assert from 'node:assert/strict';\ntest('adds', () => {});\n"
        + "test('adds wrongly', () => { assert.equal(1 + 1, 3); });\ntest('outer', (t) => t.test('inner', () => { throw new TypeError('broken'); }));\n",
    });
    const answer = await text('check', { mode: 'test' });
    assert.match(answer, / 2 errors and 0 warnings\. 1 test passed, 2 failed\./);
    assert.match(answer, / test\/sum\.test\.mjs:4: adds wrongly: Expected values to be strictly equal: 2 !== 3; test\/sum\.test\.mjs:5: inner: TypeError: broken\./);
  });

  test('an error while node loads a file is located where it is, and not in line 1 of the test', async (t) => {
    const { text } = await served(t, {
      'package.json': '{"type":"module","scripts":{"test":"node --test test/*.test.js"}}',
      'src/price.js': 'export const price = 1;\n\nexport const name = undefined.name;\n',
      'test/a.test.js': "import '../src/price.js';\n",
      'test/b.test.js': "import fs from 'node:fs';\nimport { round } from 'node:path';\n",
    });
    const answer = await text('check', { mode: 'test' });
    assert.match(answer, / src\/price\.js:3:? TypeError: Cannot read properties of undefined \(reading 'name'\)/);
    assert.match(answer, / test\/b\.test\.js:2: SyntaxError: The requested module 'node:path' does not provide an export named 'round'\./);
  });

  test('a failed test of Meson is located in its source, and a signal is its reason', { skip: !installed('meson') || !installed('gcc') }, async (t) => {
    const { folder, text } = await served(t, {
      '.gitignore': 'build\n',
      'meson.build': "project('shop', 'c')\nforeach name : ['says', 'ends']\n  test(name, executable(name, 'tests' / name + '.c'))\nendforeach\n",
      'tests/says.c': '#include <stdio.h>\nint main(void) {\n  fprintf(stderr, "%s:%d: check failed: a == b\\n", __FILE__, __LINE__);\n  return 1;\n}\n',
      'tests/ends.c': '#include <signal.h>\nint main(void) { return raise(SIGSEGV); }\n',
    });
    execFileSync('meson', ['setup', 'build'], { cwd: folder, stdio: 'ignore' });
    const answer = await text('check', { mode: 'test' });
    assert.match(answer, / tests\/says\.c:3: says: check failed: a == b\b/);
    assert.match(answer, /ends: killed by signal 11 SIGSEGV/);
  });

  test('a configured command is named by the program that checks', async (t) => {
    const command = ['env', 'PYTHONPATH=src', 'python3', '-m', 'unittest', 'discover'];
    const { folder, text } = await served(t, {
      '.snapback/config.json': JSON.stringify({ check: { detect: false, commands: [{ subsystem: 'tests', command, format: 'text' }] } }),
      'test_a.py': 'import unittest\n\nclass T(unittest.TestCase):\n    def test_a(self):\n        pass\n',
    });
    trust(folder);
    assert.match(await text('check', { mode: 'test' }), /Checked: python3 -m unittest\./);
  });

  test('a script that runs unittest names the failed tests', async (t) => {
    const { text } = await served(t, {
      'package.json': '{"scripts":{"test":"python3 -m unittest discover"}}',
      'test_sum.py': 'import unittest\n\nclass T(unittest.TestCase):\n    def test_ok(self):\n        pass\n    def test_sum(self):\n        self.assertEqual(1 + 1, 3)\n',
    });
    assert.match(await text('check', { mode: 'test' }), / 1 test passed, 1 failed\. test_sum\.py:7: test_sum: AssertionError: 2 != 3\./);
  });

  test('unittest runs without configuration, and the failed tests are named', async (t) => {
    const { text } = await served(t, {
      'cart.py': 'def total():\n    return 2\n',
      'tests/test_cart.py': 'import unittest\nfrom cart import total\n\nclass T(unittest.TestCase):\n    def test_total(self):\n        self.assertEqual(total(), 3)\n',
    });
    assert.match(await text('check', { mode: 'test' }), / 1 test failed\. tests\/test_cart\.py:6: test_total: AssertionError: 2 != 3\. Checked: unittest\./);
  });

  test('the only error of a failed run is shown even if it is longer than 100 bytes', async (t) => {
    const { folder, text } = await served(t, { '.gitignore': 'node_modules\n', 'tsconfig.json': '{}' });
    const message = `Type '{ ${[1, 2, 3, 4, 5, 6].map((i) => `member${i}: string`).join('; ')} }' is missing the following properties from type 'Order': total, taxes`;
    program(folder, 'node_modules/.bin/tsc', `#!/bin/sh\ncat <<'E'\nsrc/a.ts(1,2): error TS2739: ${message}.\nE\nexit 1\n`);
    const answer = await text('check', { mode: 'build' });
    assert.ok(answer.includes(`src/a.ts:1: TS2739 ${message}.`), answer);
  });
});

describe('merges', () => {
  test('a deleted source that nothing imports passes, and an unmerged file without markers is named', async (t) => {
    const { folder, git, text, write } = await served(t, { 'a.js': 'export const a = 1;\n', 'b.js': 'export const b = 1;\n' });
    rmSync(join(folder, 'b.js'));
    assert.match(await text('check', { mode: 'quick' }), /Check passed\b.* Checked: imports of deleted files\./);
    git('checkout', '-q', 'b.js');
    git('checkout', '-q', '-b', 'other');
    write('b.js', 'export const b = 2;\n');
    git('commit', '-q', '-am', 'other');
    git('checkout', '-q', '-');
    git('rm', '-q', 'b.js');
    git('commit', '-q', '-m', 'gone');
    assert.throws(() => git('merge', '-q', 'other'));
    assert.match(await text('check', { mode: 'quick' }), /1 file is unmerged: b\.js\./);
  });

  test('conflicts that a merge left are found by a task that began later', async (t) => {
    const { text, git, write } = await served(t, { 'cart.ts': 'a\n', 'price.ts': 'a\n' });
    diverge({ git, write }, { 'cart.ts': 'b\n', 'price.ts': 'b\n' }, { 'cart.ts': 'c\n', 'price.ts': 'c\n' });
    assert.throws(() => git('merge', 'other'));
    assert.match(await text('snap', { mode: 'start', task: 'x', files: ['price.ts'] }), / 2 files are unmerged: cart\.ts, price\.ts\./);
    write('price.ts', 'export const d = 1;\n');
    git('add', 'price.ts');
    for (const [tool, args] of [['check', { mode: 'quick' }], ['check', { mode: 'all' }], ['snapback_validate', {}]])
      assert.match(await text(tool, args), /cart\.ts:1:? merge_conflict/);
    assert.match(await text('snap_end'), / 1 file is unmerged: cart\.ts\./);
  });
});

describe('imports', () => {
  test('an import of a file that does not exist is an error, unless it may resolve', async (t) => {
    const { text } = await served(t, {
      '.gitignore': 'generated\n',
      'src/cart.ts': "import { price } from './price.js';\nimport { gone } from './gone';\nimport { schema } from './generated/schema';\n",
      'src/price.ts': 'export const price = 1;\n',
      'shop/__init__.py': '',
      'shop/cart.py': 'from .gone import y\ntry:\n    from .fast import z\nexcept ImportError:\n    z = None\n',
    });
    const answer = await text('check', { mode: 'quick', files: ['src', 'shop'] });
    assert.match(answer, / 2 errors and 0 warnings\. shop\/cart\.py:1: missing_import '\.gone' does not exist; src\/cart\.ts:2: missing_import '\.\/gone' does not exist\./);
    assert.match(await text('check', { mode: 'quick', files: ['src/price.ts'] }), /^.*err:0E/);
    assert.match(await text('snapback_validate', { file_path: 'src/cart.ts', code: "import { gone } from './gone';\n" }), /missing_import '\.\/gone' does not exist/);
  });

  test('the files that import a deleted file are errors', async (t) => {
    const { folder, text } = await served(t, {
      'src/util/text.h': '#pragma once\n',
      'src/main.cc': '#include "util/text.h"\n#if __has_include("util/text.h")\n#include "util/text.h"\n#endif\n',
      'web/price.js': 'export const price = 1;\n',
      'web/cart.js': "import { price } from './price.js';\n",
      'shop/__init__.py': '',
      'shop/price.py': '',
      'run.py': 'from shop.price import total\n',
    });
    for (const path of ['src/util/text.h', 'web/price.js', 'shop/price.py']) rmSync(join(folder, path));
    const answer = await text('check', { mode: 'quick' });
    assert.match(answer, / 3 errors and 0 warnings\. run\.py:1: missing_import 'shop\.price' does not exist; src\/main\.cc:1: missing_import 'util\/text\.h' does not exist; web\/cart\.js:1: missing_import '\.\/price\.js' does not exist\./);
    writeFileSync(join(folder, 'src/text.h'), '');
    mkdirSync(join(folder, 'include/util'), { recursive: true });
    writeFileSync(join(folder, 'include/util/text.h'), '');
    assert.match(await text('check', { mode: 'quick' }), / 2 errors and 0 warnings\./);
  });

  test('every import of a renamed Python package is reported as one error', async (t) => {
    const { git, text } = await served(t, {
      'pyproject.toml': '',
      'src/shop/__init__.py': '',
      'src/shop/app.py': 'from .store import Store\n',
      'src/shop/store/__init__.py': 'class Store: pass\n',
      'src/shop/store/models.py': '',
      'tests/test_shop.py': 'from shop.store.models import Order\nfrom shop import store\n',
    });
    git('mv', 'src/shop/store', 'src/shop/storage');
    assert.match(await text('check', { mode: 'quick', limit: 9 }), / 3 errors and 0 warnings\. src\/shop\/app\.py:1: missing_import '\.store' does not exist; tests\/test_shop\.py:1: missing_import 'shop\.store\.models' does not exist; tests\/test_shop\.py:2: missing_import 'shop\.store' does not exist\./);
  });

  test('an import of types only is not part of an import cycle', async (t) => {
    const { text, write } = await served(t, { 'a.ts': "import { type B } from './b';\nexport type A = B;\n", 'b.ts': '' });
    write('b.ts', "import { type A } from './a';\nexport type B = A;\n");
    assert.match(await text('check', { mode: 'circular' }), /Import cycle check passed/);
    write('tsconfig.json', '{"compilerOptions":{"verbatimModuleSyntax":true}}');
    assert.match(await text('check', { mode: 'circular' }), /Import cycle check failed.*1 error/s);
  });

  test('the nearest affected files are named before notes, and a further page does not call its files the nearest', async (t) => {
    const files = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`packages/frontend/components/settings-page-${i}.test.js`, "import '../../core/source/registry.js';\n"]));
    const { text } = await served(t, { 'packages/core/source/registry.js': '', ...files });
    const answer = await text('check', { mode: 'impact', files: ['packages/core/source/registry.js'] });
    const [, cursor] = / Affected, nearest first: packages\/frontend\/components\/settings-page-0\.test\.js, .*\. \d+ more: cursor ([0-9a-f]+-\d+)\./.exec(answer);
    const rest = await text('check', { mode: 'impact', cursor });
    assert.match(rest, / Further affected: /);
    assert.doesNotMatch(rest, /nearest/);
  });

  test('the tests to run are named before missing files, and notes beyond the limit are counted', async (t) => {
    const name = (i) => `packages/c-o-r-e/s_r_c/w-i-t-h/a/l-o-n-g/p-a-t-h/module_number_${i}.js`;
    const importing = "import './module_number_1.js';\n";
    const files = Object.fromEntries([1, 2, 3, 4, 5, 6].map((i) => [name(i), i > 3 ? importing : 'export const x = 1;\n']));
    const path = 'packages/c-o-r-e/c_h_e_c_k_s/f-o-r/a/l-o-n-g/t-i-m-e/one.test.js';
    const { folder, text, git } = await served(t, { ...files, [path]: "import '../../../../../s_r_c/w-i-t-h/a/l-o-n-g/p-a-t-h/module_number_1.js';\n" });
    git('rm', '-q', name(2), name(3));
    writeFileSync(join(folder, name(1)), 'export const x = 2;\n');
    assert.match(await text('check', { mode: 'impact' }), / 2 notes left out: check with limit\. 3 more: cursor/);
    assert.match(await text('check', { mode: 'impact', limit: 20 }), / Tests to run: packages\/.*\/one\.test\.js\. .* do not exist\./);
  });

  test('a planned file is not reported as edited, and a symlink counts as its file', async (t) => {
    const { folder, text, write } = await served(t, { 'a.js': '', 'b.js': '', 'c.js': "import './a.js';\nimport './b.js';\n" });
    symlinkSync('a.js', join(folder, 'link.js'));
    assert.match(await text('check', { mode: 'impact', files: ['link.js'] }), /An edit of a\.js affects 1 other file, 1 directly\./);
    await text('snap', { mode: 'start', task: 'x', files: ['a.js', 'b.js'] });
    assert.match(await text('check', { mode: 'impact' }), /An edit of 2 files affects 1 other file, 1 directly\./);
    write('a.js', '//\n');
    assert.match(await text('check', { mode: 'impact' }), /\b2 files, of which 1 has not changed yet, affects 1 other file, 1 directly\b/);
    assert.match(await text('snapback_validate', { mode: 'comprehensive' }), /An edit of a\.js affects 1 other file/);
  });

  test('a file whose imports are not analyzed is not reported as one that no file imports', async (t) => {
    const { text } = await served(t, { 'look.css': '', 'data.json': '{}', 'a.js': "import './look.css';\nimport data from './data.json';\n" });
    assert.match(await text('check', { mode: 'impact', files: ['look.css'] }), /status:⏭️.*\n---\n.*\blook\.css is not known\b/);
    assert.match(await text('check', { mode: 'impact', files: ['data.json'] }), /An edit of data\.json affects 1 other file/);
  });
});

describe('packages', () => {
  test('a package that another manifest of the workspace declares is not reported as unknown', async (t) => {
    const { json, text } = await served(t, {
      'package.json': '{"workspaces":["packages/*"]}',
      'packages/api/package.json': '{"dependencies":{"express":"^4.0.0"}}',
    });
    assert.match(await text('snapback_analyze', { type: 'package', package: 'express' }), / A manifest in packages\/api declares it\./);
    const { next_actions: actions } = await json('snapback_analyze', { type: 'package', package: 'express' });
    assert.deepEqual(actions[0].args, { folder: 'packages/api', package: 'express', type: 'package' });
    assert.ok(!actions.some((one) => one.args.task?.startsWith('add the package')));
  });

  test('an answer and the pages of its cursor together list all findings', async (t) => {
    const { text, write } = await served(t, { 'a.c': 'int a;\n' });
    const files = Array.from({ length: 12 }, (_, i) => `a_module_with_a_rather_long_name_${10 + i}.c`);
    for (const file of files) write(file, 'int f( {\n');
    const named = [];
    for (let call = { mode: 'quick' }; call;) {
      const [, summary] = (await text('check', call)).split('---');
      named.push(...summary.matchAll(/a_module_\w+\.c(?=:1)/g).map(([name]) => name));
      const rest = /(\d+) more: cursor (\S+?)\./.exec(summary);
      if (rest) assert.equal(Number(rest[1]), files.length - named.length, summary);
      call = rest && { mode: 'quick', cursor: rest[2] };
    }
    assert.deepEqual(named, files);
  });

  test('an import within a function is not part of an import cycle', async (t) => {
    const { text, write } = await served(t, { 'a.py': 'import b\n', 'b.py': 'def f():\n    import a\n' });
    write('a.py', 'import b\nx = 1\n');
    assert.match(await text('check', { mode: 'circular' }), /Import cycle check passed/);
    write('b.py', 'import a\n');
    assert.match(await text('check', { mode: 'circular' }), /Import cycle check failed.*1 error/s);
  });

  test('an import cycle is listed under its changed file', async (t) => {
    const { text, write } = await served(t, { 'a.py': 'import b\n', 'b.py': '' });
    write('b.py', 'import a\n');
    assert.match(await text('check', { mode: 'circular' }), /b\.py:1: circular b\.py > a\.py > b\.py/);
  });
});
