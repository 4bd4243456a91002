// Compiles build/typescript with the strictest options of the compiler. Valid examples must match its types, and
// invalid examples must not. The same is tested of the checks at run time, which readers.test.mjs compares with the
// server's readers on random values.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import Ajv2020 from 'ajv/dist/2020.js';

import { examples, judge, mutate, schemaFiles } from './mutants.mjs';

const here = import.meta.dirname ?? new URL('.', import.meta.url).pathname;
const root = resolve(here, '../..');
const build = resolve(process.env.SNAPGEN_BUILD ?? join(root, 'build'));
const run = promisify(execFile);

function folder(t) {
  const made = mkdtempSync(join(tmpdir(), 'snapgen-types-'));
  t.after(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

// Returns the output of tsc for files that import from 'snapgen', as generated into `types`.
async function compile(directory, types, files, options = {}) {
  const config = {
    compilerOptions: {
      strict: true, noEmit: true, target: 'es2022', module: 'nodenext', skipLibCheck: false, types: [],
      noUncheckedIndexedAccess: true, paths: { snapgen: [join(types, 'snapgen.d.ts')] }, ...options,
    },
    files: [join(types, 'snapgen.d.ts'), ...files],
  };
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify(config));
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
  const tsc = join(here, 'node_modules/typescript/bin/tsc');
  return run(process.execPath, [tsc, '-p', directory], { maxBuffer: 1 << 26 }).then(() => '', ({ stdout, stderr }) => stdout + stderr);
}

async function generate(out, ...args) {
  await run(join(build, 'snapgen'), ['typescript', '--root', root, '--out', out, ...args]);
  return out;
}

const head = "import type { Messages, ToolInputs, ToolOutputs } from 'snapgen';\n";

// Writes a file with every example, and one with every invalid example under an @ts-expect-error.
function cases(files) {
  const fits = judge(files);
  const looksRight = judge(files.map((file) => ({ ...file, schema: sayable(file.schema) })));
  let good = head;
  let bad = head;
  let goods = 0;
  let bads = 0;
  for (const { path, pointer, type, value } of examples(files)) {
    assert.ok(fits(path, pointer, value), `${path}${pointer}: the example does not match its schema`);
    good += `export const good${goods++}: ${type} = ${JSON.stringify(value)};\n`;
    const seen = new Set();
    mutate(value, (what, mutant) => {
      const text = JSON.stringify(mutant);
      if (seen.has(text) || looksRight(path, pointer, mutant)) return;
      seen.add(text);
      bad += `// @ts-expect-error ${path}${pointer}: ${what}\nexport const bad${bads++}: ${type} = ${text};\n`;
    });
  }
  return { good, bad, goods, bads };
}

// Yields the files without keywords that no type can express.
const unsayable = new Set([
  'pattern', 'maxLength', 'minLength', 'format', 'if', 'then', 'else', 'dependentRequired', 'dependentSchemas', 'not', 'contains',
]);
// No type can express that at least one of several members is required.
const asksForOne = (key, value) => key === 'anyOf' && value.every((branch) => Object.keys(branch).join() === 'required');
function sayable(node, names = false) {
  if (Array.isArray(node)) return node.map((each) => sayable(each));
  if (!node || typeof node !== 'object') return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => names || !(unsayable.has(key) || asksForOne(key, value)))
      .map(([key, value]) => [key, sayable(value, !names && (key === 'properties' || key === '$defs'))]));
}

async function checkExamples(t, types, schemas) {
  const made = folder(t);
  const { good, bad, goods, bads } = cases(schemaFiles(schemas));
  assert.ok(goods > 0 && bads > 0, `${goods} valid examples, ${bads} invalid ones`);
  writeFileSync(join(made, 'good.ts'), good);
  writeFileSync(join(made, 'bad.ts'), bad);
  assert.equal(await compile(made, types, ['good.ts', 'bad.ts']), '');
  t.diagnostic(`${goods} valid examples compile, ${bads} invalid ones do not`);
}

