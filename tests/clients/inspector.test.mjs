// The command-line mode of the official inspector lists and calls every tool of snapgen-server, over stdio and HTTP.
// This test installs the inspector separately from the other packages, because it is large and includes binaries that
// some registries do not have.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

import { startHttp } from './http.mjs';
import { repository, snapgen } from './servers.mjs';

const folder = join(import.meta.dirname, 'inspector');
const inspector = join(folder, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');

// Returns the reason why the inspector cannot be installed, or undefined.
async function missing() {
  const lock = join(folder, 'package-lock.json');
  const installed = join(folder, 'node_modules/.installed-lock');
  const same = () => { try { return readFileSync(lock).equals(readFileSync(installed)); } catch { return false; } };
  if (same()) return undefined;
  // The package's install script would install its graphical parts.
  const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder];
  try {
    await promisify(execFile)('npm', words, { timeout: 300_000, maxBuffer: 1 << 26 });
  } catch (failed) {
    return `npm could not install the inspector: ${String(failed.stderr || failed.message).trim().split('\n').at(-1)}`;
  }
  copyFileSync(lock, installed);
  return undefined;
}
const without = await missing();

// Returns the inspector's output for these arguments, parsed as JSON. The inspector has a separate exit code for a
// result with isError.
async function inspect(t, target, ...words) {
  const home = mkdtempSync(join(tmpdir(), 'inspector '));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const options = { maxBuffer: 1 << 26, env: { ...process.env, HOME: home } };
  const run = promisify(execFile)(process.execPath, [inspector, '--cli', ...target, ...words], options);
  const { stdout, stderr } = await run.catch((failed) => failed);
  try {
    return JSON.parse(stdout);
  } catch {
    throw new Error(`${words.join(' ')}: ${stdout}${stderr}`);
  }
}

// Arguments with which a call succeeds. Other tools are called without arguments and may report the missing ones.
const patch = '--- a/one.txt\n+++ b/one.txt\n@@ -1 +1 @@\n-one\n+two\n';
const succeeding = {
  check: { mode: 'quick' },
  history_list: {},
  snap: { mode: 'start', task: 'Look around' },
  snap_fix: { action: 'list' },
  snap_help: { topic: 'all' },
  snap_learn: { type: 'pattern', trigger: 'a test', action: 'run it' },
  snap_violation: { type: 'SILENT_CATCH', description: 'an error was dropped' },
  snapshot_create: { paths: '["."]' },
  snapshot_diff: {},
  snapshot_export: {},
  snapshot_file: { path: 'one.txt' },
  snapshot_grep: { pattern: 'o.e' },
  snapshot_list: {},
  workspace_apply_patch: { patch, dry_run: true },
  workspace_edit: { edits: '[{"path":"one.txt","old":"one","new":"two"}]', dry_run: true },
  workspace_write_file: { path: 'two.txt', content: 'two' },
  workspace_delete: { path: 'three.txt' },
};

const words = (tool, given) => ['--method', 'tools/call', '--tool-name', tool, ...Object.entries(given).flatMap(([key, value]) => ['--tool-arg', `${key}=${value}`])];

// Each call starts a process, which takes seconds, or minutes on a busy machine. So only ./dev soak also makes the
// failing calls.
test('the inspector lists all tools, and calls them', { skip: without, timeout: 900_000 }, async (t) => {
  const server = snapgen(repository(t, { 'one.txt': 'one\n', 'three.txt': 'three\n' }));
  const listening = await startHttp(server);
  t.after(() => listening.stop());
  const stdio = [server.command, ...server.args];
  const { tools } = await inspect(t, stdio, '--method', 'tools/list');
  const names = tools.map((tool) => tool.name);
  assert.ok(names.length >= Object.keys(succeeding).length);
  const overHttp = await inspect(t, [listening.url], '--method', 'tools/list');
  assert.deepEqual(overHttp.tools.map((tool) => tool.name), names, 'the list is the same over HTTP');
  for (const name of Object.keys(succeeding)) assert.ok(names.includes(name), `${name} is not listed`);

  const waiting = process.env.SNAPGEN_SOAK ? [...names] : Object.keys(succeeding);
  const wrong = [];
  const worker = async () => {
    for (let name = waiting.shift(); name; name = waiting.shift()) {
      const result = await inspect(t, [listening.url], ...words(name, succeeding[name] ?? {}));
      const shown = `${name}: ${JSON.stringify(result)}`;
      assert.ok(result.content?.length > 0, shown);
      if (name in succeeding && result.isError) wrong.push(shown);
    }
  };
  await Promise.all([worker(), worker()]);
  assert.deepEqual(wrong, []);
});

test('the inspector calls a tool over stdio', { skip: without, timeout: 300_000 }, async (t) => {
  const server = snapgen(repository(t, { 'one.txt': 'one\n' }));
  const result = await inspect(t, [server.command, ...server.args], ...words('snapshot_file', { path: 'one.txt' }));
  assert.equal(result.structuredContent.content, 'one\n');
});
