// Compares the generated readers with ajv, and this server's with the checks for TypeScript, on random values: of every
// tool's input and output and of every message, of this server, the fixture and the golden schemas. The seed is printed; SNAPGEN_SEED repeats one.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { build, root } from './judge.mjs';
import { judge, schemaFiles } from './mutants.mjs';

const folders = ['schemas', 'tests/fixture/schemas', 'tests/codegen/golden'];

// Ajv computes with doubles, so numbers beyond their exact range are not compared.
function countable(value) {
  if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  return value === null || typeof value !== 'object' || Object.values(value).every(countable);
}

const assertsFormats = (files, path) => files.find((each) => each.path === path).schema['x-snapgen']?.formats === 'assert';
const at = (schema, pointer) =>
  pointer.split('/').slice(1).reduce((node, token) => node[token.replaceAll('~1', '/').replaceAll('~0', '~')], schema);

// Ajv ignores properties beside an `if`. If no other part of the schema describes the object, the simpler keyword is
// equivalent.
function close(schema) {
  const inParts = ['$ref', 'allOf', 'oneOf', 'anyOf'].some((keyword) => keyword in schema);
  schema[inParts ? 'unevaluatedProperties' : 'additionalProperties'] = false;
}

test('generated readers accept and reject the same values as ajv', async () => {
  const seed = Number(process.env.SNAPGEN_SEED ?? 1);
  const rounds = Number(process.env.SNAPGEN_CASES ?? 60);
  console.log(`SNAPGEN_SEED=${seed}`);
  const files = Object.fromEntries(folders.map((folder) => [folder, schemaFiles(join(root, folder))]));
  const fits = {};
  const child = spawn(join(build, 'tests/readers/reader_lines'), [seed, rounds], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((done, failed) => child.on('error', failed).on('close', done));
  const places = new Set();
  const checked = new Set();
  let compared = 0;
  let fitting = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const { file, pointer, type, value, fits: ours, closed } = JSON.parse(line);
    const folder = folders.find((each) => file.startsWith(`${each}/`));
    const path = file.slice(folder.length + 1, -'.json'.length);
    if (closed !== undefined) {
      close(at(files[folder].find((each) => each.path === path).schema, closed));
      continue;
    }
    fits[folder] ??= judge(files[folder]);
    // By default Ajv has no formats, and it ignores a schema for `__proto__`.
    if (line.includes('"__proto__":') || !countable(value) || assertsFormats(files[folder], path)) continue;
    const theirs = fits[folder](path, pointer.split('/').map(encodeURIComponent).join('/'), value);
    assert.equal(ours, theirs, `seed ${seed}: ajv says ${theirs} for ${type} (${file}#${pointer}) of ${JSON.stringify(value)}`);
    if (folder === 'schemas') {
      const name = `is${type.slice(type.lastIndexOf(':') + 1)}`;
      const checks = await import(pathToFileURL(join(build, `typescript/${path.slice(0, path.indexOf('/'))}.js`)));
      assert.equal(checks[name](value), ours, `seed ${seed}: ${name} of ${JSON.stringify(value)}`);
      checked.add(name);
    }
    ++compared;
    fitting += ours ? 1 : 0;
    places.add(file);
  }
  assert.equal(await ended, 0);
  for (const folder of folders)
    for (const { path } of files[folder])
      assert.ok(assertsFormats(files[folder], path) || places.has(`${folder}/${path}.json`), `${folder}/${path}.json was not tested`);
  assert.ok(fitting > compared / 4 && fitting < compared * 0.95, `${fitting} of ${compared} fit`);
  assert.ok(checked.size > 100, `${checked.size} types were checked`);
  console.log(`${compared} values of ${places.size} files, ${fitting} of them fit`);
});
