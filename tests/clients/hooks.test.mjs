// `snap hook` as hosts run it, and the hooks that `snap init --hooks` writes: exit codes, output, time limits, and files
// that must not change.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { repository } from './servers.mjs';

const program = realpathSync(dirname(resolve(process.env.SNAPGEN_BUILD ?? join(import.meta.dirname, '../../build'), 'snap'))) + '/snap';
const recorded = join(import.meta.dirname, '../hosts/hooks');
const hosts = ['claude', 'codex', 'gemini', 'qwen', 'opencode', 'copilot', 'cursor'];
const readsJson = ['gemini', 'qwen', 'copilot', 'cursor'];
const limit_ms = 2000;

// Returns what a host passed to its hook, with `folder` as the project.
const payloadOf = (host, file, folder) => readFileSync(join(recorded, host, file), 'utf8').replaceAll('/home/user/project', folder);
const prompts = {
  claude: 'UserPromptSubmit.json', codex: 'UserPromptSubmit.json', gemini: 'BeforeAgent.json', qwen: 'UserPromptSubmit.json',
  opencode: 'chat.message.json', copilot: 'UserPromptSubmit.json', cursor: 'beforeSubmitPrompt.json',
};

// Creates a repository, with a store unless `withStore` is false, and a home folder. Returns commands that use these.
const scratch = (t, { withStore = true } = {}) => {
  const folder = realpathSync(repository(t, { 'a.txt': 'a\n' }));
  const home = mkdtempSync(join(tmpdir(), 'snapgen home '));
  // A hook may still be recording, because it does not wait for that longer than its host does.
  t.after(() => rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 10 }));
  const env = { PATH: process.env.PATH, HOME: home, NO_COLOR: '1' };
  const run = (words, options = {}) => {
    const { status, signal, stdout, stderr } = spawnSync(program, words, { cwd: folder, encoding: 'utf8', input: '', ...options, env: { ...env, ...options.env } });
    return { status, signal, stdout, stderr };
  };
  if (withStore) assert.equal(run(['snapshot', 'create']).status, 0);
  const trees = join(folder, '.git/snapgen/trees');
  const history = () => join(trees, readdirSync(trees)[0], 'history');
  const log = () => (existsSync(trees) && existsSync(join(history(), 'log')) ? readFileSync(join(history(), 'log'), 'utf8') : '');
  const events = () => log().split('\n').filter((line) => line.startsWith('{"event"')).map((line) => JSON.parse(line));
  const hook = (host, input, options = {}) => run(['hook', host, ...(options.event ? [options.event] : [])], { input, ...options });
  const start = (words, options = {}) => {
    const child = spawn(program, words, { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'], ...options });
    child.stdin.on('error', () => {});
    t.after(() => child.kill('SIGKILL'));
    return child;
  };
  const write = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const read = (path) => readFileSync(join(folder, path), 'utf8');
  return { folder, home, run, hook, start, log, events, history, write, read };
};

// Waits for the end of a process. Returns its exit code and signal, and the time since `began`.
const ended = async (child, began = Date.now()) => {
  const [code, signal] = await once(child, 'exit');
  return { code, signal, took_ms: Date.now() - began };
};

const succeeded = (host, result, note) =>
  assert.deepEqual(result, { status: 0, signal: null, stdout: readsJson.includes(host) ? '{}' : '', stderr: '' }, `${host}: ${note}`);

describe('snap hook', () => {
  test('records the events of every host, with the output that the host accepts', (t) => {
    const { folder, home, hook, events } = scratch(t);
    for (const host of hosts) {
      const before = Date.now();
      const event = host === 'opencode' ? 'chat.message' : undefined;
      // The JSON names the folder; the process may have another.
      succeeded(host, hook(host, payloadOf(host, prompts[host], folder), { event, cwd: home }), 'prompt');
      const last = events().at(-1);
      assert.deepEqual([last.event, last.host], ['prompt', host]);
      assert.ok(last.session.length > 0 && last.detail.length > 0, JSON.stringify(last));
      assert.ok(last.at_ms >= before && last.at_ms <= Date.now(), JSON.stringify(last));
    }
    assert.equal(events().length, hosts.length);
  });

  test('hides secrets and cuts long texts', (t) => {
    const { hook, events } = scratch(t);
    const token = `ghp_${'a1B2'.repeat(9)}`;
    succeeded('claude', hook('claude', JSON.stringify({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: `curl -H ${token}` } })), 'secret');
    succeeded('claude', hook('claude', JSON.stringify({ hook_event_name: 'UserPromptSubmit', prompt: 'é'.repeat(5 << 20) })), '10 MB');
    const [tool, prompt] = events();
    assert.ok(!JSON.stringify(tool).includes(token), JSON.stringify(tool));
    assert.match(prompt.detail, /^é{1,200}$/);
  });

  test('bad input and unknown events write nothing, and exit with 0', (t) => {
    const { folder, run, hook, log } = scratch(t);
    const before = log();
    const stop = JSON.stringify({ hook_event_name: 'Stop', cwd: folder });
    const inputs = ['', ' ', '{', '[]', 'null', '{"a":1', '\0', '{"hook_event_name":{}}', '{"hook_event_name":"Later","version":99}',
      Buffer.from('{"hook_event_name":"Stop","x":"\xff"}', 'latin1'), '['.repeat(1 << 20), `${stop.slice(0, -1)},"x":"${'x'.repeat(17 << 20)}"}`];
    for (const host of hosts) for (const input of inputs) succeeded(host, hook(host, input), String(input).slice(0, 40));
    assert.equal(log(), before);
    for (const words of [['hook'], ['hook', 'emacs'], ['hook', 'vscode'], ['hook', 'claude', 'Later'], ['hook', 'claude', 'Later', 'more', '--unknown']]) {
      const { status, stdout, stderr } = run(words, { input: stop });
      assert.deepEqual([status, stdout], [0, ''], words.join(' '));
      assert.ok(stderr.split('\n').length <= 2, stderr);
    }
    assert.equal(log(), before);
  });

  test('without a store or a workspace it creates nothing', (t) => {
    const { folder, home, hook } = scratch(t, { withStore: false });
    const listing = () => [readdirSync(folder, { recursive: true }).sort(), readdirSync(home, { recursive: true }).sort()];
    const before = listing();
    for (const host of hosts) {
      succeeded(host, hook(host, payloadOf(host, prompts[host], folder), { event: host === 'opencode' ? 'chat.message' : undefined }), 'no store');
      succeeded(host, hook(host, payloadOf(host, prompts[host], home), { cwd: home }), 'no workspace');
      succeeded(host, hook(host, payloadOf(host, prompts[host], '/nonexistent'), { cwd: '/' }), 'no folder');
    }
    assert.deepEqual(listing(), before);
  });

  test('what a tool changed is recorded although no server runs', (t) => {
    const { folder, hook, run, write, log } = scratch(t);
    const patience_ms = 20_000;
    const happens = (condition, what) => {
      for (const end = Date.now() + patience_ms; !condition();) assert.ok(Date.now() < end, what);
    };
    succeeded('claude', hook('claude', payloadOf('claude', prompts.claude, folder)), 'prompt');
    happens(() => /^\{"base"/m.test(log()), 'the prompt records nothing');
    write('a.txt', 'edited\n');
    succeeded('claude', hook('claude', JSON.stringify({ hook_event_name: 'PostToolUse', tool_name: 'Edit', cwd: folder })), 'edit');
    const changes = () => JSON.parse(run(['history', '--json']).stdout).turns.flatMap(({ moments }) => moments.flatMap((each) => each.changes));
    happens(() => changes().some(({ path }) => path === 'a.txt'), 'the edit is not in the history');
  });

  test('finds the workspace by the folder in the JSON, the variable of the host, and the current folder', (t) => {
    const { folder, home, hook, events } = scratch(t);
    const payload = (cwd) => JSON.stringify({ hook_event_name: 'Stop', session_id: 's', cwd });
    mkdirSync(join(folder, 'deep'));
    hook('claude', payload(join(folder, 'deep')), { cwd: home });
    hook('claude', payload(home), { cwd: home, env: { CLAUDE_PROJECT_DIR: folder } });
    hook('claude', payload(home));
    hook('claude', payload(7));
    assert.equal(events().length, 4);
    hook('claude', payload(home), { cwd: home });
    assert.equal(events().length, 4);
  });

  test('does not write through a symlink', (t) => {
    const { folder, home, hook, history } = scratch(t);
    const store = join(folder, '.git/snapgen');
    // The end of a turn starts no process that records.
    const ended = JSON.stringify({ hook_event_name: 'Stop', session_id: 's', cwd: folder });
    assert.equal(hook('claude', ended).status, 0);
    const log = join(history(), 'log');
    rmSync(log);
    writeFileSync(join(home, 'victim'), '');
    symlinkSync(join(home, 'victim'), log);
    succeeded('claude', hook('claude', ended), 'log');
    assert.equal(readFileSync(join(home, 'victim'), 'utf8'), '');
    rmSync(log);
    spawnSync('mv', [store, join(home, 'store')]);
    symlinkSync(join(home, 'store'), store);
    succeeded('claude', hook('claude', ended), 'store');
    assert.ok(!existsSync(log));
  });

  test('many hooks at the same time write whole lines', async (t) => {
    const { folder, start, events } = scratch(t);
    const count = 24;
    const children = Array.from({ length: count }, (_, i) => {
      const child = start(['hook', 'claude']);
      child.stdin.end(JSON.stringify({ hook_event_name: 'UserPromptSubmit', session_id: `s${i}`, prompt: `${i} `.repeat(90), cwd: folder }));
      return child;
    });
    for (const { code } of await Promise.all(children.map((child) => ended(child)))) assert.equal(code, 0);
    assert.deepEqual(events().map(({ session }) => session).sort(), Array.from({ length: count }, (_, i) => `s${i}`).sort());
  });

  test('SIGTERM ends it at once with exit code 0', async (t) => {
    const { start } = scratch(t);
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
      // Its standard output shows that it has started.
      const child = start(['hook', 'cursor']);
      await once(child.stdout, 'data');
      const began = Date.now();
      child.kill(signal);
      const { code, took_ms } = await ended(child, began);
      assert.deepEqual([code, took_ms < limit_ms / 2], [0, true], `${signal}: ${took_ms} ms`);
    }
  });

  test('gives up after two seconds if standard input is never closed', async (t) => {
    const { folder, start, log } = scratch(t);
    const began = Date.now();
    const child = start(['hook', 'gemini']);
    child.stdin.write(payloadOf('gemini', prompts.gemini, folder));
    const { code, took_ms } = await ended(child, began);
    assert.equal(code, 0);
    assert.ok(took_ms > limit_ms / 2 && took_ms < 3 * limit_ms, `${took_ms} ms`);
    assert.equal(log(), '');
  });

  test('gives up after two seconds if another process has the lock of the history', async (t) => {
    const { folder, hook, history, events } = scratch(t);
    const payload = payloadOf('claude', prompts.claude, folder);
    hook('claude', payload);
    const holder = spawn('python3', ['-c', 'import fcntl, sys, time\nfile = open(sys.argv[1], "a")\nfcntl.flock(file, fcntl.LOCK_EX)\nprint("locked", flush=True)\ntime.sleep(60)', join(history(), 'lock')]);
    t.after(() => holder.kill('SIGKILL'));
    await once(holder.stdout, 'data');
    const began = Date.now();
    succeeded('claude', hook('claude', payload), 'locked');
    const took_ms = Date.now() - began;
    assert.ok(took_ms > limit_ms / 2 && took_ms < 3 * limit_ms, `${took_ms} ms`);
    assert.equal(events().length, 1);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    hook('claude', payload);
    assert.equal(events().length, 2);
  });

  test('works if the host has closed standard output', async (t) => {
    const { folder, start, events } = scratch(t);
    const child = start(['hook', 'qwen']);
    child.stdout.destroy();
    child.stdin.end(payloadOf('qwen', prompts.qwen, folder));
    assert.equal((await ended(child)).code, 0);
    assert.equal(events().length, 1);
  });

  test('logs an error in one line if there is a folder of logs', (t) => {
    const { folder, hook, history, read } = scratch(t);
    mkdirSync(join(folder, '.snapback/logs'), { recursive: true });
    hook('claude', '{');
    const lines = () => read('.snapback/logs/errors.jsonl').trimEnd().split('\n').map((line) => JSON.parse(line));
    assert.deepEqual(lines().map(({ host, code }) => [host, code]), [['claude', 'INVALID_ARGUMENT']]);
    writeFileSync(history(), 'a file');
    succeeded('claude', hook('claude', payloadOf('claude', prompts.claude, folder)), 'no folder');
    assert.equal(lines().length, 2);
  });
});