describe('generated TypeScript', () => {
  const types = join(build, 'typescript');

  test('compiles with strict and all further checks', async (t) => {
    const options = { exactOptionalPropertyTypes: true, noPropertyAccessFromIndexSignature: true, isolatedModules: true, verbatimModuleSyntax: true };
    assert.equal(await compile(folder(t), types, [], options), '');
  });

  test('compiles with the module resolution of bundlers and of old Node', async (t) => {
    assert.equal(await compile(folder(t), types, [], { module: 'esnext', moduleResolution: 'bundler' }), '');
    assert.equal(await compile(folder(t), types, [], { module: 'node16' }), '');
  });

  test('accepts correct uses of its types, and rejects wrong ones', async (t) => {
    const made = folder(t);
    writeFileSync(join(made, 'usage.ts'), readFileSync(join(here, 'types/usage.ts')));
    assert.equal(await compile(made, types, ['usage.ts']), '');
  });

  test('accepts every example of every schema file, and rejects invalid variants', (t) => checkExamples(t, types, join(root, 'schemas')));

  test('accepts the examples of a second server, and rejects invalid variants', async (t) => {
    const made = await generate(folder(t), '--schemas', 'tests/fixture/schemas', '--namespace', 'fixture');
    await checkExamples(t, made, join(root, 'tests/fixture/schemas'));
  });

  test('accepts the examples of the golden schemas, and rejects invalid variants', async (t) => {
    const made = await generate(folder(t), '--schemas', 'tests/codegen/golden', '--namespace', 'golden');
    await checkExamples(t, made, join(root, 'tests/codegen/golden'));
  });

  test('checks messages of the bridge at run time as Ajv does', async (t) => {
    const module = await import(pathToFileURL(join(types, 'bridge.js')));
    const { InvalidValue } = module;
    const bundle = JSON.parse(readFileSync(join(types, 'bridge.schema.json'), 'utf8'));
    assert.deepEqual(bundle, module.bridgeSchemas);
    const ajv = new Ajv2020();
    ajv.addSchema(bundle);
    const files = schemaFiles(join(root, 'schemas')).filter(({ path, schema }) => path.startsWith('bridge/') && !schema.inputSchema);
    const fits = judge(schemaFiles(join(root, 'schemas')));
    const names = new Map([...readFileSync(join(types, 'snapgen.d.ts'), 'utf8').matchAll(/^ {2}"(bridge\/\w+)": (\w+);$/gm)].map(([, path, name]) => [path, name]));
    const counts = { good: 0, bad: 0 };
    for (const { path, pointer, value } of examples(files).filter((each) => each.pointer === '')) {
      const name = names.get(path);
      const check = (what, each) => {
        const wanted = fits(path, pointer, each);
        assert.equal(ajv.getSchema(`${bundle.$id}#/$defs/${name}`)(each), wanted, `Ajv, the bundle's ${name}, ${what}`);
        assert.equal(module[`is${name}`](each), wanted, `is${name}, ${what}`);
        const parse = () => module[`parse${name}`](JSON.stringify(each));
        if (wanted) assert.deepEqual(parse(), each);
        else assert.throws(parse, (error) => error instanceof InvalidValue && error.message === `${name}${error.pointer}: ${error.problem}`, what);
        ++counts[wanted ? 'good' : 'bad'];
      };
      check('an example', value);
      mutate(value, check);
    }
    assert.ok(counts.good > 100 && counts.bad > 100, JSON.stringify(counts));
    t.diagnostic(`${counts.good} valid messages, ${counts.bad} invalid ones`);
  });

  test('has schemas that Ajv reads without options, and without a warning', () => {
    const bundles = readdirSync(types).filter((name) => name.endsWith('.schema.json'));
    assert.ok(bundles.includes('mcp.schema.json') && bundles.includes('wire.schema.json'));
    for (const name of bundles) {
      const said = [];
      const note = (text) => said.push(`${name}: ${text}`);
      const ajv = new Ajv2020({ logger: { log: note, warn: note, error: note } });
      const bundle = JSON.parse(readFileSync(join(types, name), 'utf8'));
      ajv.addSchema(bundle);
      for (const type of Object.keys(bundle.$defs)) assert.ok(ajv.getSchema(`${bundle.$id}#/$defs/${type}`), `${name}: ${type}`);
      assert.deepEqual(said, []);
    }
  });

  test('explains at run time what is wrong', async () => {
    const { isBridgeServerMessage, parseBridgeBrowserMessage, parseBridgeServerMessage, parseReadProjectResult } = await import(pathToFileURL(join(types, 'bridge.js')));
    const says = (parse, value, sentence) => assert.throws(() => parse(JSON.stringify(value)), { message: sentence });
    const command = (payload) => ({ type: 'command', command: 'create_blocks', message_id: 'm', payload });
    const block = (more) => command({ scripts: [{ blocks: [{ block_id: 'a', opcode: 'b', ...more }] }] });
    says(parseReadProjectResult, {}, 'ReadProjectResult/project: is missing');
    says(parseBridgeBrowserMessage, { type: 'connect', version: 1, token: 't' }, 'BridgeBrowserMessage/version: must be string');
    says(parseBridgeBrowserMessage, { type: 'pingpong' }, 'BridgeBrowserMessage/type: must be "connect" or "reconnect" or "ping" or "pong" or "disconnect" or "response" or "event"');
    says(parseBridgeServerMessage, [], 'BridgeServerMessage: must be object');
    says(parseBridgeServerMessage, command({ scripts: [] }), 'BridgeServerMessage/payload/scripts: must have at least 1 item');
    says(parseBridgeServerMessage, block({ colour: 'red' }), 'BridgeServerMessage/payload/scripts/0/blocks/0/colour: is not a known member');
    says(parseBridgeServerMessage, block({ inputs: { 'A/B': { operation: '+', operands: [1, { opcode: 2 }] } } }),
      'BridgeServerMessage/payload/scripts/0/blocks/0/inputs/A~1B/operands/1/opcode: must be string');
    assert.throws(() => parseBridgeServerMessage('{'), SyntaxError);
    // Nested alternatives take time in proportion to their depth.
    let deep = { opcode: 1 };
    for (let i = 0; i < 60; ++i) deep = { opcode: 'a', inputs: { A: deep } };
    assert.equal(isBridgeServerMessage(block({ inputs: { A: deep } })), false);
    says(parseBridgeServerMessage, block({ inputs: { A: deep } }), /opcode: must be string$/);
  });

  test('makes the SDK\'s client a CallTool, as docs/tools.md shows', async (t) => {
    const made = folder(t);
    const [, code] = /```ts\n([^]*?)```/.exec(readFileSync(join(root, 'docs/tools.md'), 'utf8'));
    symlinkSync(types, join(made, 'typescript'));
    symlinkSync(join(here, 'node_modules'), join(made, 'node_modules'));
    writeFileSync(join(made, 'adapter.ts'), `${code}
      declare const client: Client;
      export const read = async () => {
        const answer = await callToolOf(client)('bridge_read_project', { detail_level: 'summary' });
        return answer.status === 'success' ? answer.payload.project.name : answer.error.code;
      };`);
    assert.equal(await compile(made, types, ['adapter.ts'], { skipLibCheck: true }), '');
  });

  test('is generated with the same bytes every time', async (t) => {
    const args = ['--schemas', 'schemas', '--namespace', 'snapgen::tools', '--namespace', 'schemas/mcp=snapgen::mcp'];
    const made = await generate(folder(t), ...args);
    for (const each of ['snapgen.d.ts', 'json.d.ts', 'common.d.ts', 'substrate.d.ts', 'mcp.d.ts', 'bridge.js', 'bridge.schema.json', 'validate.js'])
      assert.equal(readFileSync(join(made, each), 'utf8'), readFileSync(join(types, each), 'utf8'), each);
  });
});
