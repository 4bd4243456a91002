// One server for all tests of a suite, because a start takes longer than most calls. Each test works in a repository
// below the server's folder, which its calls name in `_meta`, as those of Codex do.
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

import { connect } from './sdks.mjs';
import { remove, repository, snapgen } from './servers.mjs';

// Returns the member `_meta` of a request that works in the folder.
const naming = (folder) => ({ 'x-codex-turn-metadata': { workspaces: { [folder]: {} } } });

// Call it in a suite, or in a file for all its tests. The first test that needs the server starts it. `args` and `env`
// are of its process, and `name` is the name that the client sends.
export function sharedServer(opening, { args = [], env = {}, name } = {}) {
  const hooks = [];
  const suite = { after: (hook) => hooks.unshift(hook) };
  after(async () => {
    for (const hook of hooks) await hook();
  });
  const start = async (cwd) => {
    const connected = await connect(suite, opening, { command: snapgen(cwd).command, args: ['--stdio', ...args], env, cwd }, name);
    const tools = await connected.list();
    // The first call decides to which folders the kernel confines the server.
    await connected.call(tools[0].name, {}, undefined, naming(cwd)).catch(() => {});
    return { ...connected, list: async () => tools };
  };
  let parent;
  let starting;
  const parentFolder = () => {
    if (!parent) {
      parent = mkdtempSync(join(tmpdir(), 'snapgen client test '));
      suite.after(() => remove(parent));
      mkdirSync(join(parent, '.snapback'));
    }
    return parent;
  };
  return {
    // Creates a repository with these files committed, for the test `t`.
    repository: (t, files) => repository(t, files, parentFolder()),
    // Returns the connection, as connect() does, with calls that work in the folder. Other requests need `_meta`.
    connection: async (folder) => {
      const connected = await (starting ??= start(parentFolder()));
      const _meta = naming(folder);
      return { ...connected, _meta, call: (tool, values, options) => connected.call(tool, values, options, _meta) };
    },
  };
}
