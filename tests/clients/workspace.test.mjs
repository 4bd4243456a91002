// The work tree that a call uses. The tests start the server and name folders as hosts do in recordings, in both eras.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { startHost } from './raw_host.mjs';
import { remove, snapgen } from './servers.mjs';

const git = (folder, ...words) => execFileSync('git', ['-C', folder, '-c', 'user.name=test', '-c', 'user.email=test@localhost', '-c', 'commit.gpgsign=false', ...words], { encoding: 'utf8' });

// Creates a scratch folder with a home folder, and repositories whose file `name` contains their name.
function world(t) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'snapgen workspace ')));
  t.after(() => remove(folder));
  const at = (...names) => join(folder, ...names);
  const write = (path, text) => {
    mkdirSync(join(at(path), '..'), { recursive: true });
    writeFileSync(at(path), text);
  };
  const repository = (name) => {
    write(`${name}/name`, `${name}\n`);
    git(at(name), 'init', '--quiet', '--initial-branch', 'main');
    git(at(name), 'add', '.');
    git(at(name), 'commit', '--quiet', '--message', 'first');
  };
  // Creates work trees as EnterWorktree and `claude -w` do.
  const worktree = (name, where) => {
    git(at(name), 'worktree', 'add', '--quiet', '-b', where.replaceAll('/', '-'), at(where));
    write(`${where}/name`, `${where}\n`);
  };
  mkdirSync(at('home'));
  repository('repo');
  mkdirSync(at('repo/sub/deep'), { recursive: true });
  return { folder, at, write, repository, worktree, env: { HOME: at('home'), XDG_STATE_HOME: at('state') } };
}

const eras = [{ modern: false, era: 'stateful' }, { modern: true, era: 'stateless' }];

