// schemas/meta in an editor: the meta schemas are valid for a third-party validator, describe every property where VS
// Code shows it, and agree with the schema compiler about every schema file of the project.
//
// node --test meta.test.mjs     (skipped if ajv is not installed: npm ci in tests/clients)
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const clients = join(root, 'tests/clients');
const skip = existsSync(join(clients, 'node_modules/ajv')) ? false : 'ajv is not installed: npm ci in tests/clients';
const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const names = ['message.json', 'tool.json', 'profiles.json'];
const schemas = Object.fromEntries(names.map((name) => [name, read(join(root, 'schemas/meta', name))]));

function validators() {
  const Ajv = createRequire(join(clients, 'package.json'))('ajv/dist/2020').default;
  const ajv = new Ajv({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
  for (const name of names) ajv.addSchema(schemas[name], name);
  return Object.fromEntries(names.map((name) => [name, ajv.getSchema(name)]));
}

function* files(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== 'meta') yield* files(path);
    else if (entry.name.endsWith('.json')) yield path;
  }
}

// Resolves the $ref of a schema; the schema's own members take precedence.
function meant(schema, name) {
  if (!schema.$ref) return { schema, name };
  const [file, pointer] = schema.$ref.split('#');
  let found = schemas[file || name];
  for (const part of pointer.split('/').slice(1)) found = found[part];
  return { schema: { ...found, ...schema }, name: file || name };
}

// Yields every property below a schema: its path, and the schema that an editor shows.
function* properties(schema, name, path = '') {
  for (const [key, value] of Object.entries(schema.properties ?? {})) {
    const inner = meant(value, name);
    yield { path: `${path}/${key}`, schema: inner.schema };
    if (!value.$ref) yield* properties(value, name, `${path}/${key}`);
    if (value.items && !value.items.$ref) yield* properties(value.items, name, `${path}/${key}/*`);
  }
  for (const [key, value] of Object.entries(schema.$defs ?? {})) yield* properties(value, name, `${path}/$defs/${key}`);
  for (const each of schema.anyOf ?? []) yield* properties(each, name, path);
  if (typeof schema.additionalProperties === 'object') yield* properties(schema.additionalProperties, name, `${path}/*`);
}

test('the meta schemas are valid in strict mode', { skip }, () => {
  for (const [name, validate] of Object.entries(validators())) assert.equal(typeof validate, 'function', name);
});

test('every schema file is valid against the schema that it names', { skip }, () => {
  const validate = validators();
  let count = 0;
  for (const folder of ['schemas', 'tests/fixture/schemas', 'tests/codegen/golden', 'tests/command_tools/tools', 'tests/consumer/schemas']) {
    for (const path of files(join(root, folder))) {
      const file = read(path);
      const check = validate[file.$schema.split('/').pop()];
      assert.ok(check, `${path} names ${file.$schema}`);
      assert.ok(check(file), `${path}: ${JSON.stringify(check.errors)}`);
      ++count;
    }
  }
  assert.ok(count > 50);
});

test('an editor also finds the errors that the compiler finds within one file', { skip }, () => {
  const validate = validators();
  for (const name of ['unknown_keywords', 'refused_keywords', 'keyword_values', 'types'])
    assert.equal(validate['message.json'](read(join(root, 'tests/codegen/errors', `${name}.json`))), false, name);
  for (const name of ['tool_top', 'tool_extension', 'tool_name', 'tool_long_name', 'tool_description'])
    assert.equal(validate['tool.json'](read(join(root, 'tests/codegen/errors', `${name}.json`))), false, name);
  const tool = read(join(root, 'tests/command_tools/tools/text/text_count.json'));
  for (const run of [{}, { command: [] }, { command: 'ls' }, { command: ['ls'], environment: ['A=1'] }, { command: ['ls'], comand: 1 }])
    assert.equal(validate['tool.json']({ ...tool, 'x-snapgen': { family: 'text', run } }), false, JSON.stringify(run));
});

test('every property is described, and the properties of the extension have a title', () => {
  let count = 0;
  for (const name of names) {
    for (const { path, schema } of properties(schemas[name], name)) {
      assert.ok(schema.description, `${name}${path} has no description`);
      const extension = /x-snapgen\/[a-z_]+$/.test(path);
      if (extension) assert.ok(schema.title, `${name}${path} has no title`);
      ++count;
    }
  }
  assert.ok(count > 80);
});

test('every value of a choice is described', () => {
  let choices = 0;
  const walk = (node, path) => {
    if (Array.isArray(node)) return node.forEach((each, i) => walk(each, `${path}/${i}`));
    if (!node || typeof node !== 'object') return;
    assert.ok(!Array.isArray(node.enum), `${path}: an enum's values cannot be described; use anyOf with const`);
    if (Object.hasOwn(node, 'const')) {
      assert.ok(node.description, `${path}: ${node.const} has no description`);
      ++choices;
    }
    for (const [key, value] of Object.entries(node)) walk(value, `${path}/${key}`);
  };
  for (const name of names) walk(schemas[name], name);
  assert.ok(choices > 15);
});
