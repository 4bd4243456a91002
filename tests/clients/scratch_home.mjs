// A repository with its own home folder, in which tests run `snap`.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import { repository } from './servers.mjs';

export const program = realpathSync(dirname(resolve(process.env.SNAPGEN_BUILD ?? join(import.meta.dirname, '../../build'), 'snap'))) + '/snap';

// Creates a repository and a separate home folder, and returns commands that use only these.
export const scratch = (t, files = { 'a.txt': 'a\n' }) => {
  const folder = realpathSync(repository(t, files));
  const home = mkdtempSync(join(tmpdir(), 'snapgen home '));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const env = { PATH: process.env.PATH, HOME: home, NO_COLOR: '1' };
  const run = (words, options = {}) => {
    const { status, stdout, stderr } = spawnSync(program, words, { cwd: folder, encoding: 'utf8', ...options, env: { ...env, ...options.env } });
    return { status, stdout, stderr };
  };
  const doctor = (words = [], options = {}) => {
    const { status, stdout, stderr } = run(['doctor', '--json', ...words], options);
    const found = JSON.parse(stdout);
    assert.equal(status, found.errors > 0 ? 1 : 0, stderr);
    for (const health of ['error', 'warning'])
      assert.equal(found.findings.filter((each) => each.health === health).length, found[`${health}s`]);
    for (const each of found.findings) {
      assert.ok(each.text && each.area);
      assert.equal(each.fix === '', each.health === 'ok', `only a problem has a fix; ${each.health}: ${each.text}`);
    }
    return found;
  };
  // Omits findings about the machine that runs the test.
  const machine = ['disk', 'inotify'];
  const bad = (words, options) => doctor(words, options).findings.filter(({ health, area }) => health !== 'ok' && !machine.includes(area)).map(({ health, area, text }) => `${health} ${area}: ${text}`);
  const write = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const read = (path) => readFileSync(join(folder, path), 'utf8');
  return { folder, home, run, doctor, bad, write, read };
};

// Returns every file and folder with its size, time and permissions.
export const listing = (folder) =>
  readdirSync(folder, { recursive: true })
    .map((name) => ({ name, ...(({ size, mtimeMs, mode }) => ({ size, mtimeMs, mode }))(statSync(join(folder, name))) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
