// Tests of snapgen-server on a real repository with the official SDKs as clients. The SDKs validate every structured
// result against the output schema that the server published.
import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { Ajv2020 } from 'ajv/dist/2020.js';

import { openings } from './sdks.mjs';
import { awkward } from './servers.mjs';
import { sharedServer } from './shared_server.mjs';

const files = { 'README.md': `# Notes\n\n${awkward.replaceAll('\0', '')}\n`, 'src/one.txt': 'one\ntwo\nthree\n' };
const error = (result) => JSON.parse(result.content[0].text).error;

for (const opening of openings) {
  describe(`snapgen-server, ${opening.name}`, () => {
    const server = sharedServer(opening); // It has listed the tools: the SDKs validate only against schemas that they have listed.
    const start = async (t) => {
      const folder = server.repository(t, files);
      return { folder, ...(await server.connection(folder)) };
    };

    test('lists tools whose schemas a strict validator accepts', async (t) => {
      const { list, errors } = await start(t);
      const tools = await list();
      const validator = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, validateFormats: false });
      for (const tool of tools) {
        validator.compile(tool.inputSchema);
        if (tool.outputSchema) validator.compile(tool.outputSchema);
      }
      assert.deepEqual(errors, []);
    });

    test('reads the work tree, takes a snapshot and reads that', async (t) => {
      const { folder, call, errors } = await start(t);
      const listed = (await call('snapshot_list', { recursive: true })).structuredContent;
      const paths = listed.entries.map((entry) => entry.path);
      assert.ok(paths.includes('README.md') && paths.includes('src/one.txt'), String(paths));

      const lease = { lease_id: listed.lease_id };
      const found = (await call('snapshot_grep', { pattern: 't[wh]', ...lease })).structuredContent;
      assert.deepEqual(
        found.matches.filter((match) => match.path === 'src/one.txt').map((match) => [match.line, match.text]),
        [[2, 'two'], [3, 'three']],
      );
      const read = await call('snapshot_file', { path: 'README.md', ...lease });
      assert.equal(read.structuredContent.content, files['README.md']);
      assert.deepEqual(JSON.parse(read.content[0].text), read.structuredContent);

      const made = (await call('snapshot_create', lease)).structuredContent;
      assert.match(made.snapshot_id, /^sha256:[0-9a-f]{64}$/);
      appendFileSync(join(folder, 'README.md'), 'more\n');
      const kept = { mode: 'snapshot', snapshot_id: made.snapshot_id };
      const then = (await call('snapshot_file', { path: 'README.md', ...kept })).structuredContent;
      assert.equal(then.content, files['README.md']);
      assert.equal(then.cache_hint, 'immutable');
      const info = (await call('snapshot_info', { snapshot_id: made.snapshot_id })).structuredContent;
      assert.deepEqual(info.fingerprint, made.fingerprint);
      assert.deepEqual(errors, []);
    });

    test('rejects a lease that an edit has made stale', async (t) => {
      const { folder, call } = await start(t);
      const first = (await call('snapshot_file', { path: 'src/one.txt' })).structuredContent;
      appendFileSync(join(folder, 'src/one.txt'), 'four\n');
      const refused = await call('snapshot_file', { path: 'src/one.txt', lease_id: first.lease_id });
      assert.equal(refused.isError, true);
      assert.equal(refused.structuredContent, undefined);
      assert.equal(error(refused).code, 'STALE_LEASE');
      assert.ok(error(refused).details.fingerprint.status_hash);
      const again = (await call('snapshot_file', { path: 'src/one.txt' })).structuredContent;
      assert.equal(again.content, 'one\ntwo\nthree\nfour\n');
    });

    test('a call that fails is a result with isError, a code and a sentence', async (t) => {
      const { call } = await start(t);
      const absent = await call('snapshot_file', { path: 'no/such/file' });
      assert.equal(absent.isError, true);
      assert.equal(error(absent).code, 'NOT_FOUND');
      const misspelt = await call('snapshot_file', { pth: 'README.md' });
      assert.equal(error(misspelt).code, 'INVALID_ARGUMENT');
      assert.match(misspelt.content[0].text, /path/);
      const outside = await call('snapshot_file', { path: '../secret' });
      assert.equal(outside.isError, true);
    });

    test('an unknown tool is a protocol error', async (t) => {
      const { call } = await start(t);
      await assert.rejects(call('no_such_tool', {}), { code: -32602 });
    });

    test('cancels a call, and the next one works', async (t) => {
      const { call } = await start(t);
      const cancel = new AbortController();
      const running = call('snapshot_grep', { pattern: '.' }, { signal: cancel.signal });
      cancel.abort(new Error('changed my mind'));
      await assert.rejects(running);
      assert.ok((await call('snapshot_list', {})).structuredContent.entries.length > 0);
    });
  });
}
