// Runs our validators from JavaScript: interpreted by schema_judge, or generated and compiled.
import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const here = import.meta.dirname ?? new URL('.', import.meta.url).pathname;
export const root = resolve(here, '../..');
export const build = resolve(process.env.SNAPGEN_BUILD ?? join(root, 'build'));
const run = promisify(execFile);

// Returns for each {schema, values} a list of booleans, or a string with the error in the schema.
export async function judge(cases) {
  const child = spawn(join(build, 'tests/schema_suite/schema_judge'), { stdio: ['pipe', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => { text += chunk; });
  const closed = new Promise((done, failed) => child.on('error', failed).on('close', done));
  for (const each of cases) child.stdin.write(JSON.stringify(each) + '\n');
  child.stdin.end();
  const code = await closed;
  if (code !== 0) throw new Error(`schema_judge ended with ${code}`);
  return text.trimEnd().split('\n').map((line) => (line.startsWith('!') ? line.slice(1) : JSON.parse(line)));
}

const compiler = process.env.CXX?.split(' ').at(-1) ?? 'g++';
const strictly = ['-std=c++20', '-O0', '-Wall', '-Wextra', '-Wpedantic', '-Wno-missing-field-initializers', '-Werror', '-fsyntax-only'];

// Runs snapgen structs and returns the text of the header. Each of `compilers` compiles the output, with warnings as
// errors.
export async function generateStructs(out, folder, file, compilers = []) {
  const { stdout } = await run(join(build, 'snapgen'), ['structs', '--root', folder, '--out', out, '--namespace', 'elsewhere', file]);
  const [source, header] = stdout.trim().split('\n').sort();
  for (const each of compilers) await run(each, [...strictly, '-I', root, '-I', out, join(out, source)], { maxBuffer: 1 << 26 });
  return readFileSync(join(out, header), 'utf8');
}

// Runs snapgen validators and compiles the output as C++, with warnings as errors.
export async function compileValidators(out, folder, file, ...options) {
  const { stdout } = await run(join(build, 'snapgen'),
    ['validators', '--root', folder, '--out', out, '--namespace', 'elsewhere', ...options, file]);
  const sources = stdout.trim().split('\n').filter((name) => name.endsWith('.cc'));
  for (const source of sources) {
    await run(compiler, [...strictly, '-I', root, '-I', out, join(out, source)], { maxBuffer: 1 << 26 });
  }
  return sources;
}
