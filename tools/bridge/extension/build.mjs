// Builds the extension: one archive for Chromium and one for Firefox. The same sources and tsc give the same bytes: names
// are sorted, nothing is compressed, and the time of all files is SOURCE_DATE_EPOCH, or the earliest time of a zip
// archive, 1980.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { crc32 } from 'node:zlib';

const here = import.meta.dirname;
const root = resolve(here, '../../..');

// Files of the extension. The client's modules are added in client/.
const pages = /\.(css|html)$|^(options|page|popup|relay|settings|worker)\.js$/;
const earliest = Date.UTC(1980) / 1000;

// Returns the manifest of a browser. Firefox has no service workers for extensions, and needs an id; 140 is the first
// version that shows the user which data an extension passes on.
function manifest(version, firefox) {
  // A version has only numbers here: 1.0.0-rc1 is 1.0.0.
  const made = { ...JSON.parse(readFileSync(join(here, 'manifest.json'), 'utf8')), version: /^\d+(\.\d+){0,3}/.exec(version)[0] };
  if (firefox) {
    delete made.minimum_chrome_version;
    made.background = { scripts: [made.background.service_worker], type: 'module' };
    // Without this policy, Firefox would replace ws: by wss:.
    made.content_security_policy = { extension_pages: "script-src 'self'" };
    made.browser_specific_settings = {
      gecko: { id: 'bridge@snapgen', strict_min_version: '140.0', data_collection_permissions: { required: ['websiteContent'] } },
    };
  }
  return Buffer.from(`${JSON.stringify(made, null, 2)}\n`);
}

// Returns a zip archive with the files, which are [name, content] pairs.
function archive(files, seconds) {
  const date = new Date(Math.max(seconds, earliest) * 1000);
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  const day = ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const [name, content] of files.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const path = Buffer.from(name);
    // What both headers have in common: version 1.0, no flags, stored, time, CRC, sizes, no extra field.
    const common = Buffer.alloc(26);
    [10, 0, 0, time, day].forEach((value, i) => common.writeUInt16LE(value, 2 * i));
    [crc32(content), content.length, content.length].forEach((value, i) => common.writeUInt32LE(value, 10 + 4 * i));
    common.writeUInt16LE(path.length, 22);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(0o100644 * 0x10000, 6);  // The mode of a Unix file.
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), common, rest, path);
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), common, path, content);
    offset += 4 + common.length + path.length + content.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, ...directory, Buffer.from('PK\x05\x06', 'latin1'), end]);
}

// Returns the files besides the manifest; undefined if the client cannot be built, which its script reports.
function contents(types) {
  const folder = mkdtempSync(join(tmpdir(), 'snapgen-extension-'));
  try {
    const { status } = spawnSync(process.execPath, [join(here, '../client/build.mjs'), folder, types], { stdio: 'inherit' });
    if (status !== 0) return undefined;
    const found = (place, pattern, name) =>
      readdirSync(place).filter((each) => pattern.test(each)).map((each) => [name + each, readFileSync(join(place, each))]);
    return [
      ...found(here, pages, ''), ...found(join(here, 'icons'), /\.(png|svg)$/, 'icons/'), ...found(join(folder, 'dist'), /\.js$/, 'client/'),
      ['LICENSE', readFileSync(join(root, 'LICENSE'))],
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const usage = `Usage: node build.mjs FOLDER [--version VERSION] [--types TYPES]

Builds snapgen-bridge-VERSION.zip and snapgen-bridge-firefox-VERSION.zip in FOLDER. VERSION is by default the one in
meson.build. TYPES is the folder of the generated types; by default build/typescript, which ./dev build makes. tsc is
that of tests/clients, or else the one in PATH.`;

// Returns the values of the command line; undefined if it is wrong.
function commandLine() {
  const options = {
    help: { type: 'boolean', short: 'h' },
    version: { type: 'string', default: /version : '([^']+)'/.exec(readFileSync(join(root, 'meson.build'), 'utf8'))[1] },
    types: { type: 'string', default: join(root, 'build/typescript') },
  };
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    const right = values.help || (positionals.length === 1 && /^\d+(\.\d+)*/.test(values.version));
    return right ? { ...values, out: positionals[0] } : undefined;
  } catch {
    return undefined;
  }
}

const { help, version, types, out } = commandLine() ?? {};
if (help) {
  console.log(usage);
  process.exit(0);
}
if (!out) {
  console.error(usage);
  process.exit(2);
}
const files = contents(resolve(types));
if (files) {
  mkdirSync(out, { recursive: true });
  for (const [name, firefox] of [['snapgen-bridge', false], ['snapgen-bridge-firefox', true]])
    writeFileSync(join(out, `${name}-${version}.zip`), archive([...files, ['manifest.json', manifest(version, firefox)]], Number(process.env.SOURCE_DATE_EPOCH ?? 0)));
} else {
  process.exitCode = 1;
}
