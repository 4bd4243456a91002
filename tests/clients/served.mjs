// Servers whose answers a test reads, as text and as JSON. All tests of a file share them.
import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { openings } from './sdks.mjs';
import { trust, unprivileged } from './servers.mjs';
import { sharedFolder, sharedServer } from './shared_server.mjs';

const within = sharedFolder();
const servers = new Map();

// Returns the server with this profile and tier, for a client with this name.
const serverFor = (profile, tier, name) => {
  const key = [profile, tier, name].join();
  if (!servers.has(key)) {
    const env = { ...process.env, SNAPBACK_TIER: tier };
    servers.set(key, sharedServer(openings[0], { args: ['--profile', profile], env, name, within, started: unprivileged }));
  }
  return servers.get(key);
};

// Creates a repository. `text` calls a tool as a host that reads text does, and `json` as one that reads JSON, which is
// a client of a separate server.
export async function served(t, files, { profile = 'full', tier = 'enterprise' } = {}) {
  const folder = within.repository(t, files);
  trust(folder);
  const callAs = async (name, ...words) => (await serverFor(profile, tier, name).connection(folder)).call(...words);
  const asText = (...words) => callAs('claude-code', ...words);
  const asJson = (...words) => callAs(undefined, ...words);
  return {
    folder,
    text: async (name, args = {}) => (await asText(name, args)).content[0].text,
    json: async (name, args = {}) => JSON.parse((await asJson(name, args)).content[0].text),
    git: (...words) => execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    write: (path, content) => writeFileSync(join(folder, path), content),
    // Makes a file or folder unreadable until the test has ended.
    lock: (path) => chmodSync(join(folder, path), 0),
    unlock: (path) => chmodSync(join(folder, path), 0o755),
  };
}
