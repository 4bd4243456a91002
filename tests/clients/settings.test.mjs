// .snapback/config.json: write rules, listed tools and their names, and errors in the file.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

import { logged } from './facade.mjs';
import { sources } from './schema_files.mjs';
import { connect, openings } from './sdks.mjs';
import { repository, snapgen } from './servers.mjs';
import { sharedServer } from './shared_server.mjs';

const configured = (t, config, create = repository) => {
  const folder = create(t, { 'src/a.txt': 'a\n', 'secret.pem': 'x\n', 'other.txt': 'o\n' });
  mkdirSync(join(folder, '.snapback'));
  writeFileSync(join(folder, '.snapback/config.json'), typeof config === 'string' ? config : JSON.stringify(config));
  return folder;
};
const start = (t, folder, ...args) => connect(t, openings[0], { command: snapgen(folder).command, args: [...snapgen(folder).args, ...args] });
// The rules of a folder are read when its first call opens it, so one server has those of several tests.
const server = sharedServer(openings[0]);
const use = async (folder) => ({ folder, ...(await server.connection(folder)) });
const useConfigured = (t, config) => use(configured(t, config, server.repository));
const text = (result) => result.content[0].text;

test('every family obeys the write rules, and rejected writes are logged', async (t) => {
  const { folder, call } = await useConfigured(t, { tier: 'pro', writes: { allow: ['src/**', '*.pem'], deny: ['*.pem'] } });
  const { snapshot_id: id } = (await call('snapshot_create', { paths: ['.'] })).structuredContent;
  assert.ok(!(await call('workspace_write_file', { path: 'src/b.txt', content: 'b' })).isError);
  const patch = '--- a/other.txt\n+++ b/other.txt\n@@ -1 +1 @@\n-o\n+p\n';
  const refused = [
    ['workspace_write_file', { path: 'secret.pem', content: 'y' }],
    ['workspace_write_file', { path: 'secret.pem', content: readFileSync(join(folder, 'secret.pem'), 'utf8') }],
    ['workspace_write_file', { path: 'new.txt', content: 'y' }],
    ['workspace_write_file', { path: '.snapback/config.json', content: '{}' }],
    ['workspace_delete', { path: 'secret.pem' }],
    ['workspace_apply_patch', { patch }],
  ];
  for (const [name, args] of refused) {
    const result = await call(name, args);
    assert.equal(result.isError, true, text(result));
    assert.equal(JSON.parse(text(result)).error.code, 'PERMISSION_DENIED');
  }
  writeFileSync(join(folder, 'secret.pem'), 'changed\n');
  writeFileSync(join(folder, 'src/a.txt'), 'changed\n');
  assert.match(text(await call('snap_fix', { action: 'restore', id: `snap_${id.slice(7, 17)}` })), /PERMISSION_DENIED/);
  const restored = await call('snapback_snapshot_restore', { snapshot_id: id, dry_run: true });
  assert.equal(JSON.parse(text(restored)).error.code, 'PERMISSION_DENIED');
  assert.equal(readFileSync(join(folder, 'src/a.txt'), 'utf8'), 'changed\n', 'a rejected patch writes none of its files');
  const one = await call('snapback_snapshot_restore', { snapshot_id: id, files: ['src/a.txt'] });
  assert.equal(one.structuredContent.data.total, 1);
  assert.equal(readFileSync(join(folder, 'other.txt'), 'utf8'), 'o\n');
  // A patch of a snapshot does not write to the work tree.
  assert.ok(!(await call('workspace_apply_patch', { patch, snapshot_id: id })).isError);
  const lines = await logged(folder, 'security', (all) => all.length >= refused.length + 2);
  assert.match(lines[0].message, /^secret\.pem may not be written/);
});

test('no tool writes, deletes or replaces the logs of tools', async (t) => {
  const { folder, call } = await useConfigured(t, {});
  assert.ok(!(await call('workspace_delete', { path: 'other.txt' })).isError);
  const [deleted] = await logged(folder, 'audit', (all) => all.length > 0);
  for (const [name, args] of [
    ['workspace_write_file', { path: '.snapback/logs/audit.jsonl', content: '{}' }],
    ['workspace_delete', { path: '.snapback/logs/audit.jsonl' }],
    ['workspace_delete', { path: '.snapback/logs', recursive: true }],
    ['workspace_apply_patch', { patch: 'diff --git a/.snapback/logs/audit.jsonl b/new\nsimilarity index 100%\nrename from .snapback/logs/audit.jsonl\nrename to new\n' }],
  ]) {
    const refused = await call(name, args);
    assert.equal(JSON.parse(text(refused)).error.code, 'PERMISSION_DENIED', text(refused));
  }
  assert.deepEqual((await logged(folder, 'audit', (all) => all.length > 0))[0], deleted);
  writeFileSync(join(folder, '.snapback/notes.txt'), 'n\n');
  const kept = (await call('workspace_delete', { path: '.snapback', recursive: true })).structuredContent.kept;
  assert.deepEqual(kept, ['config.json', 'logs'].map((name) => ({ path: `.snapback/${name}`, reason: 'reserved' })));
  assert.deepEqual((await logged(folder, 'audit', (all) => all.length > 1))[0], deleted);
});

