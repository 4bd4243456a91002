// The import graph of the server, which `check` with mode `impact` reads, against the programs that own the rules: tsc,
// go and python3. The server resolves imports itself, because this mode runs no program.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { describe, test } from 'node:test';
import { isDeepStrictEqual, promisify } from 'node:util';

import { goLayouts } from './go_layouts.mjs';
import { pythonLayouts } from './python_layouts.mjs';
import { openings } from './sdks.mjs';
import { installed } from './servers.mjs';
import { sharedFolder, sharedServer } from './shared_server.mjs';
import { typescriptLayouts } from './typescript_layouts.mjs';

const run = promisify(execFile);
const within = sharedFolder();
const server = sharedServer(openings[0], { within, args: ['--profile', 'wire'], name: 'claude-code' });

const groups = { tsc: typescriptLayouts, go: goLayouts, python3: pythonLayouts };
const placed = Object.entries(groups).flatMap(([owner, layouts]) => layouts.map((layout, i) => ({ ...layout, owner, at: `${owner}${i}` })));

// Creates a repository in which each layout is a folder.
function write() {
  const files = { '.gitignore': 'node_modules\n' };
  for (const layout of placed)
    for (const [path, content] of Object.entries(layout.files)) files[`${layout.at}/${path}`] = content;
  const root = realpathSync(within.repository(within.suite, files));
  for (const { at, links = {} } of placed) {
    for (const [path, target] of Object.entries(links)) {
      mkdirSync(dirname(join(root, at, path)), { recursive: true });
      symlinkSync(target, join(root, at, path));
    }
  }
  return root;
}

// Returns for each layout the files that an edit of each of its files affects: [{ path, all, direct }]. One call names a
// file of each layout, because files of different layouts do not affect each other.
async function impactIn(root) {
  const { call } = await server.connection(root);
  const impact = Object.fromEntries(placed.map(({ at }) => [at, []]));
  const named = placed.map(({ at, files }) => ({ at, paths: Object.keys(files) }));
  for (let round = 0; named.some(({ paths }) => round < paths.length); ++round) {
    const asked = named.filter(({ paths }) => round < paths.length);
    const { content: [{ text }] } = await call('check', { mode: 'impact', files: asked.map(({ at, paths }) => `${at}/${paths[round]}`), limit: 500 });
    assert.doesNotMatch(text, / more: cursor /);
    const [, direct = 0] = /, (\d+) directly\./.exec(text) ?? [];
    const [, listed = ''] = /Affected, nearest first: (.*?)\.(?: |$)/.exec(text) ?? [];
    const affected = listed ? listed.split(', ') : [];
    for (const { at, paths } of asked) {
      const inside = (list) => list.filter((path) => path.startsWith(`${at}/`)).map((path) => path.slice(at.length + 1)).sort();
      impact[at].push({ path: paths[round], all: inside(affected), direct: inside(affected.slice(0, direct)) });
    }
  }
  return impact;
}

const start = async () => {
  const root = write();
  return { root, impact: await impactIn(root) };
};
let started;

// Compares what the owner of the rules, the server and the table answer for each layout.
async function compare(owner, askOwner, answerOf, column) {
  const { root, impact } = await (started ??= start());
  const layouts = placed.filter((layout) => layout.owner === owner).map((layout) => ({ ...layout, folder: join(root, layout.at) }));
  const owned = await askOwner(layouts);
  const differences = [];
  const expect = ({ name, at }, who, actual, table) => {
    if (!isDeepStrictEqual(actual, table)) differences.push({ name, at, [who]: actual, table });
  };
  for (const [i, layout] of layouts.entries()) {
    expect(layout, owner, owned[i], layout[column]);
    expect(layout, 'server', answerOf(impact[layout.at]), layout.server ?? layout[column]);
  }
  assert.deepEqual(differences, []);
}

// Calls ask(layout) for each layout, for as many at a time as the machine has processors.
const forEach = (ask) => async (layouts) => {
  const answers = [];
  const rest = [...layouts.entries()];
  const askInTurn = async () => {
    for (let next = rest.shift(); next; next = rest.shift()) answers[next[0]] = await ask(next[1]);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, askInTurn));
  return answers;
};

// The compiler itself: node_modules/.bin/tsc is a script that starts it.
const compiler = `@typescript/typescript-${process.platform}-${process.arch}`;
const tsc = join(dirname(createRequire(import.meta.url).resolve(`${compiler}/package.json`)), 'lib/tsc');

