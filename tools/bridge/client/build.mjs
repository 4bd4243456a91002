// Builds the npm package in a folder: the sources, the types that were generated from the schemas, and tsc's output for both.
//
//   node build.mjs FOLDER [TYPES [TSC]]
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const here = import.meta.dirname;
const root = resolve(here, '../../..');
const [folder, types = join(root, 'build/typescript'), tsc = join(root, 'tests/clients/node_modules/typescript/bin/tsc')] = process.argv.slice(2);
if (!folder) {
  console.error('usage: node build.mjs FOLDER [TYPES [TSC]]');
  process.exit(2);
}
for (const each of ['package.json', 'tsconfig.json', 'README.md', 'src']) cpSync(join(here, each), join(folder, each), { recursive: true });

// The bridge's module and the modules that it imports.
const wanted = ['bridge.d.ts'];
for (const name of wanted) {
  const text = readFileSync(join(types, name), 'utf8');
  for (const [, module] of text.matchAll(/from "\.\/(\w+)\.js"/g)) if (!wanted.includes(`${module}.d.ts`)) wanted.push(`${module}.d.ts`);
}
for (const place of ['src/types', 'dist/types']) {
  mkdirSync(join(folder, place), { recursive: true });
  for (const name of wanted) cpSync(join(types, name), join(folder, place, name));
}
execFileSync(process.execPath, [tsc, '-p', folder], { stdio: 'inherit' });
