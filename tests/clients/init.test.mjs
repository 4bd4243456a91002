// `snap init` in scratch home folders and repositories: the files that it writes and restores, and those that must not
// change.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';

import { onTerminal } from './commands.mjs';
import { listing, program, scratch } from './scratch_home.mjs';

// The file that `snap init` creates for each host; below the home folder if it begins with `~/`.
const files = {
  claude: '.mcp.json', codex: '.codex/config.toml', gemini: '.gemini/settings.json', qwen: '.qwen/settings.json', opencode: 'opencode.json',
  copilot: '.github/mcp.json', cursor: '.cursor/mcp.json', vscode: '.vscode/mcp.json', zed: '.zed/settings.json', kiro: '.kiro/settings/mcp.json',
  junie: '.junie/mcp/mcp.json', windsurf: '~/.codeium/windsurf/mcp_config.json', desktop: '~/.config/Claude/claude_desktop_config.json',
};
const pathOf = (folder, home, file) => (file.startsWith('~/') ? join(home, file.slice(2)) : join(folder, file));
const servers = { opencode: 'mcp', vscode: 'servers', zed: 'context_servers' };
const allowsComments = ['gemini', 'qwen', 'opencode', 'vscode', 'zed'];

// A file with another server, in the least usual form that the host reads: no final newline, CRLF, and where the host
// allows them a byte order mark, comments and trailing commas.
const unusual = (host) => {
  const member = servers[host] ?? 'mcpServers';
  if (host === 'codex') return '# é\r\nmodel = "m" # last\r\n\r\n[mcp_servers.other]\r\ncommand = "x" # [mcp_servers.no]';
  if (allowsComments.includes(host))
    return `\ufeff// é\r\n{\r\n\t/* "${member}": {} */\r\n\t"a" : [1,2,], // last,\r\n\t"${member}": { "other": { "url": "https://x" }, /* } */ },\r\n}`;
  return `{\r\n\t"a" : [1,2], "é": "{ // no comment }",\r\n\t"${member}":{"other": { "url": "https://x" }}}`;
};

