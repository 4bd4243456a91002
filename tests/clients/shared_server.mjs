// One server for all tests of a suite, because a start takes longer than most calls. Each test works in a repository
// below the server's folder, which its calls name in `_meta`, as those of Codex do.
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

import { connect } from './sdks.mjs';
import { remove, repository, snapgen } from './servers.mjs';

// Returns the member `_meta` of a request that works in the folder.
export const naming = (folder) => ({ 'x-codex-turn-metadata': { workspaces: { [folder]: {} } } });

// A folder for the repositories of all tests of a suite, or of a file if it is called outside of suites. `suite` has the
// method after() for what must end before the folder is deleted.
export function sharedFolder() {
  const hooks = [];
  const suite = { after: (hook) => hooks.unshift(hook) };
  after(async () => {
    for (const hook of hooks) await hook();
  });
  let folder;
  const path = () => {
    if (!folder) {
      folder = mkdtempSync(join(tmpdir(), 'snapgen client test '));
      suite.after(() => remove(folder));
      mkdirSync(join(folder, '.snapback'));
    }
    return folder;
  };
  return { suite, path, repository: (t, files) => repository(t, files, path()) };
}

// Prepares a server that the first test needing it starts. `start(suite, cwd)` starts it in the folder `cwd` and makes
// its first call, which works there: it decides to which folders the kernel confines the server. `repository` creates a
// repository with these files committed for the test `t`. `connection` returns what `start` did, and the `_meta` of the
// requests that work in a folder.
export function sharedStart(start, within = sharedFolder()) {
  let starting;
  return {
    repository: within.repository,
    connection: async (folder) => ({ ...(await (starting ??= start(within.suite, within.path()))), _meta: naming(folder) }),
  };
}

// A server with an SDK as its client. `args` and `env` are of its process, and `name` is the name that the client sends.
// `started` changes how it is started. `connection` returns what connect() does, with calls that work in the folder.
// Other requests need `_meta`.
export function sharedServer(opening, { args = [], env = {}, name, within, started = (server) => server } = {}) {
  const shared = sharedStart(async (suite, cwd) => {
    const server = started({ command: snapgen(cwd).command, args: ['--stdio', ...args] });
    const connected = await connect(suite, opening, { ...server, env, cwd }, name);
    const tools = await connected.list();
    await connected.call(tools[0].name, {}, undefined, naming(cwd)).catch(() => {});
    return { ...connected, list: async () => tools };
  }, within);
  const connection = async (folder) => {
    const connected = await shared.connection(folder);
    return { ...connected, call: (tool, values, options) => connected.call(tool, values, options, connected._meta) };
  };
  return { ...shared, connection };
}
