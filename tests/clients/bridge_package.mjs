// The npm package of SnapgenBridge, built from the sources and the generated types, and packed.
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const root = resolve(import.meta.dirname, '../..');
const build = resolve(process.env.SNAPGEN_BUILD ?? join(root, 'build'));
const run = promisify(execFile);

// Builds the package in `folder`. Returns the module and the archive that npm made.
export async function bridgePackage(folder) {
  await run(process.execPath, [join(root, 'tools/bridge/client/build.mjs'), folder, join(build, 'typescript')]);
  const { stdout } = await run('npm', ['pack', '--json', '--offline', '--no-update-notifier'], { cwd: folder });
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('[')));
  const module = await import(pathToFileURL(join(folder, 'dist/bridge.js')));
  return { ...module, folder, packed: { archive: join(folder, packed.filename), files: packed.files.map((each) => each.path).sort() } };
}