describe('snap init', () => {
  test('creates a workspace that git ignores, and changes nothing the second time', (t) => {
    const { folder, run, read } = scratch(t);
    const first = run(['init']);
    assert.equal(first.status, 0);
    assert.ok(first.stdout.endsWith(`written    .snapback/config.json\nThe workspace is ${folder}.\n`), first.stdout);
    assert.doesNotThrow(() => JSON.parse(read('.snapback/config.json')));
    assert.equal(execFileSync('git', ['status', '--porcelain'], { cwd: folder, encoding: 'utf8' }), '');
    writeFileSync(join(folder, '.snapback/config.json'), '{"tier":"pro"}');
    assert.match(run(['init']).stdout, /^unchanged {2}\.snapback\/config\.json$/m);
    assert.equal(read('.snapback/config.json'), '{"tier":"pro"}');
    assert.equal(run(['doctor']).status, 0);
  });

  test('creates a workspace in a folder without git', (t) => {
    const { home, run } = scratch(t);
    mkdirSync(join(home, 'new'));
    assert.equal(run(['init'], { cwd: join(home, 'new') }).status, 0);
    assert.ok(existsSync(join(home, 'new/.snapback/config.json')));
    assert.equal(run(['init', '--workspace', join(home, 'none')]).status, 1);
    assert.equal(run(['init', '--host', 'emacs']).status, 2);
  });

  test('shows the change to a host\'s file, and writes it only with --yes', (t) => {
    const { folder, run, read, bad } = scratch(t);
    const shown = run(['init', '--host', 'claude']);
    assert.equal(shown.status, 1);
    assert.match(shown.stdout, /^--- \/dev\/null\n\+\+\+ b\/\.mcp\.json\n@@ /);
    assert.match(shown.stdout, /pass --yes/);
    assert.match(shown.stdout, /"mcp__snapgen__history_list"/, 'the approvals are shown, too');
    assert.ok(!existsSync(join(folder, '.mcp.json')));
    assert.ok(!existsSync(join(folder, '.claude')));
    assert.ok(!existsSync(join(folder, '.snapback')));
    assert.equal(run(['init', '--host', 'claude', '--host', 'cursor', '--host', 'vscode', '--yes']).status, 0);
    assert.deepEqual(JSON.parse(read('.mcp.json')), { mcpServers: { snapgen: { command: program, args: ['mcp', '--stdio', '--profile', 'first'] } } });
    assert.equal(JSON.parse(read('.vscode/mcp.json')).servers.snapgen.type, 'stdio');
    assert.equal(JSON.parse(read('.cursor/mcp.json')).mcpServers.snapgen.args.at(-1), '${workspaceFolder}');
    assert.equal(statSync(join(folder, '.mcp.json')).mode & 0o777, 0o644);
    assert.deepEqual(bad(), []);
    const again = run(['init', '--host', 'claude', '--host', 'cursor', '--host', 'vscode', '--json']);
    assert.deepEqual(JSON.parse(again.stdout), {
      deleted: [], diff: '', found: [], refused: [], unchanged: ['.snapback/config.json', '.mcp.json', '.cursor/mcp.json', '.vscode/mcp.json'], workspace: folder, written: [],
    });
    assert.equal(again.status, 0);
  });

  test('writes nothing if the user declines every change', async (t) => {
    const { folder, home } = scratch(t);
    const hosts = ['--host', 'claude', '--host', 'cursor'];
    const answers = (...typed) => onTerminal(folder, ['init', ...hosts], {
      lines: [[/Write .mcp.json\?/, typed[0]], [/Write .cursor\/mcp.json\?/, typed[1]]], env: { HOME: home },
    });
    const before = listing(folder);
    const declined = await answers('n\n', 'n\n');
    assert.equal(declined.code, 1);
    assert.match(declined.out, /Nothing was written\.\r\n$/);
    assert.deepEqual(listing(folder), before);
    const accepted = await answers('n\n', 'y\n');
    assert.equal(accepted.code, 1);
    for (const [path, exists] of [['.mcp.json', false], ['.cursor/mcp.json', true], ['.snapback/config.json', true], ['.snapback/hosts.json', true]])
      assert.equal(existsSync(join(folder, path)), exists, path);
  });

  test('adding an entry preserves the file\'s other servers, comments, format and permissions', (t) => {
    const { folder, run, read, write } = scratch(t);
    const before = '// of the team\r\n{\r\n    "inputs": [ /* none */ ],\r\n    "servers": {\r\n        "other": { "url": "https://example.org" }, // keep\r\n    },\r\n}\r\n';
    write('.vscode/mcp.json', before);
    chmodSync(join(folder, '.vscode/mcp.json'), 0o640);
    const { stdout, status } = run(['init', '--host', 'vscode', '--yes']);
    assert.equal(status, 0);
    const removed = stdout.split('\n').filter((line) => line.startsWith('-') && !line.startsWith('---'));
    assert.deepEqual(removed, []);
    const after = read('.vscode/mcp.json');
    const lines = after.split('\r\n');
    assert.ok(!/[^\r]\n/.test(after));
    assert.deepEqual(before.split('\r\n').filter((line) => !lines.includes(line)), []);
    assert.equal(statSync(join(folder, '.vscode/mcp.json')).mode & 0o777, 0o640);
    assert.deepEqual(readdirSync(join(folder, '.vscode')), ['mcp.json']);
  });

  test('leaves a file that it cannot change safely, and prints the entry to paste', (t) => {
    const { folder, home, run, read, write } = scratch(t);
    for (const text of ['{"mcpServers": {}, // mine\n}', '{"mcpServers": []}', '{"a":1,"a":2}', 'nonsense', '\u0000']) {
      write('.mcp.json', text);
      const { status, stdout } = run(['init', '--host', 'claude', '--yes']);
      assert.equal(status, 1, text);
      assert.match(stdout, /^\.mcp\.json is unchanged: /);
      assert.match(stdout, /^ {6}"command": /m);
      assert.equal(read('.mcp.json'), text);
    }
    // A symlink must not lead a write out of the workspace.
    rmSync(join(folder, '.mcp.json'));
    writeFileSync(join(home, 'victim.json'), '{}\n');
    symlinkSync(join(home, 'victim.json'), join(folder, '.mcp.json'));
    const linked = run(['init', '--host', 'claude', '--yes']);
    assert.equal(linked.status, 1);
    assert.match(linked.stdout, /leads out of the workspace/);
    assert.equal(readFileSync(join(home, 'victim.json'), 'utf8'), '{}\n');
    rmSync(join(folder, '.snapback'), { recursive: true });
    symlinkSync(home, join(folder, '.snapback'));
    const outside = run(['init']);
    assert.equal(outside.status, 1);
    assert.match(outside.stderr, /\.snapback is not a folder/);
    assert.ok(!existsSync(join(home, 'config.json')));
  });

  test('adds an entry for every host, and removing it restores unchanged files byte for byte', (t) => {
    const { folder, home, run, read, write, bad } = scratch(t);
    const all = Object.keys(files).flatMap((name) => ['--host', name]);
    const texts = {
      '.codex/config.toml': '# mine\r\nmodel = "m"\r\n\r\n[mcp_servers.other]\r\ncommand = "x" # é',
      '.gemini/settings.json': '// mine\n{\n\t"theme": "é", // last,\n}',
      'opencode.jsonc': '{ /* none */ }',
      '.mcp.json': '{"mcpServers": {"other": {"command": "/none"}}}',
    };
    for (const [path, text] of Object.entries(texts)) write(path, text);
    // A server that doctor starts may store a history in the home folder.
    const names = (of) => listing(of).map(({ name }) => name).filter((name) => !/^\.(git$|git\/|snapback|local)/.test(name));
    const before = [names(folder), names(home)];
    const written = run(['init', ...all, '--yes']);
    assert.equal(written.status, 0, written.stdout);
    for (const [host, file] of Object.entries(files)) {
      const text = readFileSync(pathOf(folder, home, host === 'opencode' ? 'opencode.jsonc' : file), 'utf8');
      assert.ok(text.includes(JSON.stringify(program)), file);
      assert.equal(text.includes(`"--workspace", ${JSON.stringify(folder)}`), ['kiro', 'junie', 'windsurf', 'desktop'].includes(host), file);
    }
    assert.deepEqual(bad(), []);
    const approved = () => [...read('.codex/config.toml').matchAll(/^\[mcp_servers\.snapgen\.tools\.(\w+)\]\r\napproval_mode = "approve"\r$/gm)].map(([, name]) => name);
    assert.deepEqual(approved().sort(), ['history_rewind', 'history_undo', 'snap_fix', 'workspace_apply_patch', 'workspace_delete', 'workspace_edit', 'workspace_write_file'], 'the writing tools of the profile first are approved');
    assert.match(run(['init', ...all, '--yes']).stdout, /^unchanged {2}\.codex\/config\.toml$/m);
    const more = run(['init', '--host', 'codex', '--profile', 'full', '--yes']);
    assert.match(more.stdout, /^Codex may then call .*workspace_delete.* without asking: what they change can be undone\. --no-approvals leaves this out\.$/m);
    for (const name of ['workspace_delete', 'snap_fix', 'snapback_snapshot_restore']) assert.ok(approved().includes(name), name);
    for (const name of approved()) assert.doesNotMatch(name, /^bridge_|^check$/);
    const allowed = JSON.parse(read('.claude/settings.local.json')).permissions.allow;
    assert.ok(allowed.includes('mcp__snapgen__snapshot_file'), allowed);
    for (const name of allowed) assert.doesNotMatch(name, /write|patch|delete|restore|fix|check/);
    const wrong = run(['init', '--host', 'codex', '--profile', 'fulll', '--yes']);
    assert.deepEqual([wrong.status, /There is no profile fulll; the profiles are:/.test(wrong.stderr)], [2, true], wrong.stderr);
    const shown = run(['init', '--host', 'cursor', '--remove']);
    assert.equal(shown.status, 1);
    assert.match(shown.stdout, /^-.*"command"/m);
    const none = run(['init', '--remove']);
    assert.equal(none.status, 1);
    for (const file of ['.mcp.json', '.cursor/mcp.json', '.codex/config.toml']) assert.match(none.stdout, new RegExp(`^${file} is unchanged: pass --yes to change it\\.$`, 'm'));
    assert.equal(run(['init', '--remove', '--yes']).status, 0);
    for (const [path, text] of Object.entries(texts)) assert.equal(read(path), text, path);
    assert.deepEqual([names(folder), names(home)], before, 'no new file or folder remains');
    assert.deepEqual([run(['init', '--remove']).status, run(['init', '--remove']).stdout.split('\n')[0]], [0, 'No file of a host has this server.']);
  });

  for (const [host, file] of Object.entries(files))
    test(`shows and writes the change for ${host}, changes nothing again, and restores an unusual file byte for byte`, (t) => {
      const { folder, home, run } = scratch(t);
      const path = pathOf(folder, home, file);
      const text = unusual(host);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      const now = () => readFileSync(path, 'utf8');
      const shown = run(['init', '--host', host, '--no-approvals']);
      assert.equal(shown.status, 1);
      assert.ok(shown.stdout.includes(`+++ b/${file}\n`), shown.stdout);
      assert.match(shown.stdout, /^\+.*"--stdio"/m);
      assert.equal(now(), text);
      const written = run(['init', '--host', host, '--no-approvals', '--yes']);
      assert.equal(written.status, 0, written.stdout);
      // The change only inserts text.
      const lines = now().split('\n');
      const inserted = lines.filter((line) => !text.split('\n').includes(line));
      assert.ok(lines.length > text.split('\n').length && inserted.length > 0);
      assert.ok(now().includes('other') && (host === 'codex' || now().startsWith(text.slice(0, text.indexOf('"other"')))), now());
      const after = now();
      const again = JSON.parse(run(['init', '--host', host, '--no-approvals', '--yes', '--json']).stdout);
      assert.deepEqual([again.written, again.unchanged], [[], ['.snapback/config.json', file]]);
      assert.equal(now(), after);
      assert.equal(run(['init', '--host', host, '--remove', '--yes']).status, 0);
      assert.equal(now(), text);
    });

  test('leaves a file with comments, a byte order mark or trailing commas unchanged if its host may not read them', (t) => {
    const { folder, home, run } = scratch(t);
    for (const host of Object.keys(files).filter((name) => name !== 'codex' && !allowsComments.includes(name)))
      for (const text of ['{} // mine\n', '\ufeff{}\n', '{"a": [1,]}\n']) {
        const path = pathOf(folder, home, files[host]);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
        const { status, stdout } = run(['init', '--host', host, '--yes']);
        assert.equal(status, 1, host);
        assert.ok(stdout.startsWith(`${files[host]} is unchanged: It is not JSON at line 1, column `), stdout);
        assert.match(stdout, /^Add this to it:\n\{\n {2}"mcpServers": \{\n {4}"snapgen": \{$/m);
        assert.equal(readFileSync(path, 'utf8'), text);
      }
  });

  test('a file of the home folder has an entry for each workspace, and each is removed alone', (t) => {
    const { folder, home, run, doctor } = scratch(t);
    const other = join(home, 'my repo');
    mkdirSync(join(other, '.snapback'), { recursive: true });
    const path = pathOf(folder, home, files.windsurf);
    const entries = () => Object.entries(JSON.parse(readFileSync(path, 'utf8')).mcpServers).map(([name, { args }]) => [name, args.at(-1)]);
    assert.equal(run(['init', '--host', 'windsurf', '--yes']).status, 0);
    const unnamed = () => doctor([], { cwd: other }).findings.some(({ text }) => text === "No host's file here names this server.");
    assert.ok(unnamed(), 'the entry of another workspace does not count');
    const second = run(['init', '--host', 'windsurf', '--yes'], { cwd: other });
    assert.equal(second.status, 0, second.stdout);
    assert.deepEqual(entries(), [['snapgen', folder], ['snapgen-my-repo', realpathSync(other)]]);
    assert.ok(!unnamed());
    assert.equal(run(['init', '--host', 'windsurf', '--remove', '--yes']).status, 0);
    assert.deepEqual(entries(), [['snapgen-my-repo', realpathSync(other)]]);
    assert.equal(run(['init', '--host', 'windsurf', '--profile', 'full', '--yes'], { cwd: other }).status, 0);
    assert.equal(run(['init', '--host', 'windsurf', '--remove', '--yes'], { cwd: other }).status, 0);
    assert.deepEqual(entries(), []);
  });

  test('writes no file of the home folder through a symlink that leads out of it', (t) => {
    const { folder, home, run } = scratch(t);
    symlinkSync(folder, join(home, '.codeium'));
    const { status, stdout } = run(['init', '--host', 'windsurf', '--yes']);
    assert.equal(status, 1);
    assert.match(stdout, /leads out of the home folder/);
    assert.ok(!existsSync(join(folder, 'windsurf')));
    const homeless = run(['init', '--host', 'desktop', '--yes'], { env: { HOME: '' } });
    assert.equal(homeless.status, 1);
    assert.match(homeless.stdout, /HOME does not name a folder/);
  });

  test('approves no tool whose arguments can destroy without a question', (t) => {
    const { home, run, read } = scratch(t);
    mkdirSync(join(home, '.config/snapgen'), { recursive: true });
    writeFileSync(join(home, '.config/snapgen/config.json'), '{"allow_discard":true}');
    assert.equal(run(['init', '--host', 'codex', '--yes']).status, 0);
    assert.deepEqual([...read('.codex/config.toml').matchAll(/tools\.(\w+)\]/g)].map(([, name]) => name), ['history_rewind', 'history_undo', 'snap_fix']);
  });

  test('lets Claude Code call the tools that only read, and preserves its other rules', (t) => {
    const settings = '{\n  "permissions": {\n    "allow": ["Bash(ls)"],\n    "deny": []\n  }\n}\n';
    const { run, read, write } = scratch(t, { 'a.txt': 'a\n', '.claude/settings.local.json': settings });
    const { stdout } = run(['init', '--host', 'claude', '--yes']);
    assert.match(stdout, /^\+ {4}"allow": \["Bash\(ls\)", "mcp__snapgen__history_list", "mcp__snapgen__snapshot_diff", "mcp__snapgen__snapshot_file", .*\],$/m, 'the change is shown');
    assert.match(stdout, /^Claude Code may then call the tools that only read without asking\.$/m);
    assert.equal(run(['init', '--host', 'claude', '--yes']).stdout.includes('+++'), false, 'nothing changes again');
    write('.claude/settings.local.json', read('.claude/settings.local.json').replace('"deny": []', '"deny": ["Read(.env)"]'));
    assert.equal(run(['init', '--host', 'claude', '--remove', '--yes']).status, 0);
    assert.deepEqual(JSON.parse(read('.claude/settings.local.json')), { permissions: { allow: ['Bash(ls)'], deny: ['Read(.env)'] } });
    assert.equal(run(['init', '--host', 'claude', '--no-approvals', '--yes']).stdout.includes('permissions'), false);
  });

  test('removing the entry preserves later changes of the file', (t) => {
    const { run, read, write } = scratch(t, { 'a.txt': 'a\n', '.vscode/mcp.json': '{\n  "servers": {\n  }\n}\n' });
    run(['init', '--host', 'vscode', '--host', 'codex', '--no-approvals', '--yes']);
    assert.doesNotMatch(read('.codex/config.toml'), /approval_mode/);
    write('.vscode/mcp.json', read('.vscode/mcp.json').replace('"servers": {', '// mine\n  "servers": {'));
    write('.codex/config.toml', `${read('.codex/config.toml')}\n# mine\n[other]\na = 1\n`);
    assert.equal(run(['init', '--host', 'vscode', '--host', 'codex', '--remove', '--yes']).status, 0);
    assert.equal(read('.vscode/mcp.json'), '{\n  // mine\n  "servers": {\n  }\n}\n');
    assert.equal(read('.codex/config.toml'), '# mine\n[other]\na = 1\n');
  });
});

describe('snap init without --host', () => {
  // Creates a repository, and a home folder with its programs: python3 for the terminal, and those in `programs`.
  const withPrograms = (t, programs) => {
    const made = scratch(t);
    const bin = join(made.home, 'bin');
    mkdirSync(bin);
    symlinkSync(execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim(), join(bin, 'python3'));
    for (const name of programs) writeFileSync(join(bin, name), '#!/bin/sh\n', { mode: 0o755 });
    const env = { HOME: made.home, PATH: bin, NO_COLOR: '1' };
    const names = () => [listing(made.folder), listing(made.home)].map((list) => list.map(({ name }) => name).filter((name) => !/^\.(git$|git\/|snapback)/.test(name)));
    return { ...made, names, run: (words) => made.run(words, { env }), answer: (...lines) => onTerminal(made.folder, ['init', '--no-approvals'], { lines, env }) };
  };
  const which = /To which of them shall the server be added\? Names, all or none \[all\]: /;

  test('says so if it finds no host', (t) => {
    const { folder, names, run } = withPrograms(t, []);
    const before = names();
    for (const words of [['init'], ['init', '--yes']]) {
      const { status, stdout } = run(words);
      assert.equal(status, 0);
      assert.match(stdout, /^No AI host was found in this project, in the home folder or in PATH\. .*: snap init --host HOST, with one of: claude, .*, desktop\.\n/);
    }
    assert.deepEqual(JSON.parse(run(['init', '--json']).stdout), { deleted: [], diff: '', found: [], refused: [], unchanged: ['.snapback/config.json'], workspace: folder, written: [] });
    assert.deepEqual(names(), before);
  });

  test('finds each host by its folders and its program', (t) => {
    const { folder, home, run } = withPrograms(t, []);
    const found = () => JSON.parse(run(['init', '--json']).stdout).found;
    const homeFolders = { opencode: '.config/opencode', vscode: '.config/Code', zed: '.config/zed', windsurf: '.codeium/windsurf', desktop: '.config/Claude' };
    for (const host of Object.keys(files)) {
      const signs = [join(home, homeFolders[host] ?? `.${host}`)];
      if (host !== 'desktop') signs.push(join(folder, `.${host}`));
      for (const path of signs) {
        mkdirSync(path, { recursive: true });
        assert.deepEqual(found(), [host], path);
        rmSync(path, { recursive: true });
      }
      const program = join(home, 'bin', { vscode: 'code', desktop: 'claude-desktop' }[host] ?? host);
      writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
      assert.deepEqual(found(), [host], program);
      chmodSync(program, 0o644);
      assert.deepEqual(found(), [], 'it is not executable');
      rmSync(program);
    }
  });

  test('without a terminal lists what it finds and the command that adds the server, and writes no host\'s file', (t) => {
    const { home, names, run } = withPrograms(t, ['kiro']);
    mkdirSync(join(home, '.claude'));
    mkdirSync(join(home, '.codeium/windsurf'), { recursive: true });
    const before = names();
    const { status, stdout } = run(['init']);
    assert.equal(status, 0);
    const [title, claude, kiro, windsurf, advice] = stdout.split('\n');
    assert.equal(title, 'Found these AI hosts, and did not change their files:');
    assert.match(claude, /^ {2}claude +Claude Code +\.mcp\.json *$/);
    assert.match(kiro, /^ {2}kiro +Kiro +\.kiro\/settings\/mcp\.json *$/);
    assert.match(windsurf, /^ {2}windsurf +Windsurf +~\/\.codeium\/windsurf\/mcp_config\.json *$/);
    assert.equal(advice, 'To add the server to them: snap init --host claude --host kiro --host windsurf --yes');
    assert.deepEqual(names(), before);
    assert.equal(run(['init', '--host', 'kiro', '--yes']).status, 0);
    const later = run(['init']).stdout;
    assert.match(later, /^ {2}kiro +Kiro +\.kiro\/settings\/mcp\.json +has the server$/m);
    assert.match(later, /^To add the server to them: snap init --host claude --host windsurf --yes$/m);
    const all = run(['init', '--yes']);
    assert.equal(all.status, 0, all.stdout);
    for (const file of ['.mcp.json', '~/.codeium/windsurf/mcp_config.json']) assert.match(all.stdout, new RegExp(`^written +${file}$`, 'm'));
    assert.doesNotMatch(run(['init']).stdout, /To add the server/);
  });

  test('asks on a terminal, and adds the server to all hosts by default', async (t) => {
    const { names, answer } = withPrograms(t, ['claude', 'zed']);
    const before = names();
    const none = await answer([which, 'none\n']);
    assert.equal(none.code, 0);
    assert.match(none.out, /Found these AI hosts:\r\n {2}claude +Claude Code +\.mcp\.json *\r\n {2}zed +Zed /);
    assert.deepEqual(names(), before);
    assert.equal((await answer([which, '\x04'])).code, 0);
    assert.deepEqual(names(), before, 'the end of the input means none');
    const unknown = await answer([which, 'zedd\n'], [/There is no host zedd; the hosts are: claude, /, 'cursor zed\n'], [/Write \.cursor\/mcp\.json\?/, 'n\n'], [/Write \.zed\/settings\.json\?/, 'y\n']);
    assert.equal(unknown.code, 1, 'one change was declined');
    assert.deepEqual(names()[0].filter((name) => !before[0].includes(name)), ['.zed', '.zed/settings.json']);
    const all = await answer([which, '\n'], [/Write \.mcp\.json\?/, 'y\n']);
    assert.equal(all.code, 0, all.out);
    assert.match(all.out, /zed +Zed +\.zed\/settings\.json +has the server\r\n/);
    assert.ok(names()[0].includes('.mcp.json'));
  });
});
