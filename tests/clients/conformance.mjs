// Runs the official conformance suite against the fixture server over HTTP. `node conformance.mjs` prints the number
// of passed scenarios of each revision.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { startHttp } from './http.mjs';
import { fixture } from './servers.mjs';

const suite = join(import.meta.dirname, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

// The number of scored scenarios of each revision; the suite decides which are scored.
export const revisions = { '2025-11-25': 30, '2026-07-28': 37 };

// Returns {passed: [name], failed: [name], unscored: {passed, failed}, output}.
export async function conformance(revision) {
  const server = await startHttp(fixture);
  const folder = await mkdtemp(join(tmpdir(), 'conformance '));
  try {
    const words = [suite, 'server', '--url', server.url, '--requirements', revision, '-o', folder];
    const run = promisify(execFile)(process.execPath, words, { maxBuffer: 1 << 28 });
    const { stdout, stderr } = await run.catch((failed) => failed);
    const output = `${stdout}${stderr}`;
    const [summary, unscored = ''] = output.slice(output.lastIndexOf('=== SUMMARY ===')).split(/\nNot scored for /);
    const names = (text, mark) => [...text.matchAll(new RegExp(`^ *${mark} ([a-z0-9-]+)`, 'gm'))].map((match) => match[1]);
    const beside = { passed: names(unscored, '✓'), failed: names(unscored, '✗') };
    const counts = (name) => !beside.passed.includes(name) && !beside.failed.includes(name);
    return {
      passed: names(summary, '✓').filter(counts),
      failed: names(summary, '✗').filter(counts),
      unscored: beside,
      output,
    };
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) {
  for (const [revision, count] of Object.entries(revisions)) {
    const { passed, failed, unscored, output } = await conformance(revision);
    console.log(`${revision}: ${passed.length} of ${count} scenarios passed`);
    for (const name of failed) console.log(`  failed: ${name}`);
    console.log(`  not scored: ${unscored.passed.length} of ${unscored.passed.length + unscored.failed.length} passed`);
    for (const name of unscored.failed) console.log(`  not passed: ${name}`);
    if (passed.length !== count) {
      process.exitCode = 1;
      if (passed.length + failed.length === 0) console.log(output);
    }
  }
}