for (const { modern, era } of eras) {
  describe(`workspace, ${era}`, () => {
    test('roots override every source but a named folder', async (t) => {
      const { at, repository, env } = world(t);
      for (const name of ['other', 'named']) repository(name);
      const more = { ...env, CLAUDE_PROJECT_DIR: at('other') };
      const host = await startHost(t, { cwd: at('other'), env: more, modern, roots: [at('repo/sub')] });
      assert.equal(await host.read('name'), 'repo\n');
      assert.equal(host.asked, 1);
      for (const [args, variable] of [[['--stdio', '--workspace', at('named')], {}], [['--stdio'], { SNAPBACK_WORKSPACE_ROOT: at('named') }]]) {
        const named = await startHost(t, { cwd: at('other'), env: { ...more, ...variable }, args, modern, roots: [at('repo')] });
        assert.equal(await named.read('name'), 'named\n');
        assert.equal(named.asked, 0, 'the host is not asked for its roots');
      }
    });

    test('a change of roots without a notification switches the work tree', async (t) => {
      const { at, worktree, env } = world(t);
      const host = await startHost(t, { cwd: at('repo'), env, modern, roots: [at('repo')] });
      const before = await host.call('snapshot_file', { path: 'name' });
      assert.equal(before.content, 'repo\n');
      worktree('repo', 'repo/.claude/worktrees/one');
      host.roots = [at('repo/.claude/worktrees/one')];
      // The lease belongs to the other tree and is not valid in this one.
      const inside = await host.call('snapshot_file', { path: 'name', lease_id: before.lease_id });
      assert.equal(inside.content, 'repo/.claude/worktrees/one\n');
      assert.notEqual(inside.lease_id, before.lease_id);
      const written = await host.call('workspace_write_file', { path: 'new', content: 'x', lease_id: before.lease_id });
      assert.equal(written.failed, 'NOT_FOUND', 'a lease of one tree allows no write in another');
      await host.call('workspace_write_file', { path: 'new', content: 'inside', lease_id: inside.lease_id });
      assert.equal(readFileSync(at('repo/.claude/worktrees/one/new'), 'utf8'), 'inside');
      assert.ok(!existsSync(at('repo/new')));
      host.roots = [at('repo')];
      assert.equal(await host.read('name'), 'repo\n');
    });

    test('the first path that exists in only one root selects that root', async (t) => {
      const { at, write, repository, env } = world(t);
      repository('other');
      write('other/only/here', 'there\n');
      const host = await startHost(t, { cwd: at('repo'), env, modern, roots: [at('repo'), at('other')] });
      const unclear = await host.call('snapshot_list', {});
      assert.equal(unclear.failed, 'WORKSPACE_INVALID');
      assert.deepEqual(unclear.details.workspaces, [at('repo'), at('other')]);
      assert.match(unclear.message, /path that exists in only one of them/);
      assert.match(await host.read('name'), /^WORKSPACE_INVALID: /, 'the path exists in both roots');
      assert.match(await host.read('none'), /^WORKSPACE_INVALID: /);
      assert.ok(!existsSync(at('repo/.git/snapgen')), 'no store was opened');
      assert.equal(await host.read('only/here'), 'there\n');
      assert.equal(await host.read('name'), 'other\n', 'the root remains selected');
      // An absolute path selects another root.
      assert.equal(await host.read(at('repo/name')), 'repo\n');
      assert.equal(await host.read('name'), 'repo\n');
    });

    test('for a folder that cannot be served, the error says how to choose another', async (t) => {
      const { at, repository, env } = world(t);
      repository('home');
      mkdirSync(at('home/notes'));
      mkdirSync(at('plain/.git'), { recursive: true });
      for (const [cwd, roots] of [['repo', ['home']], ['repo', ['home/notes']], ['repo', ['plain']], ['plain', undefined], ['home', undefined], ['home/notes', undefined], ['plain', []]]) {
        const host = await startHost(t, { cwd: at(cwd), env, modern, roots: roots?.map((each) => at(each)) });
        const refused = await host.call('snapshot_create', {});
        assert.equal(refused.failed, 'WORKSPACE_INVALID', `${cwd} ${roots}`);
        assert.match(refused.message, /--workspace DIR/);
        // The server recovers without a restart.
        host.roots = host.roots && [at('repo')];
        if (roots?.length) assert.equal(await host.read('name'), 'repo\n');
      }
      assert.ok(!existsSync(at('home/.git/snapgen')) && !existsSync(at('plain/.snapback')), 'nothing was written to these folders');
      const named = await startHost(t, { cwd: at('plain'), env, args: ['--stdio', '--workspace', at('home')], modern });
      assert.equal(await named.read('name'), 'home\n');
    });

    test('a folder named in a request applies to that request and to later requests that name none', async (t) => {
      const { at, repository, env } = world(t);
      for (const name of ['other', 'third']) repository(name);
      const host = await startHost(t, { cwd: at('third'), env, args: ['--stdio', '--no-confine'], modern, name: 'codex-mcp-client' });
      const of = (name) => ({ 'x-codex-turn-metadata': { turn_id: '1', workspaces: { [at(name)]: { has_changes: false } } } });
      assert.equal(await host.read('name', of('repo')), 'repo\n');
      assert.equal(await host.read('name'), 'repo\n');
      assert.equal(await host.read('name', of('other')), 'other\n');
      const outside = await startHost(t, { cwd: at('third'), env, modern, name: 'codex-mcp-client' });
      assert.equal(await outside.read('name', { 'x-codex-turn-metadata': { turn_id: '1' } }), 'third\n');
    });

    test("each call uses the settings of the tree that it works on", async (t) => {
      const { at, write, repository, env } = world(t);
      repository('other');
      write('other/.snapback/config.json', '{"writes": {"deny": ["**"]}}');
      const host = await startHost(t, { cwd: at('repo'), env, args: ['--stdio', '--no-confine'], modern, roots: [at('repo')] });
      await host.call('workspace_write_file', { path: 'new', content: 'x' });
      host.roots = [at('other')];
      assert.equal((await host.call('workspace_write_file', { path: 'new', content: 'x' })).failed, 'PERMISSION_DENIED');
      assert.ok(existsSync(at('repo/new')) && !existsSync(at('other/new')));
      host.roots = [at('repo')];
      await host.call('workspace_delete', { path: 'new' });
      assert.ok(!existsSync(at('repo/new')));
    });

    test('resources and completions use the same tree as calls', async (t) => {
      const { at, repository, env } = world(t);
      repository('other');
      const host = await startHost(t, { cwd: at('repo'), env, args: ['--stdio', '--no-confine'], modern, roots: [at('other')] });
      const read = async () => (await host.request('resources/read', { uri: 'snapgen://files/name' })).result.contents[0].text;
      assert.equal(await read(), 'other\n');
      host.roots = [at('repo')];
      assert.equal(await read(), 'repo\n');
      const { result } = await host.request('completion/complete', { ref: { type: 'ref/resource', uri: 'snapgen://files/{+path}' }, argument: { name: 'path', value: 'na' } });
      assert.deepEqual(result.completion.values, ['name']);
    });

    test('a removed or replaced folder is no longer served', async (t) => {
      const { at, repository, env } = world(t);
      repository('other');
      const hosts = await Promise.all([['--no-confine'], ['--log-level', 'info']].map((more) =>
        startHost(t, { cwd: at('repo'), env, args: ['--stdio', ...more], modern, roots: [at('other')] })));
      for (const host of hosts) assert.equal(await host.read('name'), 'other\n');
      renameSync(at('other'), at('moved'));
      for (const host of hosts) assert.match(await host.read('name'), /WORKSPACE_INVALID: .* no longer exists/);
      mkdirSync(at('other'));
      git(at('other'), 'init', '--quiet');
      writeFileSync(at('other/name'), 'another\n');
      const [free, confined] = hosts;
      assert.equal(await free.read('name'), 'another\n');
      // The kernel confines a process to a folder, not to its path.
      const answer = await confined.read('name');
      if (/Confined by Landlock/.test(confined.errors())) assert.match(answer, /WORKSPACE_INVALID: .* was replaced .* Restart the server/);
      else assert.equal(answer, 'another\n');
    });
  });
}

