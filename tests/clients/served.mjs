// A server whose answers a test reads, as text and as JSON.
import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { connect, openings } from './sdks.mjs';
import { repository, snapgen, trust, unprivileged } from './servers.mjs';

// Starts a server in a new repository. `text` calls a tool as a host that reads text does, and `json` as one that reads
// JSON. The latter has a separate server, which the first call of `json` starts, because most tests need none.
export async function served(t, files, { profile = 'full', tier = 'enterprise' } = {}) {
  const folder = repository(t, files);
  trust(folder);
  const server = unprivileged(snapgen(folder));
  const start = { ...server, args: [...server.args, '--profile', profile], env: { ...process.env, SNAPBACK_TIER: tier } };
  const { call: asText } = await connect(t, openings[0], start, 'claude-code');
  let readingJson;
  const asJson = async (...words) => (await (readingJson ??= connect(t, openings[0], start))).call(...words);
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
