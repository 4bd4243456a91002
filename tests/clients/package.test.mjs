// Tests the npm packages, installed from their files without a network, and started by the commands that npm puts into
// PATH.
import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';

import { connect, openings } from './sdks.mjs';
import { repository } from './servers.mjs';

const root = resolve(import.meta.dirname, '../..');
const build = resolve(process.env.SNAPGEN_BUILD ?? join(root, 'build'));
const options = existsSync(join(build, 'meson-info/intro-buildoptions.json'))
  ? Object.fromEntries(JSON.parse(readFileSync(join(build, 'meson-info/intro-buildoptions.json'), 'utf8')).map(({ name, value }) => [name, value]))
  : {};
const isRelease = options.buildtype === 'release' && options.b_sanitize === 'none';

// A recent Node replaces its process with the program. An older one, such as Debian's, starts the program as a child.
const nodes = [...new Set([process.execPath, '/usr/bin/node'])].filter(existsSync);

// Runs a command. Returns its output and how it ended, also if it failed.
async function run(command, words, more = {}) {
  try {
    return { code: 0, ...(await promisify(execFile)(command, words, { encoding: 'utf8', ...more })) };
  } catch (error) {
    if (error.code === undefined || typeof error.code === 'string') throw error;
    return error;
  }
}

const archivesIn = (packages) => readdirSync(packages).filter((name) => name.endsWith('.tgz')).map((name) => join(packages, name));

// Returns the packages that their own tests have built, if they contain the present program and launcher.
function madeBefore() {
  const packages = join(build, 'tests/install/packages/one');
  const archives = existsSync(packages) ? archivesIn(packages) : [];
  if (!archives.length) return undefined;
  const made = Math.min(...archives.map((path) => statSync(path).mtimeMs));
  const sources = [join(build, 'snapgen-server'), join(root, 'tools/install/npm/launch.js'), join(root, 'tools/install/npm_packages.py')];
  return sources.every((path) => statSync(path).mtimeMs < made) ? packages : undefined;
}

// Returns whether this Node can replace its process with another program.
function canBecome(node) {
  return execFileSync(node, ['-p', 'typeof process.execve'], { encoding: 'utf8' }).trim() === 'function';
}

