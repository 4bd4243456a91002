// `snap doctor` in scratch home folders and repositories: its findings, its repairs, and files that must not change.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { listing, program, scratch } from './scratch_home.mjs';

const unnamed = "warning hosts: No host's file here names this server.";
const entry = (command, args = ['mcp', '--stdio'], more = {}) => JSON.stringify({ mcpServers: { other: { command: '/none' }, mine: { command, args, ...more } } });

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
    const { run, write, bad, folder, home } = scratch(t);
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
    write('.zed/settings.json', `{ // mine\n "context_servers": { "s": { "command": "${program}", "args": ["mcp", "--stdio",], }, }, }`);
    assert.deepEqual(bad(), []);
    write('.kiro/settings/mcp.json', entry(program));
    assert.match(bad()[0], /^error hosts: Kiro, mine: no workspace is named/);
    assert.equal(run(['doctor', '--fix']).status, 0);
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
