// The service that "api" in .snapback/config.json names. Only snapback_analyze sends requests to it, and works
// without it. The service here is tests/fetch/misbehaving.py.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { facadeOf, facadeTools } from './facade.mjs';
import { openings } from './sdks.mjs';
import { repository, snapgen } from './servers.mjs';
import { sharedServer } from './shared_server.mjs';

const program = join(dirname(fileURLToPath(import.meta.url)), '../fetch/misbehaving.py');

// Returns the service's addresses without and with TLS.
const services = (t) => new Promise((resolve) => {
  const child = spawn('python3', ['-B', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => child.stdin.end());
  let said = '';
  child.stdout.on('data', (data) => {
    said += data;
    const [plain, tls] = said.trim().split(' ');
    if (said.endsWith('\n')) resolve({ plain: `http://127.0.0.1:${plain}`, tls: `https://127.0.0.1:${tls}` });
  });
});
const service = async (t) => (await services(t)).plain;
const counted = async (url, key) => (await (await fetch(`${url}/count/${key}`)).json()).answer;

const manifest = {
  dependencies: { 'left-pad': '^1.0.0', mine: 'git+ssh://git@example.org/mine.git#secret', plain: '2.0.0' },
};
const lock = {
  lockfileVersion: 3,
  packages: {
    '': manifest,
    'node_modules/left-pad': { version: '1.3.0', resolved: 'https://registry.npmjs.org/left-pad/-/left-pad-1.3.0.tgz', integrity: 'sha512-AAAA', license: 'MIT' },
    'node_modules/mine': { version: '1.0.0', resolved: 'git+ssh://git@example.org/mine.git#secret' },
    'node_modules/plain': { version: '2.0.0', resolved: 'https://registry.npmjs.org/plain/-/plain-2.0.0.tgz', integrity: 'sha512-BBBB', license: 'MIT' },
  },
};
const project = (t, config, create = repository) => {
  const folder = create(t, { 'package.json': JSON.stringify(manifest), 'package-lock.json': JSON.stringify(lock), 'a.txt': 'a\n' });
  mkdirSync(join(folder, '.snapback'));
  writeFileSync(join(folder, '.snapback/config.json'), JSON.stringify(config));
  return folder;
};
// Starts a server with these variables.
const startWith = (t, api, env = {}) => facadeTools(t, openings[0], project(t, { api }), { env });
const server = sharedServer(openings[0], { args: ['--profile', 'facade'], env: { ...process.env, SNAPBACK_TIER: 'pro' } });
const configuredWith = async (t, config) => {
  const folder = project(t, config, server.repository);
  return facadeOf(await server.connection(folder), folder);
};
const asking = (t, api) => configuredWith(t, { api });
const packages = { type: 'package' };

const verdicts = {
  packages: [
    { name: 'plain', findings: [{ code: 'CVE-2026-1', message: 'It runs what it is given.', severity: 'error' }], more: 1 },
    { name: 'left-pad', findings: [{ code: 'deprecated', message: 'Use padStart.', severity: 'info' }] },
    { name: 'never-asked', findings: [{ code: 'x', message: 'y', severity: 'error' }] },
  ],
};
const saying = (value) => `say/${Buffer.from(JSON.stringify(value)).toString('hex')}`;

test('without api.base_url no request is sent', async (t) => {
  const { ask } = await configuredWith(t, {});
  assert.equal((await ask('analyze', packages)).service, undefined);
});

test('findings of the service are marked, and merged with the local ones', async (t) => {
  const url = await service(t);
  const { answer } = await asking(t, { base_url: `${url}/${saying(verdicts)}` });
  const { data, summary } = await answer('analyze', packages);
  assert.deepEqual(data.service, { asked: true, base_url: `${url}/${saying(verdicts)}` });
  assert.equal(data.packages[0].name, 'plain', 'the most severe finding is the first');
  assert.deepEqual(data.packages[0].findings[0],
    { code: 'reported', message: 'It runs what it is given.', reported_as: 'CVE-2026-1', severity: 'error' });
  const leftPad = data.packages.find((one) => one.name === 'left-pad');
  assert.ok(leftPad.findings.some((one) => one.reported_as === 'deprecated'));
  assert.ok(leftPad.findings.some((one) => one.code === 'not_installed' && one.reported_as === undefined));
  assert.equal(data.packages.length, 3, 'only packages that are in files of the workspace');
  assert.match(summary, /1 error/);
});

test('the service receives only names and versions of packages from registries', async (t) => {
  const url = await service(t);
  const { ask } = await startWith(t, { base_url: `${url}/${saying({ packages: [] })}` },
    { SNAPBACK_API_TOKEN: 'sesame-0123456789', SNAPBACK_API_TOKEN_FOR: `${url}/` });
  assert.equal((await ask('analyze', packages)).service.asked, true);
  const { method, path, headers, body } = await (await fetch(`${url}/last`)).json();
  assert.equal(method, 'POST');
  assert.ok(path.endsWith('/v1/analysis/package'));
  assert.deepEqual(JSON.parse(body), {
    ecosystem: 'npm', packages: [{ name: 'left-pad', version: '1.3.0' }, { name: 'plain', version: '2.0.0' }],
  });
  assert.equal(headers.authorization, 'Bearer sesame-0123456789');
  assert.equal(headers.accept, 'application/json');
  assert.equal(headers['content-type'], 'application/json');
  assert.match(headers['user-agent'], /^snapgen\/\d/);
  assert.match(headers['x-correlation-id'], /^snapgen-[0-9a-f]{16}$/);
});

test('the token is sent only to the configured service, and never logged', async (t) => {
  const url = await service(t);
  for (const meant of [undefined, 'https://elsewhere.example', url.replace('127.0.0.1', 'localhost')]) {
    const env = { SNAPBACK_API_TOKEN: 'sesame-0123456789', ...(meant && { SNAPBACK_API_TOKEN_FOR: meant }) };
    const { folder, ask } = await startWith(t, { base_url: `${url}/${saying({ packages: [] })}` }, env);
    assert.equal((await ask('analyze', packages)).service.asked, true);
    assert.equal((await (await fetch(`${url}/last`)).json()).headers.authorization, undefined);
    const { said } = await stderrOf(folder, env);
    assert.match(said, /SNAPBACK_API_TOKEN is not sent: SNAPBACK_API_TOKEN_FOR must be http:/);
    assert.doesNotMatch(said, /sesame/);
  }
  const { folder, ask } = await startWith(t, { base_url: `${url}/status/500/9/logged`, retries: 0 },
    { SNAPBACK_API_TOKEN: 'sesame-0123456789', SNAPBACK_API_TOKEN_FOR: url });
  assert.equal((await ask('analyze', packages)).service.asked, false);
  for (const page of ['mcp', 'errors']) {
    let lines = '';
    try {
      lines = readFileSync(join(folder, `.snapback/logs/${page}.jsonl`), 'utf8');
    } catch { /* The file does not exist. */ }
    assert.doesNotMatch(lines, /sesame/);
  }
});

test('a TLS service needs a trusted certificate', async (t) => {
  const { plain, tls } = await services(t);
  const api = { base_url: `${tls}/${saying(verdicts)}` };
  const refused = (await (await asking(t, api)).ask('analyze', packages)).service;
  assert.equal(refused.asked, false);
  assert.match(refused.problem, /has no trusted certificate/);
  const { ask } = await startWith(t, api, { SSL_CERT_FILE: join(dirname(program), 'localhost.pem') });
  assert.equal((await ask('analyze', packages)).service.asked, true);
  assert.equal(await counted(plain, 'say'), 1);
});

test('if the service fails, local findings are returned with the reason', async (t) => {
  const url = await service(t);
  const { ask: alone } = await configuredWith(t, {});
  const expected = (await alone('analyze', packages)).packages;
  const cases = {
    silent: /did not answer in 1500 ms/, slow_body: /did not answer in 1500 ms/, reset_before: /closed the connection/, truncated: /closed the connection/,
    garbage: /does not speak HTTP/, bad_json: /does not match the expected schema/, wrong_type: /does not match the expected schema/,
    content_type: /content that is not JSON/, huge: /more than 4096 bytes/, endless: /more than 4096 bytes/, gzip: /encoding/,
    redirect: /redirect, which is not followed/, no_content: /without content/, 'status/503/99/a': /answered 503/,
    'status/401/99/a': /answered 401/, 'retry_after/429/3600/a': /answered 429/,
  };
  // The cases mostly wait, so all wait at the same time.
  await Promise.all(Object.entries(cases).map(async ([behaviour, problem]) => {
    const timeout_ms = /silent|slow/.test(behaviour) ? 1500 : 30_000;
    const { answer } = await asking(t, { base_url: `${url}/${behaviour}`, timeout_ms, answer_bytes_max: 4096 });
    const { data, summary } = await answer('analyze', packages);
    assert.equal(data.service.asked, false, behaviour);
    assert.match(data.service.problem, problem);
    assert.match(data.service.correlation_id, /^snapgen-/);
    assert.deepEqual(data.packages, expected);
    assert.match(summary, /Checked offline only: The service at /);
    if (behaviour.startsWith('retry_after')) assert.equal(data.service.retry_after_ms, 3_600_000);
  }));
});

test('a failing service is retried, and then not called for a while', async (t) => {
  const url = await service(t);
  const once = await asking(t, { base_url: `${url}/status/500/1/recovers` });
  const recovered = (await once.ask('analyze', packages)).service;
  assert.match(recovered.problem, /does not match the expected schema/, 'the service answers again, but not in the expected schema');
  assert.equal(await counted(url, 'recovers'), 2);
  const never = await asking(t, { base_url: `${url}/status/500/999/never`, retries: 1 });
  let problem = '';
  while (!/no request is sent until/.test(problem)) problem = (await never.ask('analyze', packages)).service.problem;
  const asked = await counted(url, 'never');
  assert.ok(asked >= 5 && asked <= 6, `the service received ${asked} requests`);
  const alone = (await never.ask('analyze', packages)).service;
  assert.ok(alone.retry_after_ms > 0);
  assert.equal(await counted(url, 'never'), asked);
});

test('the service has a separate rate limit, and local findings are returned above it', async (t) => {
  const url = await service(t);
  const { ask } = await startWith(t, { base_url: `${url}/${saying({ packages: [] })}` });
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask('analyze', packages)));
  assert.ok(answers.filter((one) => one.service.asked).length >= 10);
  const refused = answers.filter((one) => !one.service.asked);
  assert.ok(refused.length > 0);
  assert.match(refused[0].service.problem, /60 times a minute, 10 at once/);
  assert.ok(refused[0].service.retry_after_ms > 0);
  assert.ok(refused.every((one) => one.packages_total === 3));
});

