// hosts.mjs --server PROGRAM [--update | --table | --record-before] [HOST…]
// Runs real hosts against the server, offline and with stand-in models, and compares what the models received with the golden files. ./dev
// hosts and ./dev bench hosts use it.
//   --update         writes the golden files and the transcripts
//   --table          compares nothing and prints the figures beside those of before.json
//   --record-before  compares nothing and writes before.json
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { figuresOf } from './figures.mjs';
import { goldenText } from './golden.mjs';
import { hosts } from './hosts/all.mjs';
import { jsonText, writeText } from './hosts/files.mjs';
import { install } from './install.mjs';
import { mount_point, namespaceFault, runIsolated } from './isolation.mjs';
import { unknownPayloads } from './payloads.mjs';
import { sessions } from './script.mjs';
import { logPath } from './session.mjs';
import { tableText } from './table.mjs';
import { transcriptOf } from './transcripts.mjs';

const root = resolve(import.meta.dirname, '../../..');
const build = join(root, 'build/hosts');
const before_file = join(import.meta.dirname, 'before.json');
// The slowest host needs a tenth of this time.
const run_max_ms = 30 * 60_000;

function fail(sentence) {
  console.error(`hosts: ${sentence}`);
  process.exit(1);
}

// Returns the difference between a text and the file that is checked in, or undefined. With --update it writes the file.
function difference(path, text) {
  if (options.update) writeText(path, text);
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return undefined;
  const actual = join(build, 'actual', relative(root, path));
  writeText(actual, text);
  if (!existsSync(path)) return `There is no ${relative(root, path)}; --update writes it.\n`;
  return spawnSync('git', ['diff', '--no-index', '--no-color', '--', path, actual], { encoding: 'utf8' }).stdout;
}

// Compares a host's run with its golden file and its transcript.
function differences(host, result, log) {
  const recordings = sessions.map(({ name }) => ({ name, path: `${logPath(log, name)}.recording.jsonl` })).filter(({ path }) => existsSync(path));
  return [
    difference(join(root, 'tests/hosts/golden', `${host.name}.txt`), goldenText(host, result)),
    difference(join(root, 'tests/clients/hosts/sessions', `${host.name}.jsonl`), transcriptOf(recordings, host.end)),
  ].filter(Boolean).join('');
}

// Returns a sentence for each form of a hook's payload that is not in tests/hosts/hooks/ yet, and writes the payload to a file.
function newPayloads(host, { payloads }) {
  return unknownPayloads(payloads, join(root, 'tests/hosts/hooks', host.form)).map(({ name, text }) => {
    const path = join(build, 'actual/tests/hosts/hooks', host.form, `${name}.json`);
    writeText(path, text);
    return `No file in tests/hosts/hooks/${host.form} has the members of ${relative(root, path)}: add it, and its event to events.txt.\n`;
  }).join('');
}

// Runs one host. Returns {skipped: reason}, {failed: reason} or {passed: figures}.
function run(host) {
  // Variants of a host share one installation.
  const folder = join(build, host.package.replaceAll('/', '+'));
  const missing = install(host, folder);
  if (missing) return { skipped: missing };
  const home = join(build, 'run', host.name);
  const log = join(home, 'log');
  rmSync(log, { recursive: true, force: true });
  const { status, signal } = runIsolated(home,
    [process.execPath, join(import.meta.dirname, 'run.mjs'), host.name, join(folder, 'node_modules'), resolve(options.server)],
    { stdio: ['ignore', 'inherit', 'inherit'], timeout: run_max_ms, killSignal: 'SIGKILL', env: { PATH: process.env.PATH } });
  if (status !== 0) return { failed: `the run ended with ${signal ?? status}; its logs are in ${relative(root, log)}` };
  const result = JSON.parse(readFileSync(join(log, 'result.json'), 'utf8'));
  const figures = figuresOf(result);
  const stopped = figures.stopped.join(' ');
  const compares = options.update || !(options.table || options['record-before']);
  const differs = compares ? differences(host, result, log) + newPayloads(host, result.history) : '';
  if (stopped || differs) return { failed: `${stopped}${differs && `\n${differs}`}` };
  return { passed: figures };
}

const { values: options, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { server: { type: 'string' }, update: { type: 'boolean' }, table: { type: 'boolean' }, 'record-before': { type: 'boolean' } },
});
const unknown = names.find((name) => !hosts.some((host) => host.name === name));
if (unknown) fail(`There is no host ${unknown}. Choose from ${hosts.map((host) => host.name).join(', ')}.`);
const wanted = names.length > 0 ? hosts.filter((host) => names.includes(host.name)) : hosts;
for (const path of [root, process.execPath, resolve(options.server)]) {
  if (path.startsWith(`${mount_point}/`)) fail(`${path} is below ${mount_point}, where the scratch home folders are mounted. Move it elsewhere.`);
}
const fault = namespaceFault(join(build, 'run/probe'));
if (fault) {
  fail(`Hosts only run in a network namespace without a route, and this system does not allow one: ${fault}. `
    + 'Run this as root, or allow unprivileged user namespaces.');
}

const counts = { passed: 0, failed: 0, skipped: 0 };
const figures = {};
for (const host of wanted) {
  const begin = Date.now();
  const outcome = run(host);
  const [state] = Object.keys(outcome);
  ++counts[state];
  if (outcome.passed) figures[host.name] = outcome.passed;
  console.error(`${host.title} ${host.version}: ${state} after ${Math.round((Date.now() - begin) / 1000)} s${outcome.passed ? '' : `: ${outcome[state]}`}`);
}
const before = existsSync(before_file) ? JSON.parse(readFileSync(before_file, 'utf8')) : { hosts: {} };
if (options['record-before']) {
  const server = execFileSync(resolve(options.server), ['--version'], { encoding: 'utf8' }).trim();
  writeText(before_file, jsonText({ recorded: new Date().toISOString().slice(0, 10), server, hosts: { ...before.hosts, ...figures } }));
}
if (options.table) console.log(tableText(wanted, before.hosts, figures));
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exit(counts.failed > 0 ? 1 : 0);