const all = hosts.flatMap((name) => ['--host', name]);
const files = {
  claude: '.claude/settings.local.json', codex: '.codex/hooks.json', gemini: '.gemini/settings.json', qwen: '.qwen/settings.json',
  opencode: '.opencode/plugins/snapgen.js', copilot: '.github/hooks/snapgen.json', cursor: '.cursor/hooks.json',
};
const listing = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => !/^\.git(\/|$)|^\.snapback/.test(name))
    .map((name) => (statSync(join(folder, name)).isDirectory() ? name : `${name} ${readFileSync(join(folder, name), 'utf8')}`))
    .sort();
// The commands of the hooks in a file, by event.
const commandsIn = (text) =>
  Object.entries(JSON.parse(text).hooks).flatMap(([event, items]) =>
    items.flatMap((item) => item.hooks ?? [item]).map((hook) => ({ event, command: hook.command ?? hook.bash })));

describe('snap init --hooks', () => {
  test('shows the change, and writes it only with --yes', (t) => {
    const { folder, run } = scratch(t);
    const before = listing(folder);
    const shown = run(['init', '--host', 'cursor', '--hooks']);
    assert.equal(shown.status, 1);
    assert.match(shown.stdout, /^\+\+\+ b\/\.cursor\/hooks\.json$/m);
    assert.match(shown.stdout, /^Cursor then reports sessions, prompts and tool calls to the history of this workspace\.$/m);
    assert.deepEqual(listing(folder), before);
    const { status, stderr } = run(['init', '--host', 'vscode', '--hooks', '--yes']);
    assert.equal(status, 2);
    assert.match(stderr, /^VS Code has no hooks\. /);
    assert.deepEqual(listing(folder), before);
  });

  test('adds hooks for every host, changes nothing the second time, and --remove deletes the new files', (t) => {
    const { folder, run, read } = scratch(t);
    const before = listing(folder);
    assert.equal(run(['init', ...all, '--hooks', '--yes']).status, 0);
    const written = listing(folder);
    for (const [host, file] of Object.entries(files)) {
      assert.ok(read(file).includes(JSON.stringify(program).slice(1, -1)), file);
      if (host === 'opencode') continue;
      for (const { command } of commandsIn(read(file))) assert.match(command, new RegExp(` hook ${host} \\|\\| true$`));
    }
    const again = run(['init', ...all, '--hooks', '--yes', '--json']);
    assert.deepEqual([again.status, JSON.parse(again.stdout).written], [0, []], again.stdout);
    assert.deepEqual(listing(folder), written);
    assert.equal(run(['init', '--remove', '--yes']).status, 0);
    assert.deepEqual(listing(folder), before);
  });

  test('without --host, adds hooks to the found hosts that have them', (t) => {
    const { folder, run, read } = scratch(t);
    for (const name of ['.cursor', '.vscode']) mkdirSync(join(folder, name));
    assert.equal(run(['init', '--hooks', '--yes']).status, 0);
    assert.ok(read('.cursor/hooks.json').includes(' hook cursor '));
    assert.deepEqual(readdirSync(join(folder, '.vscode')), ['mcp.json']);
  });

  test('--remove restores existing files byte for byte, also without --hooks at first', (t) => {
    const { folder, run, write, read } = scratch(t);
    const texts = {
      '.claude/settings.local.json': '{"permissions": {"allow": ["Bash(ls)"]},\r\n "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]}}',
      '.codex/hooks.json': '{\n\t"description": "é",\n\t"hooks": {}\n}',
      '.gemini/settings.json': '// mine\n{\n  "hooks": {\n    "AfterTool": [\n      { "matcher": "write_file", "hooks": [] }, // last\n    ],\n  },\n}\n',
      '.qwen/settings.json': '',
      '.github/hooks/snapgen.json': '{ "version": 1, "hooks": { "Stop": [ { "type": "command", "bash": "mine" } ] } }\n',
      '.cursor/hooks.json': '{"version":1,"hooks":{"stop":[{"command":"./mine.sh"}]}}',
      '.opencode/plugins/mine.js': 'export const Mine = async () => ({});\n',
    };
    for (const [path, text] of Object.entries(texts)) write(path, text);
    const before = listing(folder);
    assert.equal(run(['init', ...all, '--yes']).status, 0);
    assert.equal(run(['init', ...all, '--hooks', '--yes']).status, 0);
    const other = commandsIn(read('.cursor/hooks.json')).filter(({ event }) => event === 'stop').map(({ command }) => command);
    assert.deepEqual([other.length, other[0]], [2, './mine.sh']);
    assert.match(read('.gemini/settings.json'), /"matcher": "write_file", "hooks": \[\] \}, \/\/ last\n/);
    assert.equal(run(['init', ...all, '--profile', 'full', '--yes']).status, 0);
    assert.equal(run(['init', ...all, '--remove', '--yes']).status, 0);
    assert.deepEqual(listing(folder), before);
  });

  test('--remove preserves later changes of the user', (t) => {
    const { folder, run, write, read } = scratch(t);
    const some = ['--host', 'claude', '--host', 'cursor', '--host', 'opencode'];
    run(['init', ...some, '--hooks', '--yes']);
    for (const path of [files.claude, files.cursor]) write(path, JSON.stringify({ ...JSON.parse(read(path)), mine: 1 }, null, 2));
    rmSync(join(folder, '.snapback/hosts.json'));
    assert.equal(run(['init', ...some, '--remove', '--yes']).status, 0);
    assert.deepEqual(JSON.parse(read(files.claude)), { permissions: {}, hooks: {}, mine: 1 });
    assert.deepEqual(JSON.parse(read(files.cursor)), { version: 1, hooks: {}, mine: 1 });
    assert.ok(!existsSync(join(folder, files.opencode)));
  });

  test('leaves a file that it cannot change safely', (t) => {
    const { run, write, read } = scratch(t);
    for (const [host, text] of [['cursor', '{'], ['claude', '{"hooks": []}'], ['copilot', '{"hooks": {"Stop": 1}}'], ['opencode', 'export const x = 1;\n']]) {
      write(files[host], text);
      const { status, stdout } = run(['init', '--host', host, '--hooks', '--yes']);
      assert.equal(status, 1, host);
      assert.ok(stdout.includes(`${files[host]} is unchanged: `), stdout);
      if (host !== 'claude') assert.equal(read(files[host]), text);
    }
  });

  test('records the workspace, so that the first session has a history', (t) => {
    const { run, log, folder, hook, events } = scratch(t, { withStore: false });
    assert.equal(run(['init', '--host', 'claude', '--hooks', '--yes']).status, 0);
    assert.match(log(), /^\{"base"/m);
    succeeded('claude', hook('claude', payloadOf('claude', prompts.claude, folder)), 'prompt');
    assert.equal(events().at(-1).event, 'prompt');
  });

  test('the commands that it writes record events, and succeed without the program', (t) => {
    const { folder, home, run, events, read } = scratch(t);
    run(['init', ...all, '--hooks', '--yes']);
    for (const host of hosts.filter((name) => name !== 'opencode')) {
      const [{ command }] = commandsIn(read(files[host]));
      const shell = (line) => spawnSync('sh', ['-c', line], { cwd: folder, encoding: 'utf8', input: payloadOf(host, prompts[host], folder), env: { PATH: process.env.PATH, HOME: home } });
      const before = events().length;
      assert.equal(shell(command).status, 0, command);
      assert.equal(events().length, before + 1, command);
      assert.equal(shell(command.replace('/snap', '/none')).status, 0);
    }
  });

  test('the plugin of OpenCode reports its events, and never fails', async (t) => {
    const { folder, home, run, events, read } = scratch(t);
    run(['init', '--host', 'opencode', '--hooks', '--yes']);
    const module = join(home, 'plugin.mjs');
    copyFileSync(join(folder, files.opencode), module);
    const plugins = Object.values(await import(pathToFileURL(module)));
    assert.equal(plugins.length, 1);
    const hooks = await plugins[0]({ directory: folder, worktree: folder });
    const session = 'ses_1', tool = { tool: 'bash', sessionID: session, callID: 'call_1' };
    const args = { command: 'rm b.txt', description: 'remove' };
    await hooks.event({ event: { type: 'session.created', properties: { sessionID: session, info: { id: session } } } });
    await hooks['chat.message']({ sessionID: session }, { message: { id: 'msg_1' }, parts: [{ type: 'text', text: 'change it' }, { type: 'file' }] });
    await hooks['tool.execute.before'](tool, { args });
    await hooks['tool.execute.after']({ ...tool, args }, { title: 'x', output: '' });
    await hooks.event({ event: { type: 'session.idle', properties: { sessionID: session } } });
    await hooks.event({ event: { type: 'file.edited', properties: { file: 'a.txt' } } });
    await hooks.dispose();
    assert.deepEqual(events().map(({ at_ms: _, ...event }) => event), [
      { event: 'session_begin', host: 'opencode', session },
      { event: 'prompt', host: 'opencode', session, turn: 'msg_1', detail: 'change it' },
      { event: 'tool_begin', host: 'opencode', session, turn: 'msg_1', call: 'call_1', tool: 'bash', detail: 'rm b.txt' },
      { event: 'tool_end', host: 'opencode', session, turn: 'msg_1', call: 'call_1', tool: 'bash', detail: 'rm b.txt' },
      { event: 'turn_end', host: 'opencode', session, turn: 'msg_1' },
      { event: 'session_end', host: 'opencode', session, turn: 'msg_1' },
    ]);
    for (const name of ['event', 'chat.message', 'tool.execute.before', 'tool.execute.after'])
      for (const values of [[], [null, null], [{}, {}], [{ event: {} }]]) await hooks[name](...values);
    // Without the program its hooks still end.
    writeFileSync(join(home, 'broken.mjs'), read(files.opencode).replace(JSON.stringify(program), '"/none/snap"'));
    const [broken] = Object.values(await import(pathToFileURL(join(home, 'broken.mjs'))));
    await (await broken({ directory: folder }))['tool.execute.before'](tool, { args });
  });

  test('snap doctor reports which program the hooks start', (t) => {
    const { run, write, read } = scratch(t);
    const found = () => JSON.parse(run(['doctor', '--json']).stdout).findings.filter(({ area, text }) => area === 'hosts' && text.includes(', hooks in '));
    assert.deepEqual(found(), []);
    run(['init', ...all, '--hooks', '--yes']);
    assert.deepEqual(found().map(({ health }) => health), hosts.map(() => 'ok'), JSON.stringify(found()));
    write(files.cursor, read(files.cursor).replaceAll(/"command": "[^"]*"/g, '"command": "/none/snap hook cursor"'));
    const [gone] = found().filter(({ health }) => health !== 'ok');
    assert.deepEqual([gone.health, gone.fix], ['error', 'snap init --host cursor --hooks']);
    assert.match(gone.text, /^Cursor, hooks in \.cursor\/hooks\.json: there is no program \/none\/snap\.$/);
    assert.equal(run(['init', '--host', 'cursor', '--hooks', '--yes']).status, 0);
    assert.ok(found().every(({ health }) => health === 'ok'));
  });
});
