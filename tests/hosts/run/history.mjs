// Two sessions with the server and the hooks that `snap init` adds to the host. In the first, the model works with the server's tools, and
// then the host's own shell destroys the work. In the second, the model finds the command in the history and rewinds the workspace.
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { writeExecutable, writeText } from './hosts/files.mjs';
import { files, makeRepository } from './project.mjs';
import { received } from './received.mjs';
import { accidentOf, historySessions } from './script.mjs';
import { logPath, runSession } from './session.mjs';

// The time until the history lists a change, and the interval of the checks. The server records 0.7 s after the last change.
const recorded_max_ms = 20_000;
const poll_ms = 100;

// Adds the server and the hooks to the project. Both run `snap` through a script, which saves the JSON of each hook in `folder`.
function initialize({ host, project, home, snap, environment, folder }) {
  const run = (...words) => execFileSync(snap, words, { cwd: project, encoding: 'utf8', env: environment });
  const { written } = JSON.parse(run('init', '--host', host.form, '--hooks', '--yes', '--json'));
  const script = join(home, 'bin/snap');
  writeExecutable(script, `#!/bin/sh
if [ "$1" = hook ]; then
  file=$(mktemp '${folder}'/"$(date +%s%N)-\${3-}-XXXXXX")
  cat >"$file"
  exec '${snap}' "$@" <"$file"
fi
exec '${snap}' "$@"
`);
  for (const path of written.map((name) => join(project, name))) writeFileSync(path, readFileSync(path, 'utf8').replaceAll(snap, script));
  // The files name programs of one machine, so users do not commit them.
  writeText(join(project, '.git/info/exclude'), written.map((path) => `/${path}\n`).join(''));
}

// Returns what the hooks received, in their order.
const payloadsIn = (folder) => readdirSync(folder).sort().map((name) => {
  const text = readFileSync(join(folder, name), 'utf8');
  return { event: /^\d+-(.*)-\w+$/.exec(name)[1] || JSON.parse(text).hook_event_name, text };
});

// Returns the modes and contents of the files of the project, by path.
function contentsOf(project) {
  const paths = readdirSync(project, { recursive: true }).filter((path) => !/^\.(git|snapback)(\/|$)/.test(path));
  return Object.fromEntries(paths.map((path) => [path, lstatSync(join(project, path))]).filter(([, status]) => !status.isDirectory())
    .map(([path, { mode }]) => [path, `${mode} ${readFileSync(join(project, path), 'latin1')}`]));
}

// Waits until the latest recorded changes are these: {path: change}.
async function untilRecorded({ project, snap, environment }, changes) {
  for (let waited = 0; waited < recorded_max_ms; waited += poll_ms) {
    const { turns } = JSON.parse(execFileSync(snap, ['history', '--json'], { cwd: project, encoding: 'utf8', env: environment }));
    const latest = new Map();
    for (const { path, change } of turns.flatMap((turn) => turn.moments).flatMap((moment) => moment.changes)) {
      if (!latest.has(path)) latest.set(path, change);
    }
    if (Object.entries(changes).every(([path, change]) => latest.get(path) === change)) return;
    await setTimeout(poll_ms);
  }
  throw new Error(`the history does not list ${JSON.stringify(changes)}`);
}

// The host with the settings that let it run the server and the hooks of the project.
export const trusting = (host) => ({
  ...host,
  environment: (place) => ({ ...host.environment(place), ...host.trust?.environment }),
  words: (place) => [...host.words(place), ...(host.trust?.words ?? [])],
  configure(place) {
    host.configure(place);
    host.trust?.configure?.(place);
  },
});

// Returns sentences about what the user would miss.
function faultsOf(host, played, before, after) {
  const listed = played.flatMap((session) => session.entries).find((entry) => entry.step === 'what destroyed it' && !entry.loads)?.text ?? '';
  const missing = [historySessions[0].prompt, accidentOf(host)].filter((text) => !listed.includes(text));
  const differing = Object.keys({ ...before, ...after }).filter((path) => before[path] !== after[path]);
  return [
    ...missing.map((text) => `history_list does not name "${text}".`),
    ...(Object.keys(before).length === 0 ? ['The work was never recorded.'] : []),
    ...differing.map((path) => `${path} is not as it was before the accident.`),
  ];
}

// Runs both sessions. `faults` has sentences about what is missing after them, and `payloads` the JSON of the hooks: [{event, text}].
export async function runHistory({ host, place, server }) {
  const project = join(place.home, 'project');
  rmSync(project, { recursive: true, force: true });
  makeRepository(project, files);
  const folder = join(place.log, 'hooks');
  mkdirSync(folder);
  const at = { project, snap: join(dirname(server), 'snap'), environment: { HOME: place.home, PATH: process.env.PATH } };
  initialize({ host, home: place.home, folder, ...at });

  let before;
  const recorded = async (changes) => {
    await untilRecorded(at, changes);
    before ??= contentsOf(project);
  };
  const played = [];
  for (const { name, prompt, play } of historySessions) {
    const log = logPath(place.log, name);
    const hooks_before = payloadsIn(folder).length;
    const { first, entries, error, left } = await runSession({ host: trusting(host), ...place, cwd: project, script: play(host, recorded), prompt, log });
    if (!first) throw error;
    const events = payloadsIn(folder).slice(hooks_before).map(({ event }) => event);
    played.push({ name, prompt, entries: received(host, first, entries), error: error?.message, left, events });
    if (error) break;
  }
  return { sessions: played, faults: faultsOf(host, played, before ?? {}, contentsOf(project)), payloads: payloadsIn(folder) };
}