test('an empty list of writable paths allows no write', async (t) => {
  const { call } = await useConfigured(t, { writes: { allow: [] } });
  for (const path of ['other.txt', 'new.txt', '.snapback/config.json']) {
    const result = await call('workspace_write_file', { path, content: 'y' });
    assert.equal(JSON.parse(text(result)).error.code, 'PERMISSION_DENIED');
    assert.match(text(result), /config\.json forbids it/);
  }
});

test('settings select profile, names and tier, and the command line overrides them', async (t) => {
  const folder = configured(t, {
    tier: 'pro', profile: 'mine', tool_names: 'dotted', profiles: { mine: { families: ['facade'], tools: ['snapshot_grep'] } },
  });
  const names = (await (await start(t, folder)).list()).map((tool) => tool.name);
  assert.equal(names.length, 12);
  assert.ok(names.includes('snapshot.grep') && names.includes('snapback.learn'));
  const { call } = await start(t, folder);
  const prepared = (await call('snapback.prepare_workspace', { files: ['src/a.txt'] })).structuredContent;
  assert.ok(prepared.next_actions.length > 0 && prepared.next_actions.every((one) => names.includes(one.tool)));
  const wire = await (await start(t, folder, '--profile', 'wire', '--tool-names', 'safe')).list();
  assert.ok(wire.every((tool) => /^(snap|check)/.test(tool.name)));
});

