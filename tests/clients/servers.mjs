// The servers under test, and a git repository for the server that needs one.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

export const build = resolve(process.env.SNAPGEN_BUILD ?? join(import.meta.dirname, '../../build'));

// Servers under test must not store files in the home folder of the person who runs the tests.
process.env.XDG_STATE_HOME = join(build, 'state');
process.env.XDG_CONFIG_HOME = join(build, 'config');

// Permits checks to run programs of the folder, and the commands and tools that are now in its .snapback/config.json.
export const trust = (folder) => execFileSync(join(build, 'snap'), ['trust', '--yes', '--workspace', folder], { stdio: 'ignore' });

export const fixture = { command: join(build, 'tests/fixture/fixture-server'), args: ['--stdio'] };

export const snapgen = (workspace) => ({
  command: join(build, 'snapgen-server'),
  args: ['--stdio', '--workspace', workspace],
});

// Returns the server as a process that is subject to file permissions even if root runs the tests.
export const unprivileged = (server) =>
  process.getuid() === 0 ? { ...server, command: 'setpriv', args: ['--bounding-set=-dac_override,-dac_read_search', server.command, ...server.args] } : server;

// Removes a folder in which a server may still be writing its log. rmSync() does not list a folder again if a file was
// added to it.
export function remove(folder) {
  for (let attempts = 100; ; --attempts) {
    try {
      return rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 10 });
    } catch (error) {
      if (error.code !== 'ENOTEMPTY' || attempts === 0) throw error;
    }
  }
}

// Creates a repository with these files committed: {path: content}. It is deleted when the test `t` ends.
export function repository(t, files, parent = tmpdir()) {
  const folder = mkdtempSync(join(parent, 'snapgen client test '));
  t.after(() => remove(folder));
  const git = (...words) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=test', '-c', 'user.email=test@localhost', ...words]);
  git('init', '--quiet');
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  git('add', '.');
  git('-c', 'commit.gpgsign=false', 'commit', '--quiet', '--no-verify', '--message', 'first');
  return folder;
}

// Commits `theirs` on a new branch `other`, and `ours` on the present one: {path: content}.
export function diverge({ git, write }, theirs, ours) {
  const commit = (files, message) => {
    for (const [path, content] of Object.entries(files)) write(path, content);
    git('commit', '-qam', message);
  };
  git('checkout', '-qb', 'other');
  commit(theirs, 'theirs');
  git('checkout', '-q', '-');
  commit(ours, 'ours');
}

// Waits until a new file has a later modification time than all previous changes, because file system timestamps are
// coarse.
export function tick(folder) {
  const begin = BigInt(Date.now() + 2) * 1_000_000n;
  const probe = join(folder, '.git/tick');
  let born = 0n;
  while (born <= begin) {
    writeFileSync(probe, '');
    born = statSync(probe, { bigint: true }).birthtimeNs;
    rmSync(probe);
  }
}

// A text that is difficult for tools: all characters that JSON must escape, several scripts, and characters outside the
// basic multilingual plane.
export const awkward = 'tab\t quote " backslash \\ newline\n null \u0000 del \u007f é 日本語 \u{1F600}\u{1F1E9}\u{1F1EA} \u2028';

// Returns whether a program is in PATH.
export const installed = (program, asked = '--version') => {
  try {
    execFileSync(program, [asked], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