describe('the npm packages', { skip: isRelease ? false : 'packages are made of release builds', timeout: 900_000 }, () => {
  let folder;
  let installed;
  const packageFolder = () => join(installed, 'node_modules/snapgen-mcp');
  const programFolder = () => `${packageFolder()}-linux-${process.arch}`;
  const launcher = (name) => join(packageFolder(), `bin/${name}.js`);

  // Starts a server over HTTP with `node`. Its pipes do not keep this process alive, even if the server outlives its
  // parent.
  function served(t, node, options, workspace) {
    const child = spawn(node, [...options, launcher('snap'), 'mcp', 'http', '--port', '0', '--workspace', workspace], { stdio: ['pipe', 'pipe', 'ignore'] });
    t.after(() => {
      child.kill('SIGKILL');
      child.stdout.destroy();
    });
    return child;
  }

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'snapgen package '));
    const packages = madeBefore() ?? join(folder, 'packages');
    if (!existsSync(packages))
      execFileSync('python3', ['-B', join(root, 'tools/install/package.py'), '--build', build, '--out', packages, '--quick'], { stdio: ['ignore', 'ignore', 'inherit'] });
    installed = join(folder, 'project');
    execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', '--no-save', '--prefix', installed, '--cache', join(folder, 'cache'), ...archivesIn(packages)], { stdio: ['ignore', 'ignore', 'inherit'] });
  }, { timeout: 600_000 });
  after(() => rmSync(folder, { recursive: true, force: true }));

  test('contain a program, and no script that runs at installation', () => {
    const page = JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8'));
    assert.deepEqual(Object.keys(page.bin).sort(), ['snap', 'snapback', 'snapgen-mcp', 'snapgen-server']);
    assert.deepEqual(page.optionalDependencies, { [`snapgen-mcp-linux-${process.arch}`]: page.version });
    assert.equal(page.dependencies, undefined);
    for (const name of page.man) assert.ok(existsSync(join(packageFolder(), name)), name);
    const program = JSON.parse(readFileSync(join(programFolder(), 'package.json'), 'utf8'));
    assert.deepEqual([program.version, program.os, program.cpu], [page.version, ['linux'], [process.arch]]);
    for (const each of [page, program]) assert.equal(each.scripts, undefined);
    for (const each of [packageFolder(), programFolder()]) assert.ok(existsSync(join(each, 'LICENSE')));
  });

  test('npx starts it under each name', async () => {
    const { version } = JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8'));
    for (const name of ['snap', 'snapback', 'snapgen-mcp', 'snapgen-server']) {
      const { stdout } = await run('npx', ['--no-install', name, '--version'], { cwd: installed });
      assert.equal(stdout, `snapgen ${version}\n`);
    }
    assert.match((await run('npx', ['--no-install', 'snap', '--help'], { cwd: installed })).stdout, /^Usage: snap COMMAND/);
    assert.match((await run('npx', ['--no-install', 'snapback', '--help'], { cwd: installed })).stdout, /^Usage: snapback COMMAND/);
  });

  for (const node of nodes) {
    describe(node, () => {
      test('serves the official SDKs', async (t) => {
        const workspace = repository(t, { 'one.txt': 'one\n' });
        for (const opening of openings.filter(({ http }) => !http)) {
          const { list, call } = await connect(t, opening, { command: node, args: [launcher('snapgen-server'), '--stdio', '--workspace', workspace] });
          assert.ok((await list()).some(({ name }) => name === 'snapshot_create'));
          const { lease_id } = (await call('snapshot_list', { recursive: true })).structuredContent;
          assert.match((await call('snapshot_create', { lease_id })).structuredContent.snapshot_id, /^sha256:/);
        }
      });

      test('passes on exit codes, standard input and arguments unchanged', async () => {
        assert.equal((await run(node, [launcher('snap'), 'no such command'])).code, 2);
        const child = spawn(node, [launcher('snap'), 'wire', 'decode', '--json'], { stdio: ['pipe', 'pipe', 'ignore'] });
        let said = '';
        child.stdout.on('data', (data) => (said += data));
        child.stdin.end('no line at all\n');
        const [code] = await once(child, 'close');
        assert.equal(code, 1, said);
      });

      // A launcher that remains as the parent of the program cannot forward a SIGKILL; no process can.
      for (const signal of canBecome(node) ? ['SIGTERM', 'SIGINT', 'SIGKILL'] : ['SIGTERM', 'SIGINT']) {
        test(`ends with ${signal}, and leaves no process`, async (t) => {
          const workspace = repository(t, { 'one.txt': 'one\n' });
          const child = served(t, node, [], workspace);
          const url = (await once(child.stdout, 'data')).toString().trim();
          const ended = once(child, 'exit');
          child.kill(signal);
          const [code, by] = await ended;
          // A server that receives another signal exits with its own code.
          assert.deepEqual([code, by], signal === 'SIGKILL' ? [null, 'SIGKILL'] : [0, null]);
          await assert.rejects(fetch(url));
        });
      }

      test('forwards a signal that arrives while the program starts', { skip: canBecome(node) && 'this Node replaces its process with the program' }, async (t) => {
        const workspace = repository(t, { 'one.txt': 'one\n' });
        const slow = join(folder, 'slow.cjs');
        writeFileSync(slow, `const children = require('node:child_process');
          const spawn = children.spawn;
          children.spawn = (...words) => {
            const child = spawn(...words);
            Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
            return child;
          };\n`);
        const child = served(t, node, ['--require', slow], workspace);
        const url = (await once(child.stdout, 'data')).toString().trim();
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        assert.deepEqual(await ended, [0, null]);
        await assert.rejects(fetch(url));
      });

      test('names an unsupported platform', async () => {
        const other = join(folder, 'other.cjs');
        writeFileSync(other, "Object.defineProperty(process, 'platform', { value: 'darwin' });\n");
        const { code, stdout, stderr } = await run(node, ['--require', other, launcher('snap'), '--version']);
        assert.deepEqual([code, stdout], [1, '']);
        assert.match(stderr, /^snap: there is no program for darwin-\w+, only for linux-\w+; on Windows, run it in WSL\.\n$/);
      });
    });
  }

  test('report that the program was not installed', async () => {
    rmSync(programFolder(), { recursive: true });
    for (const node of nodes) {
      const { code, stderr } = await run(node, [launcher('snapback'), '--version']);
      assert.equal(code, 1);
      assert.match(stderr, /^snapback: the program of the package snapgen-mcp-linux-\w+ is missing; install snapgen-mcp again, with optional dependencies\.\n$/);
    }
  });
});
