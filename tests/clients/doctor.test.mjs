// `snap doctor` and `snap init` in scratch home folders and repositories: their findings, their repairs, and files that
// must not change.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { describe, test } from 'node:test';

import { onTerminal } from './commands.mjs';
import { repository } from './servers.mjs';

const program = realpathSync(dirname(resolve(process.env.SNAPGEN_BUILD ?? join(import.meta.dirname, '../../build'), 'snap'))) + '/snap';

// Creates a repository and a separate home folder, and returns commands that use only these.
const scratch = (t, files = { 'a.txt': 'a\n' }) => {
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

const unnamed = "warning hosts: No host's file here names this server.";
const entry = (command, args = ['mcp', '--stdio'], more = {}) => JSON.stringify({ mcpServers: { other: { command: '/none' }, mine: { command, args, ...more } } });

const listing = (folder) =>
  readdirSync(folder, { recursive: true })
    .map((name) => ({ name, ...(({ size, mtimeMs, mode }) => ({ size, mtimeMs, mode }))(statSync(join(folder, name))) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));

describe('snap doctor', () => {
  test('names contents that could not be restored after a crash', (t) => {
    const { folder, bad, write } = scratch(t);
    const tree = createHash('sha256').update(folder).digest('hex').slice(0, 16);
    const kept = `.git/snapgen/trees/${tree}/writes/kept-1-0`;
    write(kept, 'mine\n');
    const finding = bad().find((each) => each.startsWith('warning writes: '));
    assert.match(finding ?? '', /1 content could not be restored, because/);
    assert.ok(finding.includes(join(folder, kept)), finding);
  });

  test('names a write that a crash interrupted in another work tree', (t) => {
    const { bad, write } = scratch(t);
    write('.git/snapgen/trees/other/place', JSON.stringify({ git_dir: 'worktrees/other', prefix: '', root: '/none/other' }));
    write('.git/snapgen/trees/other/writes/x.journal', 'cut');
    assert.ok(bad().includes('warning writes: A write to /none/other was interrupted by a crash and has to be finished.'), bad());
  });

  test('warns about snapshots in a store that git tracks', (t) => {
    const { folder, bad, write } = scratch(t);
    write('.snapback/store/trees/any/place', JSON.stringify({ git_dir: '', prefix: '', root: folder }));
    execFileSync('git', ['add', '-f', '.snapback/store'], { cwd: folder });
    assert.match(bad().find((each) => each.startsWith('warning store: ')) ?? '', /which is not used because git tracks it/);
  });

  test('finds nothing wrong in a fresh repository, and changes nothing', (t) => {
    const { folder, home, doctor, bad, run } = scratch(t);
    const before = [listing(folder), listing(home)];
    assert.deepEqual(bad(), [unnamed]);
    assert.deepEqual([listing(folder), listing(home)], before);
    const found = doctor().findings;
    for (const area of ['workspace', 'git', 'files', 'inotify', 'permissions', 'disk', 'settings', 'store', 'logs', 'hosts', 'start'])
      assert.ok(found.some((each) => each.area === area), area);
    assert.match(found.find(({ area }) => area === 'start').text, /^this program: snapgen-server \S+ answered within \d+ ms\.$/);
    const { stdout, status } = run(['doctor']);
    assert.equal(status, 0);
    assert.match(stdout, /^ok +workspace /m);
    assert.match(stdout, /^0 errors, \d warnings?\.\n$/m);
  });

  test('warns that filters of the repository are not run, and names the setting that allows them', (t) => {
    const { folder, home, bad, doctor } = scratch(t);
    execFileSync('git', ['-C', folder, 'config', 'filter.crypt.clean', 'rot13']);
    assert.match(bad().find((each) => each.startsWith('warning git: ')), /configuration names are not run; files that they convert show as changed\.$/);
    const said = doctor().findings.find(({ health, area }) => health === 'warning' && area === 'git');
    assert.match(said.fix, /git config --global snapgen\.repositoryFilters true/);
    execFileSync('git', ['config', '--file', join(home, '.gitconfig'), 'snapgen.repositoryFilters', 'true']);
    assert.ok(!bad().some((each) => each.startsWith('warning git: ')));
  });

  test('names the workspace and how it was found', (t) => {
    const { folder, home, doctor } = scratch(t, { 'deep/a.txt': 'a' });
    const why = (words, options) => doctor(words, options).findings[0].text;
    assert.match(why([]), /: the current folder is one; it contains \.git\.$/);
    assert.match(why([], { cwd: join(folder, 'deep') }), /nearest one above/);
    assert.match(why(['--workspace', folder], { cwd: home }), /--workspace names it/);
    assert.match(why([], { cwd: home, env: { SNAPBACK_WORKSPACE_ROOT: folder } }), /SNAPBACK_WORKSPACE_ROOT names it/);
    const nowhere = doctor([], { cwd: home, env: { SNAPBACK_WORKSPACE_ROOT: join(home, 'none') } });
    assert.equal(nowhere.findings[0].health, 'error');
    assert.equal(nowhere.errors, 1);
  });

  test('reports errors in settings with their location', (t) => {
    const { write, bad, doctor } = scratch(t);
    for (const [text, expected] of [['{"tier":"gold"}', /^error settings: \.snapback\/config\.json: \/tier: /], ['{', /not JSON at line 1/], ['{"teir":"pro"}', /tier/],
      ['{"tools":"none"}', /^warning settings: The folder of tools \S.*none cannot be read\. Check "tools" in \.snapback\/config\.json\./]]) {
      write('.snapback/config.json', text);
      assert.match(bad().find((each) => each.includes(' settings: ')), expected);
    }
    for (const [text, expected] of [['{"profile":"nope"}', /^warning settings: \.snapback\/config\.json: \/profile: There is no profile nope; the profiles are:/],
      ['{"writes":{"deny":["[abc"]}}', /^error settings: .*\/writes: The glob \[abc ends inside a bracket/], ['{"writes":{"allow":["src\\\\"]}}', /after a backslash/], ['{"writes":{"deny":["*.{pem"]}}', /or a brace/],
      ['{"profiles":{"mine":{"families":["facades"]}}}', /^warning settings: .*\/profiles\/mine: there is no family/], ['\ufeff{}', /begins with a byte order mark/]]) {
      write('.snapback/config.json', text);
      assert.match(bad().find((each) => each.includes(' settings: ')) ?? 'nothing', expected);
    }
    write('.snapback/config.json', '{"profile":"mine","profiles":{"mine":{"families":["facade"]}},"writes":{"deny":["[a-c]*.{pem,key}","[]]","\\\\["]}}');
    assert.deepEqual(bad(), [unnamed]);
    write('.snapback/config.json', '{"tier":"pro"}');
    assert.deepEqual(bad(), [unnamed]);
    const service = '{"api":{"base_url":"https://api.example.org/v2"}}';
    write('.snapback/config.json', service);
    const asked = (env) => doctor([], { env }).findings.find(({ area }) => area === 'service');
    assert.match(asked({}).text, /^https:\/\/api\.example\.org is called without a token: SNAPBACK_API_TOKEN is not set\.$/);
    const secret = 'secret0123456789';
    assert.match(asked({ SNAPBACK_API_TOKEN: secret, SNAPBACK_API_TOKEN_FOR: 'https://example.net' }).text, /is not sent/);
    const sent = asked({ SNAPBACK_API_TOKEN: secret, SNAPBACK_API_TOKEN_FOR: 'https://api.example.org' });
    assert.equal(sent.health, 'ok');
    assert.ok(!JSON.stringify(sent).includes(secret));
  });

  test('checks a host\'s file as that host would read it', (t) => {
    const { write, bad, folder, home } = scratch(t);
    const judged = (text) => {
      write('.mcp.json', text);
      return bad();
    };
    assert.deepEqual(judged(entry(program)), []);
    assert.match(judged('{\n  "mcpServers": {,}\n}')[0], /^error hosts: Claude Code: .*\.mcp\.json: It is not JSON at line 2, column /);
    assert.match(judged(entry('/none/snap'))[0], /^error hosts: Claude Code, mine: there is no program \/none\/snap\.$/);
    assert.match(judged(entry(program, ['--stdio']))[0], /first argument has to be "mcp"/);
    assert.match(judged(entry(program, ['mcp']))[0], /lack "--stdio"/);
    assert.match(judged(entry(program, ['mcp', '--stdio', '--workspace', '/none']))[0], /--workspace names \/none, which is not a folder/);
    assert.match(judged(entry(program, 'mcp'))[0], /has args that are not an array/);
    assert.match(judged(entry(program, ['mcp', '--stdio', '--profile', 'none']))[0], /^error start: Claude Code, mine: The server ended without an answer: .*no profile none/);
    assert.deepEqual(judged(entry(program, ['mcp', '--stdio'], { disabled: true })), []);
    rmSync(join(folder, '.mcp.json'));
    write('.cursor/mcp.json', entry(program, ['mcp', '--stdio', '--workspace', '${workspaceFolder}']));
    write('.vscode/mcp.json', `{ // mine\n "servers": { "s": { "command": "${program}", "args": ["mcp", "--stdio",], }, }, }`);
    assert.deepEqual(bad(), []);
    mkdirSync(join(home, '.config/Claude'), { recursive: true });
    writeFileSync(join(home, '.config/Claude/claude_desktop_config.json'), entry(program));
    assert.match(bad()[0], /^error hosts: Claude Desktop, mine: no workspace is named/);
    writeFileSync(join(home, '.config/Claude/claude_desktop_config.json'), entry(program, ['mcp', '--stdio', '--workspace', folder]));
    assert.deepEqual(bad(), []);
  });

  test('starts another program only with --start', (t) => {
    const { folder, write, doctor, bad } = scratch(t);
    const other = join(folder, 'bin/snap');
    write('bin/snap', '#!/bin/sh\ntouch "$MARK"\necho started >&2\nexit 1\n');
    chmodSync(other, 0o755);
    const mark = join(folder, 'mark');
    write('.mcp.json', entry(other, ['mcp', '--stdio'], { env: { MARK: mark } }));
    assert.deepEqual(bad(), []);
    assert.ok(doctor().findings.some(({ text }) => text.includes('not started, because it is another program')));
    assert.ok(!existsSync(mark));
    assert.deepEqual(bad(['--start']), ['error start: Claude Code, mine: The server ended without an answer: started']);
    assert.ok(existsSync(mark));
  });

  test('--fix makes only safe repairs, and lists each of them', (t) => {
    const { write, read, doctor, bad } = scratch(t);
    const text = `{\n\t"mcpServers": {\n\t\t"mine": { "command": "/none/snapback", "args": [], "env": {"A": "b"} }\n\t}\n}\n`;
    write('.mcp.json', text);
    write('.snapback/logs/mcp.jsonl', '');
    assert.equal(bad().length, 2, `${bad()}`);
    const fixed = doctor(['--fix']);
    assert.deepEqual([fixed.errors, fixed.not_fixed, bad()], [0, [], []]);
    assert.deepEqual(fixed.fixed.map((each) => each.split(' ')[0]).sort(), ['Wrote', '.mcp.json'].sort());
    assert.equal(read('.mcp.json'), text.replace('"/none/snapback"', JSON.stringify(program)).replace('"args": []', '"args": ["mcp", "--stdio"]'));
    assert.equal(read('.snapback/logs/.gitignore'), '*\n');
    assert.deepEqual(doctor(['--fix']).fixed, []);
  });

  test('a damaged store, a foreign state folder and a broken repository are errors', (t) => {
    const { folder, write, bad } = scratch(t);
    write('.git/snapgen/snapshots/' + 'a'.repeat(64), 'nonsense');
    assert.match(bad().find((each) => each.startsWith('error store')), /Damaged: snap_aaaaaaaaaa\.$/);
    rmSync(join(folder, '.git/snapgen'), { recursive: true });
    write('.snapback', 'a file');
    assert.match(bad().find((each) => each.startsWith('error permissions')), /\.snapback is not a folder/);
    rmSync(join(folder, '.snapback'));
    const plain = scratch(t);
    execFileSync('git', ['init', '--quiet', '--bare', join(plain.folder, 'bare')]);
    mkdirSync(join(plain.folder, 'bare/.snapback'));
    assert.match(plain.bad(['--workspace', join(plain.folder, 'bare')]).find((each) => each.startsWith('error git')), /\S/);
  });
});

describe('snap init', () => {
  test('creates a workspace that git ignores, and changes nothing the second time', (t) => {
    const { folder, run, read } = scratch(t);
    const first = run(['init']);
    assert.deepEqual([first.status, first.stdout], [0, `written    .snapback/config.json\nThe workspace is ${folder}.\n`]);
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
      deleted: [], diff: '', refused: [], unchanged: ['.snapback/config.json', '.mcp.json', '.cursor/mcp.json', '.vscode/mcp.json'], workspace: folder, written: [],
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
    const { folder, run, read, write, bad } = scratch(t);
    const hosts = ['claude', 'codex', 'gemini', 'qwen', 'opencode', 'copilot', 'cursor', 'vscode'];
    const all = hosts.flatMap((name) => ['--host', name]);
    const texts = {
      '.codex/config.toml': '# mine\r\nmodel = "m"\r\n\r\n[mcp_servers.other]\r\ncommand = "x" # é',
      '.gemini/settings.json': '// mine\n{\n\t"theme": "é", // last,\n}',
      'opencode.jsonc': '{ /* none */ }',
      '.mcp.json': '{"mcpServers": {"other": {"command": "/none"}}}',
    };
    for (const [path, text] of Object.entries(texts)) write(path, text);
    const before = listing(folder).filter(({ name }) => !name.startsWith('.git')).map(({ name }) => name);
    assert.equal(run(['init', ...all, '--yes']).status, 0);
    for (const path of ['.mcp.json', '.codex/config.toml', '.gemini/settings.json', '.qwen/settings.json', 'opencode.jsonc', '.github/mcp.json', '.cursor/mcp.json', '.vscode/mcp.json'])
      assert.ok(read(path).includes(JSON.stringify(program)), path);
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
    assert.equal(run(['init', ...all, '--remove', '--yes']).status, 0);
    for (const [path, text] of Object.entries(texts)) assert.equal(read(path), text, path);
    const after = listing(folder).filter(({ name }) => !name.startsWith('.git') && !name.startsWith('.snapback')).map(({ name }) => name);
    assert.deepEqual(after, before, 'no new file or folder remains');
    assert.equal(run(['init', '--remove']).status, 2);
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