describe('workspace', () => {
  test('a client that does not answer roots/list gets the folder the server was started in', async (t) => {
    const { at, env } = world(t);
    const refused = await startHost(t, { cwd: at('repo'), env, roots: 'refused' });
    assert.equal(await refused.read('name'), 'repo\n');
    assert.equal(await refused.read('name'), 'repo\n');
    assert.equal(refused.asked, 1, 'the client is not asked again');
  });

  test('if a client stops answering roots/list, calls fail', async (t) => {
    const { at, env } = world(t);
    const host = await startHost(t, { cwd: at('repo'), env, roots: [at('repo')] });
    assert.equal(await host.read('name'), 'repo\n');
    host.roots = 'refused';
    assert.match(await host.read('name'), /WORKSPACE_INVALID: The client did not name its folder/);
    host.roots = [at('repo')];
    assert.equal(await host.read('name'), 'repo\n');
  });

  test('a server in a plugin uses its parent\'s folder, and not one above the plugin', async (t) => {
    const { at, repository, env } = world(t);
    repository('home');
    const plugin = at('home/plugins/tool');
    mkdirSync(join(plugin, 'bin'), { recursive: true });
    const parent = (folder, variables = '') => ['sh', '-c', `cd '${folder}' && (cd '${plugin}' && ${variables} exec '${snapgen('').command}' --stdio); true`];
    for (const variable of ['PLUGIN_ROOT', 'CLAUDE_PLUGIN_ROOT', 'COPILOT_PLUGIN_ROOT']) {
      const host = await startHost(t, { env: { ...env, [variable]: plugin }, command: parent(at('repo/sub')) });
      assert.equal(await host.read('name'), 'repo\n', variable);
    }
    const lost = await startHost(t, { env: { ...env, PLUGIN_ROOT: plugin }, command: parent(plugin) });
    assert.match(await lost.read('name'), /WORKSPACE_INVALID: .* started in a plugin's folder/);
    // A plugin is also recognized by its manifest, if the program is inside it.
    writeFileSync(join(plugin, 'plugin.json'), '{}');
    copyFileSync(snapgen('').command, join(plugin, 'bin/server'));
    chmodSync(join(plugin, 'bin/server'), 0o755);
    const known = await startHost(t, { env, command: ['sh', '-c', `cd '${at('repo')}' && (cd '${plugin}' && exec ./bin/server --stdio --answers json); true`] });
    assert.equal(await known.read('name'), 'repo\n');
    // Roots are used even so.
    const rooted = await startHost(t, { env: { ...env, PLUGIN_ROOT: plugin }, command: parent(plugin), roots: [at('repo')] });
    assert.equal(await rooted.read('name'), 'repo\n');
  });

  test('CLAUDE_PROJECT_DIR selects the project folder', async (t) => {
    const { at, repository, env } = world(t);
    repository('other');
    const host = await startHost(t, { cwd: at('other'), env: { ...env, CLAUDE_PROJECT_DIR: at('repo/sub/deep') } });
    assert.equal(await host.read('name'), 'repo\n');
  });

  test('concurrent calls all use the tree that was selected before them', async (t) => {
    const { at, repository, env } = world(t);
    repository('other');
    const host = await startHost(t, { cwd: at('repo'), env, args: ['--stdio', '--no-confine'], roots: [at('repo')] });
    for (const name of ['other', 'repo', 'other']) {
      host.roots = [at(name)];
      const contents = await Promise.all(Array.from({ length: 8 }, () => host.read('name')));
      assert.deepEqual(new Set(contents), new Set([`${name}\n`]));
    }
  });

  test('a confined process rejects a work tree that it cannot write', async (t) => {
    const { at, repository, env } = world(t);
    repository('other');
    const host = await startHost(t, { cwd: at('repo'), env, args: ['--stdio', '--log-level', 'info'], roots: [at('repo')] });
    assert.equal(await host.read('name'), 'repo\n');
    host.roots = [at('other')];
    const answer = await host.read('name');
    if (/Confined by Landlock/.test(host.errors())) assert.match(answer, /WORKSPACE_INVALID: .* cannot be served: this server was started for .*--no-confine/);
    else assert.equal(answer, 'other\n');
    host.roots = [at('repo')];
    assert.equal(await host.read('name'), 'repo\n');
    // The server may write to all folders that the client names in its first list of roots.
    const both = await startHost(t, { cwd: at('repo'), env, roots: [at('repo'), at('other')] });
    await both.call('snapshot_file', { path: at('other/name') });
    assert.ok((await both.call('workspace_write_file', { path: 'new', content: 'x' })).blob);
    assert.ok(existsSync(at('other/new')));
  });

  test('two sessions over HTTP work on different trees, below the folder in which the server was started', async (t) => {
    const { at, folder, repository, env } = world(t);
    for (const name of ['other', 'home']) repository(name);
    const { startRaw } = await import('./raw_http.mjs');
    const server = await startRaw(t, { cwd: folder, env });
    const one = await server.session([at('repo')]);
    const two = await server.session([at('other')]);
    for (let round = 0; round < 2; round += 1) {
      assert.equal(await one.read('name'), 'repo\n');
      assert.equal(await two.read('name'), 'other\n');
    }
    const lease = await one.call('snapshot_file', { path: 'name' });
    assert.equal((await two.call('workspace_write_file', { path: 'new', content: 'x', lease_id: lease.lease_id })).failed, 'NOT_FOUND');
    // A session without roots has no tree here, because the folder contains several repositories.
    const none = await server.session(undefined);
    assert.match(await none.read('name'), /^WORKSPACE_INVALID: /);
    const elsewhere = realpathSync(mkdtempSync(join(tmpdir(), 'snapgen elsewhere ')));
    t.after(() => remove(elsewhere));
    git(elsewhere, 'init', '--quiet');
    assert.match(await (await server.session([elsewhere])).read('name'), /cannot be served: this server was started for/);
  });
});

// How each host starts the server and names its folder, as recorded with the versions in docs/hosts.md. `folder`: the
// session's folder.
const launches = {
  'Claude Code': {
    start: (folder) => ({ cwd: folder, env: { CLAUDE_PROJECT_DIR: folder }, roots: [folder], modern: true, name: 'claude-code' }),
    plugin: (folder, plugin) => ({ cwd: folder, env: { CLAUDE_PROJECT_DIR: folder, CLAUDE_PLUGIN_ROOT: plugin }, roots: [folder], modern: true, name: 'claude-code' }),
  },
  Codex: {
    start: (folder) => ({ cwd: folder, name: 'codex-mcp-client' }),
    meta: (folder) => {
      try {
        return { 'x-codex-turn-metadata': { turn_id: '1', workspaces: { [git(folder, 'rev-parse', '--show-toplevel').trim()]: { has_changes: false } } } };
      } catch {
        return { 'x-codex-turn-metadata': { turn_id: '1' } };
      }
    },
    manifest: '.codex-plugin/plugin.json',
    plugin: (folder, plugin) => ({ command: ['sh', '-c', `cd '${folder}' && (cd '${plugin}' && exec ./bin/server --stdio --answers json); true`], name: 'codex-mcp-client' }),
  },
  'Gemini CLI': { start: (folder) => ({ cwd: folder, env: { GEMINI_CLI: '1' }, roots: [folder], name: 'gemini-cli-mcp-client' }) },
  'Qwen Code': { start: (folder) => ({ cwd: folder, env: { QWEN_CODE_PROJECT_DIR: `${folder}/.none` }, roots: [folder], name: 'qwen-cli-mcp-client-snapgen' }) },
  OpenCode: { start: (folder) => ({ cwd: folder, env: { OPENCODE: '1' }, roots: [folder], name: 'opencode' }) },
  'Copilot CLI': {
    start: (folder) => ({ cwd: folder, modern: true, name: 'copilot-cli' }),
    plugin: (folder, plugin) => ({
      env: { PLUGIN_ROOT: plugin, COPILOT_PLUGIN_ROOT: plugin, CLAUDE_PLUGIN_ROOT: plugin, PWD: plugin },
      command: ['sh', '-c', `cd '${folder}' && (cd '${plugin}' && exec ./bin/server --stdio --answers json); true`], modern: true, name: 'copilot-cli',
    }),
  },
};

describe('launches', () => {
  for (const [title, host] of Object.entries(launches)) {
    test(title, async (t) => {
      const { at, write, repository, worktree, env } = world(t);
      repository('home');
      mkdirSync(at('home/notes'));
      worktree('repo', 'repo/.claude/worktrees/one');
      worktree('repo', 'beside');
      const plugin = at('home/plugins/tool');
      write(`home/plugins/tool/${host.manifest ?? 'plugin.json'}`, '{}');
      mkdirSync(join(plugin, 'bin'));
      copyFileSync(snapgen('').command, join(plugin, 'bin/server'));
      chmodSync(join(plugin, 'bin/server'), 0o755);
      // Each case is the folder of the session and the tree that must be used. Without a tree, the call must be
      // rejected.
      const cases = [['repo', 'repo'], ['repo/sub/deep', 'repo'], ['repo/.claude/worktrees/one', 'repo/.claude/worktrees/one'], ['beside', 'beside'], ['home'], ['home/notes']];
      for (const [folder, right] of cases) {
        for (const launch of [host.start, host.plugin]) {
          if (!launch) continue;
          const started = launch(at(folder), plugin);
          const client = await startHost(t, { ...started, env: { ...env, ...started.env } });
          const said = await client.read('name', host.meta?.(at(folder)));
          const what = `${title}, ${launch === host.plugin ? 'plugin, ' : ''}${folder}`;
          if (right) assert.equal(said, `${right}\n`, what);
          else assert.match(said, /^WORKSPACE_INVALID: .*--workspace DIR/, what);
          assert.equal(await client.end(), 0, what);
        }
      }
      assert.ok(!existsSync(at('home/.git/snapgen')) && !existsSync(at('home/.snapback')), 'no file was written to the home folder');
    });
  }
});
