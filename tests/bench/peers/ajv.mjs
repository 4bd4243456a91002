// Measures JSON.parse and Ajv with the texts of build/tests/bench/codegen_bench, and JSON.stringify with the
// larger one. Each printed line is a name and nanoseconds of CPU time, the best of 30 rounds: node
// tests/bench/peers/ajv.mjs
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020.js';

const root = resolve(import.meta.dirname, '../../..');
const golden = (path) => JSON.parse(readFileSync(join(root, 'tests/codegen/golden', path), 'utf8'));

const call = '{"mode":"start","task":"fix the auth bug","files":["src/auth.ts","src/session.ts"],"keywords":["jwt","token","login"],"compact":true}';
const { $schema: _, ...callSchema } = golden('types/small_call.json');
delete callSchema['x-snapgen'];
const tool = golden('tools/list_entries.json');
const messageSchema = { ...tool.outputSchema.oneOf[1], $defs: tool.$defs };
const message = JSON.stringify({
  cache_hint: 'until_dirty',
  entries: Array.from({ length: 100 }, (_, i) => ({
    path: `packages/server/src/components/administration/settings/part_${1000 + i}/integration/index.component.test.tsx`,
    size: 1000 + i,
    type: 'file',
  })),
  lease_id: 'lease',
});

function best(rounds, count, run) {
  const times = [];
  for (let round = 0; round < rounds; ++round) {
    const start = process.cpuUsage();
    for (let i = 0; i < count; ++i) if (!run()) throw new Error('the text does not fit');
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) * 1000 / count);
  }
  return Math.min(...times);
}

const ajv = new Ajv2020({ strict: false, useDefaults: true });
const callFits = ajv.compile(callSchema);
const messageFits = ajv.compile(messageSchema);
const value = JSON.parse(message);
console.log('bytes', Buffer.byteLength(message));
console.log('small_call', best(30, 100_000, () => callFits(JSON.parse(call))));
console.log('message', best(30, 1_000, () => messageFits(JSON.parse(message))));
console.log('stringify', best(30, 1_000, () => JSON.stringify(value).length > 0));
