// Builds the npm package in a folder: the sources, the types and checks that were generated from the schemas, and tsc's output.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const here = import.meta.dirname;
const root = resolve(here, '../../..');

// Builds the package in `folder`. Returns a sentence about what is missing, or undefined.
function build(folder, types) {
  if (!existsSync(join(types, 'bridge.d.ts'))) return `The generated types are missing: ${types} has no bridge.d.ts. Run ./dev build, or name their folder as the second argument.`;
  for (const each of ['package.json', 'tsconfig.json', 'README.md', 'src']) cpSync(join(here, each), join(folder, each), { recursive: true });
  // The bridge's module and the modules that it imports.
  const wanted = ['bridge'];
  for (const name of wanted)
    for (const [, module] of readFileSync(join(types, `${name}.d.ts`), 'utf8').matchAll(/from "\.\/(\w+)\.js"/g)) if (!wanted.includes(module)) wanted.push(module);
  for (const place of ['src/types', 'dist/types']) {
    mkdirSync(join(folder, place), { recursive: true });
    for (const name of wanted)
      for (const file of [`${name}.d.ts`, `${name}.js`]) if (existsSync(join(types, file))) cpSync(join(types, file), join(folder, place, file));
  }
  const installed = join(root, 'tests/clients/node_modules/typescript/bin/tsc');
  const [program, ...words] = existsSync(installed) ? [process.execPath, installed] : ['tsc'];
  const { error, status } = spawnSync(program, [...words, '-p', folder], { stdio: 'inherit' });
  if (error) return 'TypeScript is missing: install tsc 5.0 or later in PATH, or run npm ci in tests/clients.';
  return status === 0 ? undefined : 'tsc has rejected the sources or the types; see above.';
}

const usage = `Usage: node build.mjs FOLDER [TYPES]

Builds the npm package snapgen-bridge in FOLDER. TYPES is the folder of the generated types; by default
build/typescript, which ./dev build makes. tsc is that of tests/clients, or else the one in PATH.`;

const words = process.argv.slice(2);
if (words.includes('--help') || words.includes('-h')) {
  console.log(usage);
  process.exit(0);
}
const [folder, types = join(root, 'build/typescript')] = words;
if (!folder || words.length > 2 || folder.startsWith('-')) {
  console.error(usage);
  process.exit(2);
}
// The folder is written only when everything else has succeeded.
const made = mkdtempSync(join(tmpdir(), 'snapgen-bridge-'));
try {
  const missing = build(made, resolve(types));
  if (missing) {
    console.error(missing);
    process.exitCode = 1;
  } else {
    cpSync(made, folder, { recursive: true });
  }
} finally {
  rmSync(made, { recursive: true, force: true });
}
