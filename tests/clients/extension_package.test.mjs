// The archives of the extension: what they contain, their manifests, and that the same sources give the same bytes.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';

import { buildExtension } from './extension_browser.mjs';
import { remove } from './servers.mjs';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'snapgen-extension-package-'));
after(() => remove(folder));

function unpacked(archive) {
  const place = `${archive}.files`;
  execFileSync('python3', ['-m', 'zipfile', '-e', archive, place]);
  const names = readdirSync(place, { recursive: true, withFileTypes: true }).filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name).slice(place.length + 1));
  return { place, names, manifest: JSON.parse(readFileSync(join(place, 'manifest.json'), 'utf8')) };
}

test('each archive has what its manifest and its pages name, and asks for no more access than it needs', async () => {
  const { archive, firefox } = await buildExtension(folder);
  const made = [unpacked(archive), unpacked(firefox)];
  for (const { place, names, manifest } of made) {
    assert.deepEqual([manifest.manifest_version, manifest.version, manifest.permissions], [3, '1.2.3', ['scripting', 'storage']]);
    assert.deepEqual([manifest.host_permissions, manifest.optional_host_permissions], [undefined, ['http://*/*', 'https://*/*']]);
    assert.deepEqual([...new Set(manifest.content_scripts.flatMap((each) => each.matches))], ['https://snap.berkeley.edu/*']);
    const named = [
      ...Object.values(manifest.icons), manifest.action.default_popup, manifest.options_ui.page, manifest.background.service_worker ?? manifest.background.scripts[0],
      ...manifest.content_scripts.flatMap((each) => each.js),
    ];
    for (const name of names.filter((each) => /\.(html|js)$/.test(each)))
      for (const [, path] of readFileSync(join(place, name), 'utf8').matchAll(/(?:href="|src="|from ')(?:\.\/)?([\w./]+)["']/g))
        named.push(name.startsWith('client/') ? `client/${path}` : path);
    // Browsers read the license of no extension.
    assert.deepEqual([...new Set(named)].sort(), names.filter((each) => each !== 'LICENSE' && each !== 'manifest.json').sort());
  }
  const [chromium, other] = made.map((each) => each.manifest);
  assert.equal(chromium.browser_specific_settings, undefined);
  assert.deepEqual(other.background, { scripts: ['worker.js'], type: 'module' });
  assert.equal(other.minimum_chrome_version, undefined);
  assert.deepEqual(other.browser_specific_settings.gecko.data_collection_permissions, { required: ['websiteContent'] });
});

test('the same sources give the same bytes, with the version of the project and the time of SOURCE_DATE_EPOCH', () => {
  const types = join(resolve(process.env.SNAPGEN_BUILD ?? join(root, 'build')), 'typescript');
  const build = (name) => {
    const out = join(folder, name);
    execFileSync(process.execPath, [join(root, 'tools/bridge/extension/build.mjs'), out, '--types', types], { env: { ...process.env, SOURCE_DATE_EPOCH: '1700000001' } });
    return readdirSync(out).sort().map((each) => [each, readFileSync(join(out, each))]);
  };
  const first = build('first');
  assert.deepEqual(build('second'), first);
  const [, version] = /version : '([^']+)'/.exec(readFileSync(join(root, 'meson.build'), 'utf8'));
  assert.deepEqual(first.map(([name]) => name), [`snapgen-bridge-${version}.zip`, `snapgen-bridge-firefox-${version}.zip`]);
  const times = 'import sys, zipfile; print({each.date_time for each in zipfile.ZipFile(sys.argv[1]).infolist()})';
  assert.equal(execFileSync('python3', ['-c', times, join(folder, 'first', first[0][0])], { encoding: 'utf8' }), '{(2023, 11, 14, 22, 13, 20)}\n');
});

test('the build script shows how it is called, and reports missing types', () => {
  const run = (...words) => spawnSync(process.execPath, [join(root, 'tools/bridge/extension/build.mjs'), ...words], { encoding: 'utf8' });
  const usage = /^Usage: node build\.mjs FOLDER \[--version VERSION\] \[--types TYPES\]$/m;
  assert.match(run('--help').stdout, usage);
  for (const words of [[], [folder, '--version', 'new'], [folder, '--unknown'], [folder, folder]]) {
    const { status, stderr } = run(...words);
    assert.equal(status, 2);
    assert.match(stderr, usage);
  }
  const { status, stderr } = run(join(folder, 'none'), '--types', folder);
  assert.equal(status, 1);
  assert.match(stderr, /The generated types are missing: .* has no bridge\.d\.ts\./);
});
