// Installs a host from npm at its pinned version, without running any of its install scripts.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Returns the last line of npm's output that names the failure.
const reasonIn = (output) => output.split('\n').filter((line) => /^npm (error|ERR!)/.test(line) && !/log of this run/.test(line)).map((line) => line.replace(/^npm (error|ERR!) ?/, ''))
  .find((line) => /\s/.test(line)) ?? output.trim().split('\n').at(-1);

// Installs the host into node_modules in `folder`. Returns the reason why it could not, or undefined.
export function install(host, folder) {
  const wanted = `${host.package}@${host.version}`;
  const stamp = join(folder, 'installed.txt');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return undefined;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  console.error(`== installing ${wanted}`);
  const { status, error, stdout, stderr } = spawnSync('npm',
    ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--fetch-timeout=600000', wanted], { encoding: 'utf8' });
  if (status !== 0) return `npm install ${wanted}: ${error?.message ?? reasonIn(stderr + stdout)}`;
  writeFileSync(stamp, wanted);
  return undefined;
}
