// Runs one session of a host with the stand-in model, limits its time, and ends all processes that it started.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join, dirname } from 'node:path';

import { endOthers } from './isolation.mjs';
import { startModel } from './model.mjs';

// A session that takes longer is stuck; the slowest host needs a tenth of this time.
const session_max_ms = 180_000;

// The time limit for a command of the host, such as `plugin install`.
const command_max_ms = 60_000;

const environmentOf = (host, place) => ({
  HOME: place.home, PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`, PWD: place.cwd, LANG: 'C.UTF-8', TERM: 'dumb', TMPDIR: place.temporary,
  ...host.environment(place), ...place.environment,
});

// Runs `host` in `cwd`, with `server` (its command line) as its only MCP server or with none. Returns what the stand-in model played
// (model.mjs); its `error` says why the script stopped before its end. `log` is a path without an extension for the host's output and
// requests. `commands` run before the session, `words` are added to the host's arguments, and `environment` to its environment.
export async function runSession({ host, modules, home, temporary, cwd, server, script, prompt, log, commands = [], words = [], environment = {} }) {
  const model = await startModel({ host, script, log: `${log}.requests.jsonl` });
  const place = { home, temporary, cwd, prompt, server, url: model.url, environment };
  const [program, ...first] = host.program(modules);
  const output = openSync(`${log}.output.txt`, 'a');
  const start = (more) => spawn(program, [...first, ...more], { cwd, env: environmentOf(host, place), stdio: ['ignore', output, output], detached: true });
  // Waits for the end of a process, at most `max_ms`, and ends the processes that it left. Returns whether the time was up, how the process
  // ended, and the names of the processes that it left.
  const endOf = async (child, max_ms) => {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      endOthers({ atOnce: true });
    }, max_ms);
    const [code, signal] = await once(child, 'exit');
    clearTimeout(timer);
    return { late, how: signal ?? code, left: await endOthers() };
  };

  host.configure(place);
  for (const command of commands) {
    const { how } = await endOf(start(command), command_max_ms);
    if (how !== 0) throw new Error(`${host.title}: \`${command.join(' ')}\` ended with ${how}; its output is in ${log}.output.txt`);
  }
  const { late, how, left } = await endOf(start([...host.words(place), ...words]), session_max_ms);
  const played = model.close();
  if (late) played.error = new Error(`the session did not end within ${session_max_ms / 1000} s`);
  if (played.error) played.error.message += ` (the host ended with ${how}); its requests and output are in ${log}.*`;
  // A host may leave processes behind, but a server that outlives the host is an error.
  return { ...played, left: left.filter((name) => name === 'snapgen-server') };
}

export const logPath = (folder, name) => join(folder, name.replaceAll(/\W+/g, '-'));