test('no other call sends a request to the service', async (t) => {
  const url = await service(t);
  const { ask } = await asking(t, { base_url: `${url}/quiet` });
  const { task_id } = await ask('session', { op: 'start', task: 'local first' });
  assert.ok(task_id);
  await ask('learn', { type: 'pattern', trigger: 'a', action: 'b' });
  await ask('prepare_workspace');
  await ask('analyze', { type: 'risk' });
  await ask('session', { op: 'recommendations' });
  await ask('session', { op: 'stats' });
  await ask('snapshot_create');
  await ask('session', { op: 'end', outcome: 'completed' });
  assert.equal(await counted(url, 'quiet'), 0);
});

const stderrOf = (folder, env = {}) => new Promise((resolve) => {
  const { command, args } = snapgen(folder);
  const child = spawn(command, args, { stdio: ['pipe', 'ignore', 'pipe'], env: { ...process.env, ...env } });
  let said = '';
  child.stderr.on('data', (data) => { said += data; });
  child.on('close', (code) => resolve({ code, said }));
  child.stdin.end();
});

test('errors in the setting are reported at the start, with their location', async (t) => {
  const cases = [
    [{ base_url: 'http://api.example.org' }, /config\.json: \/api\/base_url: http is allowed only to this machine; use https\./],
    [{ base_url: 'https://user:pw@api.example.org' }, /\/api\/base_url: it must not contain a user or password/],
    [{ base_url: 'https://api.example.org?key=1' }, /\/api\/base_url: /],
    [{}, /\/api: .*base_url/],
    [{ base_url: 'https://api.example.org', timeout: 5 }, /\/api\/timeout: .*timeout_ms/],
    [{ base_url: 'https://api.example.org', timeout_ms: 1 }, /\/api\/timeout_ms: /],
    [{ base_url: 'https://api.example.org', token_env: 'AWS_SECRET_ACCESS_KEY' }, /\/api\/token_env: /],
    [{ base_url: 'https://api.example.org', token: 'sesame' }, /\/api\/token: unknown property/],
  ];
  for (const [api, expected] of cases) {
    const { code, said } = await stderrOf(project(t, { api }));
    assert.equal(code, 0);
    assert.match(said, expected);
  }
});
