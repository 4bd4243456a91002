// `check` on real workspaces, through the official SDKs. The programs of the checks really run, are cancelled, time
// out, or print a lot of output; and no program runs without permission.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { describe, test } from 'node:test';

import { openings } from './sdks.mjs';
import { installed, trust } from './servers.mjs';
import { sharedServer } from './shared_server.mjs';
import { wireOf } from './wire.mjs';

// Checks find the same node that runs this test.
process.env.PATH = dirname(process.execPath) + delimiter + process.env.PATH;

const minutes = { timeout: 10 * 60_000, maxTotalTimeout: 10 * 60_000 };
const configured = (...commands) => JSON.stringify({ check: { detect: false, commands } });
const node = (subsystem, ...words) => ({ subsystem, command: [process.execPath, ...words] });

const servers = [openings[0], openings[3], openings[4]].map((opening) => ({ opening, server: sharedServer(opening, { args: ['--profile', 'wire'] }) }));

// Returns the wire tools in a new workspace with these files.
async function untrusted(t, files, { server } = servers[0]) {
  const folder = server.repository(t, files);
  return wireOf(await server.connection(folder), folder);
}

// Creates a workspace with these files, and returns its `check`.
async function start(t, files, on) {
  const { folder, ask, refused, raw } = await untrusted(t, { '.gitignore': 'node_modules\nbuild\n', ...files }, on);
  trust(folder);
  const args = (given) => (typeof given === 'string' ? { mode: given } : given);
  return {
    folder,
    check: (given, options = {}) => ask('check', args(given), { ...minutes, ...options }),
    refused: (given) => refused('check', args(given)),
    // Arguments that ask for long answers.
    long: async (given) => {
      const { isError, content: [{ text }] } = await raw('check', given, minutes);
      assert.ok(!isError, text);
      return text.split('\n---\n')[1];
    },
  };
}

