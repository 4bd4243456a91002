// Measures how long npm's code generators take for the schema of MCP, in this process and after one run to
// warm up:
//   node tests/bench/peers/schema_generators.mjs [SCHEMA]
// generate_structs_of_mcp in build/tests/bench/schema_bench is our generator with the same text. With SCHEMA
// and a generator's name it runs once, so that compiler.py can measure a whole process.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { compile } from 'json-schema-to-typescript';
import { FetchingJSONSchemaStore, InputData, JSONSchemaInput, quicktype } from 'quicktype-core';

const root = resolve(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '../../..');
const file = process.argv[2] ?? join(process.env.SNAPGEN_SHARED ?? join(root, '../shared'), 'mcp/schema/2026-07-28/schema.json');
const text = readFileSync(file, 'utf8');

// Without a root type, both generators ignore the definitions.
function all() {
  const schema = JSON.parse(text);
  const properties = Object.fromEntries(Object.keys(schema.$defs).map((name) => [name, { $ref: `#/$defs/${name}` }]));
  return { ...schema, type: 'object', properties };
}

const generators = {
  'json-schema-to-typescript': () => compile(all(), 'Mcp', { format: false }),
  'quicktype (C++)': async () => {
    const input = new JSONSchemaInput(new FetchingJSONSchemaStore());
    await input.addSource({ name: 'Mcp', schema: JSON.stringify(all()) });
    const inputData = new InputData();
    inputData.addInput(input);
    return quicktype({ inputData, lang: 'cpp' });
  },
};

const once = process.argv[3];
if (once) await generators[once]();
else for (const [name, generate] of Object.entries(generators)) {
  const times = [];
  let failed;
  for (let i = 0; i < 4 && !failed; ++i) {
    const start = process.cpuUsage();
    await generate().catch((error) => { failed = error; });
    const { user, system } = process.cpuUsage(start);
    if (i > 0) times.push((user + system) / 1000);
  }
  console.log(failed ? `${name}: fails: ${failed.message.split('\n')[0]}` : `${name}: ${Math.min(...times).toFixed(0)} ms of CPU`);
}
