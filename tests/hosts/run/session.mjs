// Runs one session of a host with the stand-in model, limits its time, and ends all processes that it started.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join, dirname } from 'node:path';

import { endOthers } from './isolation.mjs';
import { startModel } from './model.mjs';

// A session that takes longer is stuck; the slowest host needs a tenth of this time.
const session_max_ms = 180_000;

// The time limit for a command of the host, such as `plugin install`.
const command_max_ms = 60_000;

const environmentOf = (place) => ({
  HOME: place.home, PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`, PWD: place.cwd, LANG: 'C.UTF-8', TERM: 'dumb', TMPDIR: place.temporary,
  ...place.host.environment(place), ...place.environment,
});

// Runs the host with these arguments, at most `max_ms`, and ends the processes that it left. Returns whether the time was up, how the host
// ended, and the names of the processes that it left.
async function run(place, words, max_ms) {
  const [program, ...first] = place.host.program(place.modules);
  const output = openSync(`${place.log}.output.txt`, 'a');
  const child = spawn(program, [...first, ...words], { cwd: place.cwd, env: environmentOf(place), stdio: ['ignore', output, output], detached: true });
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    endOthers({ atOnce: true });
  }, max_ms);
  const [code, signal] = await once(child, 'exit');
  clearTimeout(timer);
  closeSync(output);
  return { late, how: signal ?? code, left: await endOthers() };
}

// Runs commands of the host, such as `plugin install`, each of which must succeed. A function among them is called.
export async function runCommands(place, commands) {
  for (const command of commands) {
    if (typeof command === 'function') {
      command(place);
      continue;
    }
    const { how } = await run(place, command, command_max_ms);
    if (how !== 0) throw new Error(`${place.host.title}: \`${command.join(' ')}\` ended with ${how}; its output is in ${place.log}.output.txt`);
  }
}

// Runs `host` in `cwd`, with `server` (its command line) as its only MCP server or with none. Returns what the stand-in model played
// (model.mjs); its `error` says why the script stopped before its end. `log` is a path without an extension for the host's output and
// requests. `commands` run before the session, `words` are added to the host's arguments, and `environment` to its environment. `seconds` is
// the time from the first command to the result of the script's first call.
export async function runSession({ commands = [], words = [], ...session }) {
  const model = await startModel({ ...session, log: `${session.log}.requests.jsonl` });
  const place = { environment: {}, ...session, url: model.url };
  const { host } = session;
  host.configure(place);
  const begin = performance.now();
  await runCommands(place, commands);
  const { late, how, left } = await run(place, [...host.words(place), ...words], session_max_ms);
  const played = model.close();
  if (late) played.error = new Error(`the session did not end within ${session_max_ms / 1000} s`);
  if (played.error) played.error.message += ` (the host ended with ${how}); its requests and output are in ${session.log}.*`;
  const seconds = (played.entries.find((entry) => !entry.loads)?.at - begin) / 1000;
  // A host may leave processes behind, but a server that outlives the host is an error.
  return { ...played, seconds, left: left.filter((name) => name === 'snapgen-server') };
}

export const logPath = (folder, name) => join(folder, name.replaceAll(/\W+/g, '-'));