describe('check', () => {
  test('a TypeScript error fails the check, and the corrected file passes', async (t) => {
    const { folder, check } = await start(t, {
      'tsconfig.json': JSON.stringify({ compilerOptions: { strict: true, types: [], skipLibCheck: true }, include: ['src'] }),
      'src/app.ts': "export const port: number = '80';\n",
    });
    assert.equal((await check('build')).of.ts, '⏭️');
    assert.match((await check('build')).summary, /typescript is not in node_modules/);
    symlinkSync(join(import.meta.dirname, 'node_modules'), join(folder, 'node_modules'));
    const broken = await check('full');
    assert.deepEqual(broken.fields.slice(0, 6), ['status:✗', 'err:1E', 'warn:0W', 'ts:✗', 'lint:⏭️', 'tests:⏭️']);
    assert.equal(broken.of.issues, 'src/app.ts:1→TS2322');
    assert.match(broken.summary, /^Full check failed\. 1 error and 0 warnings\. src\/app\.ts:1: TS2322 Type 'string' is not assignable/);
    assert.match(broken.summary, /Correct these and check again\.$/);
    writeFileSync(join(folder, 'src/app.ts'), 'export const port: number = 80;\n');
    const mended = await check({ mode: 'build', compact: true });
    assert.deepEqual(mended.fields, ['✓', '0E', '0W', '✓', '⏭️', '⏭️', '']);
    assert.equal(mended.summary, 'Build check passed. Checked: tsc.');
  });

  test('the tests of node are counted', async (t) => {
    const { folder, check } = await start(t, {
      'package.json': JSON.stringify({ scripts: { test: 'node --test' } }),
      'a.test.mjs':
        "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\ntest('adds', () => assert.equal(1 + 1, 2));\n" +
        "test('adds wrongly', () => {\n  assert.equal(1 + 1, 3);\n});\ntest('later', { skip: true }, () => {});\n",
    });
    const failed = await check('test');
    assert.deepEqual(failed.fields.slice(0, 6), ['status:✗', 'err:1E', 'warn:0W', 'ts:⏭️', 'lint:⏭️', 'tests:✗']);
    assert.equal(failed.of.issues, 'a.test.mjs:5→adds→wrongly');
    assert.match(failed.summary, /1 test passed, 1 failed, 1 skipped\. a\.test\.mjs:5: adds wrongly: Expected values to be strictly equal: 2 !== 3/);
    writeFileSync(join(folder, 'a.test.mjs'), "import { test } from 'node:test';\ntest('nothing', () => {});\n");
    const passed = await check('test');
    assert.deepEqual([passed.of.status, passed.of.tests], ['✓', '✓']);
    assert.match(passed.summary, /^Test check passed\. 1 test passed\./);
    rmSync(join(folder, 'a.test.mjs'));
    assert.equal((await check('test')).of.tests, '⏭️');
    assert.equal((await check('build')).summary, 'Build check checked nothing. Skipped: no compiler or type checker found.');
  });

  test('a Meson project reports warnings and errors, and runs tests only after a build', { skip: !installed('meson') || !installed('gcc') }, async (t) => {
    const { folder, check } = await start(t, {
      'meson.build': "project('shop', 'c')\nsum = executable('sum', 'src/sum.c', c_args : ['-Wall'])\ntest('adds', sum)\ntest('adds wrongly', sum, args : ['x'])\n",
      'src/sum.c': 'int main(int count, char **values) {\n  int unused;\n  (void)values;\n  return count - 1;\n}\n',
    });
    assert.match((await check('full')).summary, /Meson is not configured/);
    execFileSync('meson', ['setup', 'build'], { cwd: folder, stdio: 'ignore' });
    const built = await check('full');
    assert.deepEqual(built.fields.slice(0, 6), ['status:✗', 'err:1E', 'warn:1W', 'ts:✓', 'lint:⏭️', 'tests:✗']);
    assert.match(built.summary, /1 test passed, 1 failed/);
    assert.match(built.summary, /src\/sum\.c:2: -Wunused-variable/);
    writeFileSync(join(folder, 'src/sum.c'), 'int main(void) { return missing; }\n');
    const broken = await check('test');
    assert.deepEqual(broken.fields.slice(0, 6), ['status:✗', 'err:1E', 'warn:0W', 'ts:✗', 'lint:⏭️', 'tests:⏭️']);
    assert.match(broken.of.issues, /^src\/sum\.c:1/);
    assert.match(broken.summary, /Skipped: meson test did not run, because meson compile failed/);
  });

  test('Python: errors of mypy and failed tests of pytest are findings', { skip: !installed('mypy') || !installed('pytest') }, async (t) => {
    const { check } = await start(t, {
      'pyproject.toml': '[tool.mypy]\nstrict = true\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n',
      'app.py': 'def add(a: int, b: int) -> int:\n    return str(a + b)\n',
      'tests/test_app.py': 'def test_adds() -> None:\n    assert 1 + 1 == 2\n\n\ndef test_adds_wrongly() -> None:\n    left = 1 + 1\n    assert left == 3\n',
    });
    const full = await check('full');
    assert.deepEqual(full.fields.slice(0, 6), ['status:✗', 'err:2E', 'warn:0W', 'ts:✗', 'lint:⏭️', 'tests:✗']);
    assert.equal(full.of.issues, 'app.py:2→return-value;→tests/test_app.py:7→test_adds_wrongly');
  });

  // `go test` reports some of vet's warnings itself, and then runs no test.
  test('Go: compile errors, vet warnings and failed tests are findings', { skip: !installed('go', 'version') }, async (t) => {
    const { folder, check } = await start(t, {
      'go.mod': 'module example.com/shop\n\ngo 1.19\n',
      'sum/sum.go': 'package sum\n\nfunc Sum(a, b int) int {\n\tb = b\n\treturn a + b\n}\n',
      'sum/sum_test.go': 'package sum\n\nimport "testing"\n\nfunc TestSum(t *testing.T) {\n\tif Sum(1, 1) != 3 {\n\t\tt.Error("wrong")\n\t}\n}\n',
    });
    const full = await check('full');
    assert.deepEqual(full.fields.slice(0, 6), ['status:✗', 'err:2E', 'warn:0W', 'ts:✓', 'lint:✗', 'tests:✗']);
    assert.match(full.of.issues, /^sum\/sum\.go:4→.*;→sum\/sum_test\.go:7→TestSum$/);
    writeFileSync(join(folder, 'sum/sum.go'), 'package sum\n\nfunc Sum(a, b int) int { return missing }\n');
    const broken = await check('full');
    assert.deepEqual(broken.fields.slice(0, 6), ['status:✗', 'err:1E', 'warn:0W', 'ts:✗', 'lint:⏭️', 'tests:⏭️']);
    assert.match(broken.summary, /sum\/sum\.go:3: undefined: missing/);
  });

  test('Cargo: warnings, lints and failed tests are findings', { skip: !installed('cargo') || !installed('cargo-clippy') }, async (t) => {
    const { check } = await start(t, {
      'Cargo.toml': '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs':
        'pub fn sum(a: i32, b: i32) -> i32 {\n    let unused = 1;\n    return a + b;\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n' +
        '    fn adds_wrongly() {\n        assert_eq!(super::sum(1, 1), 3);\n    }\n}\n',
      '.gitignore': 'target\nCargo.lock\n',
    });
    const full = await check('full');
    assert.deepEqual([full.of.err, full.of.ts, full.of.tests], ['1E', '✓', '✗']);
    assert.notEqual(full.of.warn, '0W');
    assert.match(full.of.issues, /^src\/lib\.rs:10→tests::adds_wrongly/);
  });

  test('static modes run no program of the workspace', async (t) => {
    const trap = '#!/bin/sh\ntouch "$(git rev-parse --show-toplevel)/trapped"\n';
    const { folder, check } = await start(t, {
      'package.json': JSON.stringify({ scripts: { test: './trap', lint: './trap', build: './trap', preinstall: './trap' } }),
      'tsconfig.json': '{}',
      'eslint.config.mjs': "import { writeFileSync } from 'node:fs';\nwriteFileSync('trapped', '');\n",
      'Cargo.toml': '[package]\nname = "x"\n',
      'go.mod': 'module x\n',
      trap,
      '.snapback/config.json': JSON.stringify({ check: { commands: [{ subsystem: 'tests', command: ['./trap'] }] } }),
    });
    chmodSync(join(folder, 'trap'), 0o755);
    mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
    for (const name of ['tsc', 'eslint', 'jest', 'vitest']) writeFileSync(join(folder, 'node_modules/.bin', name), trap, { mode: 0o755 });
    for (const mode of ['quick', 'patterns', 'impact', 'circular', 'docs']) {
      await check(mode);
      assert.equal(existsSync(join(folder, 'trapped')), false, mode);
    }
    await check('build');
    assert.equal(existsSync(join(folder, 'trapped')), true, 'a program of the workspace that runs creates the file');
  });

  test('a configured command runs only after the user trusts it, and is distrusted when it changes', async (t) => {
    const settings = (word) => configured(node('tests', '-e', `require('node:fs').writeFileSync('ran', '${word}')`));
    const { folder, ask } = await untrusted(t, { '.snapback/config.json': settings('one') });
    const ran = () => existsSync(join(folder, 'ran')) && readFileSync(join(folder, 'ran'), 'utf8');
    const refused = await ask('check', { mode: 'test' });
    assert.equal(refused.of.tests, '⏭️');
    assert.match(refused.summary, /not trusted until the user runs `snap trust`: `/);
    assert.equal(ran(), false);
    trust(folder);
    assert.equal((await ask('check', { mode: 'test' })).of.tests, '✓');
    assert.equal(ran(), 'one');
    writeFileSync(join(folder, '.snapback/config.json'), settings('two'));
    assert.equal((await ask('check', { mode: 'test' })).of.tests, '⏭️');
    assert.equal(ran(), 'one');
    // Another clone with the same content is a different repository.
    const there = await untrusted(t, { '.snapback/config.json': settings('one') });
    assert.equal((await there.ask('check', { mode: 'test' })).of.tests, '⏭️');
  });

  test('syntax errors fail every mode that parses files, and the answer lists the checks that ran', async (t) => {
    const { check } = await start(t, { 'src/main.c': 'int main( {\n', 'package.json': '{broken', 'lib/a.py': 'def f(:\n', 'notes.md': '((\n' });
    for (const mode of ['quick', 'all']) {
      const { of, summary } = await check({ mode, files: ['src/main.c', 'package.json', 'lib/a.py', 'notes.md'] });
      assert.deepEqual([of.status, of.err, of.ts, of.lint, of.tests], ['✗', '3E', '⏭️', '⏭️', '⏭️'], mode);
      assert.match(summary, /lib\/a\.py:1: syntax '\(' is never closed/, mode);
      assert.match(`${of.issues} ${summary}`, /src\/main\.c:1/, mode);
    }
    const { summary } = await check({ mode: 'quick', files: ['src/main.c', 'notes.md'] });
    assert.match(summary, /\bconflict markers \(2 files\), C brackets and strings \(1 file\)/);
    assert.match(summary, /Skipped: 1 file of a kind without a syntax check\./);
    for (const mode of ['full', 'build', 'test']) {
      const nothing = await check(mode);
      assert.deepEqual([nothing.of.status, nothing.of.lint], ['⏭️', '⏭️'], mode);
      assert.match(nothing.summary, /Skipped: package\.json:1 is not valid JSON/, mode);
    }
  });

  test('several programs run in one check, and each subsystem has a separate result', async (t) => {
    const { check } = await start(t, {
      '.snapback/config.json': configured(
        node('types', '-e', 'console.log("src/a.x:3:7: warning: old [w1]")'),
        node('lint', '-e', 'console.log("src/b.x:1:2: error: ugly"); process.exit(1)'),
        node('tests', '-e', 'console.log("  2 passing (1ms)")'),
        { ...node('lint', '-e', 'process.exit(0)'), add: true },
        { subsystem: 'lint', command: ['no-such-program-anywhere'] },
      ),
    });
    const full = await check('full');
    assert.deepEqual(full.fields.slice(0, 6), ['status:✗', 'err:1E', 'warn:1W', 'ts:✓', 'lint:✗', 'tests:✓']);
    assert.match(full.summary, /src\/b\.x:1: ugly; src\/a\.x:3: w1 old/);
    assert.match(full.summary, /Skipped: no-such-program-anywhere cannot run/);
    assert.equal((await check('build')).of.lint, '⏭️');
  });

  test('programs get CI, empty input, and no variables of git or about colours', async (t) => {
    const script =
      'const bad = Object.keys(process.env).filter((name) => /^(GIT|SNAPGEN|SNAPBACK|NODE_TEST)_|^(NO|FORCE)_COLOR$/.test(name));' +
      'process.stdin.on("data", () => {}).on("end", () => {' +
      'console.log(`x.js:1:1: error: ${bad} ${process.env.CI} ${Boolean(process.env.PATH)}`); process.exit(1); });';
    const { check } = await start(t, { '.snapback/config.json': configured(node('lint', '-e', script)) });
    assert.match((await check('full')).summary, /x\.js:1: 1 true/);
  });

  test('a program that does not end is killed at the deadline', async (t) => {
    const { check } = await start(t, {
      '.snapback/config.json': JSON.stringify({
        check: { detect: false, deadline_seconds: 1, commands: [node('tests', '-e', 'setInterval(() => {}, 1000)')] },
      }),
    });
    const late = await check('test');
    assert.equal(late.of.tests, '✗');
    assert.match(late.summary, /node took too long and was ended/);
  });

  test('progress notifications name the running program', async (t) => {
    // The program ends after the progress notification has arrived.
    const listening = createServer();
    listening.listen(0, '127.0.0.1');
    await once(listening, 'listening');
    t.after(() => listening.close());
    const waiting = "require('node:net').connect(Number(process.argv[1]), '127.0.0.1').on('close', () => process.exit(0)).resume();";
    const { check } = await start(t, {
      '.snapback/config.json': configured(node('tests', '-e', waiting, String(listening.address().port))),
    });
    const connected = once(listening, 'connection');
    let heard;
    const reported = new Promise((resolve) => { heard = resolve; });
    const progress = [];
    const running = check('test', { onprogress: (one) => { progress.push(one.progress); heard(one); } });
    assert.equal((await reported).message, 'running: node');
    const [socket] = await connected;
    socket.end();
    assert.equal((await running).of.tests, '✓');
    assert.ok(progress.every((one, i) => i === 0 || one > progress[i - 1]), String(progress));
  });

  test('a report file counts only if this run wrote it', async (t) => {
    const report = '<testsuite><testcase name="a"/><testcase name="b"><failure message="no">x.js:3: no</failure></testcase></testsuite>';
    const { folder, check } = await start(t, {
      'write.js': `require('node:fs').writeFileSync('out.xml', ${JSON.stringify(report)}); process.exit(1);`,
      '.snapback/config.json': configured({ ...node('tests', 'write.js'), format: 'junit', report: 'out.xml' }),
    });
    const written = await check('test');
    assert.equal(written.of.issues, 'x.js:3→b');
    assert.match(written.summary, /1 test passed, 1 failed/);
    writeFileSync(join(folder, 'write.js'), 'process.exit(1)');
    assert.match((await check('test')).summary, /node ended with exit code 1/);
  });

  test('long output is cut, and the summary reports it', async (t) => {
    const script = 'const line = "x".repeat(99) + "\\n"; const much = line.repeat(10000);' +
      'process.stdout.write("a.x:1:1: warning: first\\n"); for (let i = 0; i < 20; ++i) process.stdout.write(much);';
    const { check } = await start(t, { '.snapback/config.json': configured(node('types', '-e', script)) });
    const { of, summary } = await check('build');
    assert.deepEqual([of.ts, of.warn], ['✓', '1W']);
    assert.match(summary, /The output of node was cut/);
  });

  test('errors in settings and arguments name their location', async (t) => {
    const { folder, check, refused } = await start(t, {});
    const fail = async (args) => {
      const { of, summary } = await refused(args);
      return `${of.code} ${summary}`;
    };
    assert.match(await fail('fast'), /^INVALID_MODE/);
    assert.match(await fail({ mode: 'full', taskId: 'task_aaaaaaaa' }), /^NO_TASK/);
    assert.match(await fail({ mode: 'full', files: ['../x'] }), /^VALIDATION_FAILED/);
    const set = (text) => {
      mkdirSync(join(folder, '.snapback'), { recursive: true });
      writeFileSync(join(folder, '.snapback/config.json'), text);
    };
    for (const [settings, where] of [
      ['{ "check": { "commands": [{ "subsystem": "tests" }] } }', /\.snapback\/config\.json: \/check\/commands\/0: .*command/],
      ['{ "check": { "commands": [{ "subsystem": "test", "command": ["x"] }] } }', /\/check\/commands\/0\/subsystem: .*tests/],
      ['{ "check": { "commands": [{ "subsystem": "tests", "command": ["x"], "folder": "../y" }] } }', /\/check\/commands\/0\/folder: /],
      ['{ "check": { "deadline": 3 } }', /\/check\/deadline/],
      ['{ "check": ', /not JSON at line 1/],
    ]) {
      set(settings);
      assert.match(await fail('full'), where);
      assert.equal((await check('quick')).of.status, settings.endsWith('}') ? '✓' : '✗', 'a check parses the settings, because they are JSON');
    }
  });

  test('a named folder means the files in it that git does not ignore', async (t) => {
    const { check } = await start(t, {
      'src/deep/a.x': '<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n', 'src/made.o': '<<<<<<< ours\n', '.gitignore': '*.o\n', 'b.x': 'b\n',
    });
    for (const files of [['src'], ['src/deep'], ['.'], ['src', 'src/deep/a.x']]) {
      const { of, summary } = await check({ mode: 'quick', files });
      assert.equal(of.status, '✗', files.join());
      assert.match(of.issues, /^src\/deep\/a\.x:1→/);
      assert.match(summary, files[0] === '.' ? /conflict markers \([34] files\)/ : /conflict markers \(1 file\)/);
    }
    assert.equal((await check({ mode: 'quick', files: ['b.x'] })).of.status, '✓');
  });

  test('300 errors are counted, and listed in pages without a second run', async (t) => {
    const script = "require('node:fs').appendFileSync('runs', 'x'); for (let i = 1; i <= 300; ++i) console.log(`a.x:${i}:1: error: wrong ${i}`); process.exit(1)";
    const { folder, check, refused, long } = await start(t, { '.gitignore': 'runs\n', '.snapback/config.json': configured(node('types', '-e', script)) });
    const first = await check('build');
    assert.equal(first.of.err, '300E');
    const listed = [...first.summary.matchAll(/a\.x:(\d+): wrong \1/g)].map(([, line]) => Number(line));
    const [, more, cursor] = /; a\.x:\d+: wrong \d+\. (\d+) more: cursor ([0-9a-f]{8}-\d+)\./.exec(first.summary);
    assert.equal(listed.length + Number(more), 300);
    const rest = await long({ mode: 'build', cursor, limit: 100 });
    for (const [, line] of rest.matchAll(/a\.x:(\d+): wrong \1/g)) listed.push(Number(line));
    const [, stillMore, next] = /(\d+) more: cursor ([0-9a-f]{8}-\d+)\./.exec(rest);
    assert.equal(listed.length + Number(stillMore), 300);
    const last = await long({ mode: 'build', cursor: next, limit: 500 });
    for (const [, line] of last.matchAll(/a\.x:(\d+): wrong \1/g)) listed.push(Number(line));
    assert.deepEqual(listed, Array.from({ length: 300 }, (_, i) => i + 1));
    assert.doesNotMatch(last, /more/);
    assert.equal(readFileSync(join(folder, 'runs'), 'utf8'), 'x', 'reading further pages runs no program');
    for (const unknown of ['x', '00000000-0', `${cursor.slice(0, 9)}999`, `${cursor}x`]) {
      const { of, summary } = await refused({ mode: 'build', cursor: unknown });
      assert.equal(of.code, 'VALIDATION_FAILED', unknown);
      assert.match(summary, /Unknown cursor\. Omit it to run the check again\./);
    }
  });

  test('findings in named files are listed first', async (t) => {
    const { check } = await start(t, {
      'a.x': 'a\n', 'z.x': 'z\n',
      '.snapback/config.json': configured(
        node('types', '-e', 'console.log("a.x:1:1: error: one\\nz.x:1:1: error: two"); process.exit(1)')),
    });
    assert.match((await check('build')).of.issues, /^a\.x:1→one;→z\.x:1→two/);
    assert.match((await check({ mode: 'build', files: ['z.x'] })).of.issues, /^z\.x:1→two;→a\.x:1→one/);
  });
});

// A program that starts another one. Each holds a connection open; the end of the connection shows that the process has
// ended.
const holding =
  "const { connect } = require('node:net'); const { spawn } = require('node:child_process');" +
  'const [port, rest] = [Number(process.argv[1]), process.argv[2]];' +
  "process.on('SIGTERM', () => {});" +
  "connect(port, '127.0.0.1'); if (rest) spawn(process.execPath, ['-e', rest, String(port)], { stdio: 'inherit' });";

for (const on of servers) {
  test(`cancelling ends every process of a check, ${on.opening.name}`, async (t) => {
    const held = [];
    const listening = createServer((socket) => {
      held.push(once(socket.on('error', () => {}), 'close'));
      socket.resume();
      listening.emit('held');
    });
    listening.listen(0, '127.0.0.1');
    await once(listening, 'listening');
    t.after(() => listening.close());
    const { check } = await start(t, {
      '.snapback/config.json': configured(
        node('tests', '-e', holding, String(listening.address().port), holding), node('lint', '-e', '0')),
    }, on);
    const cancel = new AbortController();
    const running = assert.rejects(check('full', { signal: cancel.signal }));
    while (held.length < 2) await once(listening, 'held');
    cancel.abort(new Error('changed my mind'));
    await running;
    await Promise.all(held); // Both processes ignore SIGTERM.
    // The next check works, so no process of the cancelled one remains. No file has changed, so it is skipped.
    assert.equal((await check('quick')).of.status, '⏭️');
  });
}