// Returns the edges that tsc resolves for the files that the projects name.
async function edgesOfTsc({ folder, projects = ['.'] }) {
  const edges = [];
  for (const project of projects) {
    const words = project.files ? ['--ignoreConfig', ...project.files] : ['-p', project];
    const options = ['--noLib', '--types', '', '--noEmit', '--traceResolution', '--explainFiles', '--listFilesOnly'];
    // tsc fails if a layout has an error, such as an import that it cannot resolve.
    const { stdout } = await run(tsc, [...words, ...options], { cwd: folder, env: { ...process.env, GOMAXPROCS: '1', GOGC: 'off' } }).catch((error) => error);
    const inside = (path) => relative(folder, join(path.startsWith('/') ? '/' : folder, path));
    const roots = new Set();
    const found = [];
    let importer, file;
    for (const line of stdout.split('\n')) {
      // A path that ends with a slash is that of a package which leads to another one.
      const resolving = /^=+ Resolving (?:module|type reference directive) '.*?'(?: from|, containing file) '(.*?[^/])'/.exec(line);
      const resolved = /^=+ (?:Module name|Type reference directive) '.*?' was successfully resolved to '(.*?)'/.exec(line);
      const referenced = /^   Referenced via '.*?' from file '(.*?)'/.exec(line);
      if (resolving) importer = inside(resolving[1]);
      if (resolved) found.push([importer, inside(resolved[1])]);
      if (/^[^ =]/.test(line)) file = inside(line);
      if (/^   (?:Matched by|Part of 'files' list|Root file)/.test(line)) roots.add(file);
      if (referenced) found.push([inside(referenced[1]), file]);
    }
    for (const [from, to] of found) if (roots.has(from)) edges.push(`${from} -> ${to}`);
  }
  return [...new Set(edges)].sort();
}

// Returns the files that go affects by the packages that it lists.
async function affectedByGo({ folder, root = '.', packages = ['./...'] }) {
  const env = { ...process.env, GOPROXY: 'off', GOFLAGS: '', GOWORK: '', GOTOOLCHAIN: 'local' };
  const { stdout } = await run('go', ['list', '-e', '-deps', '-json', ...packages], { cwd: join(folder, root), env });
  const listed = JSON.parse(`[${stdout.replaceAll(/^\}\n\{/gm, '},{')}]`).filter(({ Dir, Standard }) => Dir && !Standard);
  const byPath = new Map();
  for (const one of listed) {
    const paths = (key) => (one[key] ?? []).map((name) => relative(folder, join(one.Dir, name)));
    byPath.set(one.ImportPath, { code: paths('GoFiles'), tests: [...paths('TestGoFiles'), ...paths('XTestGoFiles')], imports: one.Imports ?? [], ofTests: [...(one.TestImports ?? []), ...(one.XTestImports ?? [])] });
  }
  const affected = [];
  for (const [name, { code, tests }] of byPath) {
    const reached = new Set([name]);
    const reachedTests = new Set();
    for (const each of reached)
      for (const [path, { imports, ofTests }] of byPath) {
        if (imports.includes(each)) reached.add(path);
        if (ofTests.includes(each)) reachedTests.add(path);
      }
    const files = [...reached].flatMap((path) => [...byPath.get(path).code, ...byPath.get(path).tests]);
    files.push(...[...reachedTests].flatMap((path) => byPath.get(path).tests));
    const others = (path, list) => [...new Set(list)].filter((each) => each !== path).sort();
    for (const path of code) affected.push([path, others(path, files)]);
    for (const path of tests) affected.push([path, others(path, tests)]);
  }
  return affected.filter(([, paths]) => paths.length > 0).map(([path, paths]) => `${path}: ${paths.join(' ')}`).sort();
}

async function edgesOfPython(layouts) {
  const asked = layouts.map(({ folder, path, run: modules }) => ({ folder, path, run: modules }));
  const { stdout } = await run('python3', ['-I', '-B', '-S', join(import.meta.dirname, 'executed_imports.py'), JSON.stringify(asked)]);
  return stdout.trim().split('\n').map((line) => JSON.parse(line));
}

const directEdges = (impact) => impact.flatMap(({ path, direct }) => direct.map((importer) => `${importer} -> ${path}`)).sort();
const affectedFiles = (impact) => impact.filter(({ all }) => all.length > 0).map(({ path, all }) => `${path}: ${all.join(' ')}`).sort();

describe('imports lead to the same files as for', () => {
  test('tsc', () => compare('tsc', forEach(edgesOfTsc), directEdges, 'edges'));

  test('go', { skip: !installed('go', 'version') && 'go is not installed' }, () => compare('go', forEach(affectedByGo), affectedFiles, 'affected'));

  test('python3', { skip: !installed('python3') && 'python3 is not installed' }, () => compare('python3', edgesOfPython, directEdges, 'edges'));
});