test('the profile first has the 13 tools of the README, and the example of docs/tools.md works', async (t) => {
  const page = (path) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
  const table = /^\| Tool \|[^\n]*\n((?:\|.*\n)+)/m.exec(page('README.md'))[1];
  const named = table.split('\n').flatMap((row) => row.split('|')[1]?.match(/(?<=`)\w+(?=`)/g) ?? []);
  assert.equal(named.length, 13);
  const names = (await (await start(t, configured(t, { profile: 'first' }))).list()).map((tool) => tool.name);
  assert.deepEqual(names.sort(), named.sort());
  const example = JSON.parse(/^\{ "profile": "work".*$/m.exec(page('docs/tools.md'))[0]);
  const own = (await (await start(t, configured(t, example))).list()).map((tool) => tool.name);
  assert.ok(own.includes('snap_end') && own.includes('snapshot_diff') && own.every((name) => !/^(snapback|bridge)_/.test(name)));
});

test('the error of a call by a former tool name names the successor', async (t) => {
  const { call } = await useConfigured(t, {});
  for (const [name, successor] of [
    ['ctx_init', 'snapback_context with op init'], ['snapback.create_snapshot', 'snapback_snapshot_create'],
    ['snapback_create_snapshot', 'snapback_snapshot_create'], ['begin_task', 'snap with mode start'],
    ['get_context', 'snap with mode context'], ['quick_check', 'check with mode quick'],
    ['prepare_workspace', 'snap with mode start'], ['complete_task', 'snap_end'], ['learn', 'snap_learn'],
    ['report_violation', 'snap_violation'], ['snapshot_restore', 'snap_fix with action restore'],
    ['check_patterns', 'check with mode patterns'],
  ]) await assert.rejects(call(name, {}), new RegExp(`It is now ${successor}\\.`), name);
});

test('a successor is named only if the profile lists it', async (t) => {
  const { call } = await start(t, configured(t, { profile: 'facade' }));
  await assert.rejects(call('learn', {}), /It is now snapback_learn\./);
  await assert.rejects(call('report_violation', {}), /Unknown tool "report_violation"\.$/);
  const substrate = await start(t, configured(t, { profile: 'substrate' }));
  await assert.rejects(substrate.call('begin_task', {}), /Unknown tool "begin_task"\.$/);
});

test('a tool is suggested only for a similar name', async (t) => {
  const { call } = await useConfigured(t, {});
  for (const name of ['workspace_read', 'workspace_revise', 'snapshot_delete', 'snap_start'])
    await assert.rejects(call(name, {}), new RegExp(`Unknown tool "${name}"\\.$`), name);
  for (const [name, meant] of [['workspace_write', 'workspace_write_file'], ['snapback_restore', 'snapback_snapshot_restore'],
    ['workspace_delet', 'workspace_delete'], ['snapshot.gerp', 'snapshot_grep']])
    await assert.rejects(call(name, {}), new RegExp(`Did you mean "${meant}"\\?$`), name);
});

const stderrOf = (folder, ...args) => new Promise((resolve) => {
  const child = spawn(snapgen(folder).command, [...snapgen(folder).args, ...args], { stdio: ['pipe', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (data) => { said += data; });
  child.on('close', (code) => resolve({ code, said }));
  child.stdin.end();
});

test('errors in settings name the file, the location and the likely meaning', async (t) => {
  for (const [config, expected] of [
    [{ teir: 'pro' }, /config\.json: \/teir: .*tier/],
    [{ tier: 'gold' }, /config\.json: \/tier: /],
    [{ writes: { deny: [''] } }, /config\.json: \/writes\/deny\/0: /],
    ['{"tier":', /config\.json: not JSON at line 1, column 9/],
    [{ profiles: { mine: { families: ['facades'], tools: ['snapshot.gerp'] } } }, /\/profiles\/mine: there is no family "facades"\. Did you mean "facade"\?/],
    [{ profiles: { full: {} } }, /\/profiles\/full: the server has a profile of this name itself/],
    [{ profile: 'yours' }, /config\.json: \/profile: There is no profile yours; the profiles are: .* All tools are shown\./],
    [{ writes: { deny: ['['] } }, /config\.json: \/writes: The glob \[ ends inside a bracket/],
  ]) {
    const { said, code } = await stderrOf(configured(t, config));
    assert.match(said, expected);
    assert.equal(code, 0, 'the server starts despite errors in the settings');
  }
  // An error on the command line is reported as such.
  const { said, code } = await stderrOf(configured(t, {}), '--profile', 'yours');
  assert.match(said, /There is no profile yours; the profiles are:/);
  assert.equal(code, 2);
});

test('an unknown profile lists all tools, and an invalid pattern disables writing', async (t) => {
  const { list } = await start(t, configured(t, { profile: 'yours', tier: 'pro' }), '--ws', '0');
  assert.equal((await list()).length, sources.length);
  const folder = configured(t, { writes: { deny: ['['] } });
  const { call } = await start(t, folder);
  const refused = await call('workspace_write_file', { path: 'new.txt', content: 'y' });
  assert.match(text(refused), /new\.txt may not be written: \.snapback\/config\.json: \/writes: .*restart the server/);
  assert.ok(!(await call('snapshot_create', { paths: ['.'] })).isError);
  assert.equal(spawnSync(join(dirname(snapgen(folder).command), 'snap'), ['snapshot', 'list'], { cwd: folder }).status, 0);
});

test('a tier error mentions unreadable settings and the restart', async (t) => {
  const hint = async (config) => {
    const { call } = await start(t, configured(t, config));
    const { error } = JSON.parse(text(await call('snapback_snapshot_create', {})));
    assert.equal(error.code, 'TIER_REQUIRED');
    return error.hint;
  };
  assert.match(await hint({}), /\bsnapshot_create takes\b.*"tier": "pro" in \.snapback\/config\.json.*\brestart the server\b/);
  assert.match(await hint('{"tier":"pro",'), /\bignored \.snapback\/config\.json\b.*\bnot JSON at line 1, column 15: .*"tier": "pro".*\brestart the server\b/);
});

test('unreadable settings disable all writing', async (t) => {
  const folder = configured(t, '{"writes": {"deny": ["secret.pem"]');
  const { call } = await start(t, folder);
  const refused = await call('workspace_write_file', { path: 'secret.pem', content: 'y' });
  assert.equal(refused.isError, true);
  assert.match(refused.content[0].text, /secret\.pem may not be written: \.snapback\/config\.json: not JSON at line .*restart the server/);
  const misfit = await start(t, configured(t, { writes: { deny: 5 } }));
  assert.match((await misfit.call('workspace_write_file', { path: 'a.txt', content: 'y' })).content[0].text,
    /found 5\. Correct it, then restart the server/);
  writeFileSync(join(folder, '.snapback/config.json'), '{}');
  assert.match(text(await call('workspace_write_file', { path: 'secret.pem', content: 'y' })), /restart the server: it reads the file at its start/);
  assert.ok(!(await call('snapshot_create', { paths: ['.'] })).isError);
  assert.ok(existsSync(join(folder, 'secret.pem')));
});

// Each path is a file in which a model could write rules for itself; each call would change it.
test('no tool changes the settings of this server or of an AI host', async (t) => {
  const folder = server.repository(t, { 'src/a.txt': 'a\n', '.claude/settings.json': '{}\n', '.codex/config.toml': 'x\n', '.claude/notes.md': 'n\n' });
  const { call } = await use(folder);
  const { snapshot_id: id } = (await call('snapshot_create', { paths: ['.'] })).structuredContent;
  const patch = '--- a/.claude/settings.json\n+++ b/.claude/settings.json\n@@ -1 +1 @@\n-{}\n+{"hooks":{}}\n';
  const renamed = 'diff --git a/src/a.txt b/.cursor/hooks.json\nsimilarity index 100%\nrename from src/a.txt\nrename to .cursor/hooks.json\n';
  const link = 'diff --git a/.snapback b/.snapback\nnew file mode 120000\n--- /dev/null\n+++ b/.snapback\n@@ -0,0 +1 @@\n+src\n\\ No newline at end of file\n';
  for (const [name, args] of [
    ['workspace_write_file', { path: '.snapback/config.json', content: '{}' }],
    ['workspace_write_file', { path: '.snapback/tools/x.json', content: '{}' }],
    ['workspace_write_file', { path: '.Claude/Settings.local.json', content: '{}' }],
    ['workspace_write_file', { path: 'src/.mcp.json', content: '{}' }],
    ['workspace_write_file', { path: '.cursor/hooks.json', content: '{}' }],
    ['workspace_delete', { path: '.claude/settings.json' }],
    ['workspace_delete', { path: '.codex/config.toml' }],
    ['workspace_write_file', { path: '.claude/commands/x.md', content: '!`id`' }],
    ['workspace_write_file', { path: '.opencode/plugin/x.ts', content: '' }],
    ['workspace_apply_patch', { patch }],
    ['workspace_apply_patch', { patch: renamed }],
    ['workspace_apply_patch', { patch: link }],
  ]) {
    const result = await call(name, args);
    assert.equal(result.isError, true, `${name} ${JSON.stringify(args)}: ${text(result)}`);
    const { error } = JSON.parse(text(result));
    assert.equal(error.code, 'PERMISSION_DENIED', error.message);
    if (!args.patch?.includes('120000')) assert.match(error.message, /The user can edit it, or allow it by name/);
  }
  // Deleting a folder with such a file deletes all other files in it.
  const { deleted, kept } = (await call('workspace_delete', { path: '.claude', recursive: true })).structuredContent;
  assert.deepEqual([deleted, kept], [['.claude/notes.md'], [{ path: '.claude/settings.json', reason: 'reserved' }]]);
  const codex = (await call('workspace_delete', { path: '.codex', recursive: true })).structuredContent;
  assert.deepEqual([codex.deleted, codex.kept.map((each) => each.path)], [[], ['.codex/config.toml']]);
  // A restore leaves these files unchanged, and reports them if they are named.
  writeFileSync(join(folder, '.claude/settings.json'), '{"mine":true}\n');
  writeFileSync(join(folder, 'src/a.txt'), 'changed\n');
  assert.match(text(await call('snap_fix', { action: 'restore', id: `snap_${id.slice(7, 17)}` })), /Restored 2 files/);
  assert.equal(readFileSync(join(folder, '.claude/settings.json'), 'utf8'), '{"mine":true}\n');
  assert.equal(readFileSync(join(folder, 'src/a.txt'), 'utf8'), 'a\n');
  // The user's own settings permit the change by name.
  const config = join(process.env.XDG_CONFIG_HOME, 'allowing', 'snapgen');
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, 'config.json'), JSON.stringify({ writable_settings: ['.claude/settings.json'] }));
  const allowing = await connect(t, openings[0], { ...snapgen(folder), env: { XDG_CONFIG_HOME: dirname(config) } });
  assert.ok(!(await allowing.call('workspace_write_file', { path: '.claude/settings.json', content: '{}\n' })).isError);
  assert.equal((await allowing.call('workspace_write_file', { path: '.claude/settings.local.json', content: '{}\n' })).isError, true);
});
