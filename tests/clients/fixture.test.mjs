// Tests of the fixture server with the official SDKs as clients.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { connect, openings } from './sdks.mjs';
import { awkward, fixture } from './servers.mjs';

const text = (result) => result.content.map((block) => block.text).join('');

for (const opening of openings) {
  describe(`fixture server, ${opening.name}`, () => {
    test("connects and receives the server's name and version", async (t) => {
      const { client, errors } = await connect(t, opening, fixture);
      assert.equal(client.getServerVersion().name, 'fixture-server');
      assert.ok(client.getServerCapabilities().tools);
      if (client.getNegotiatedProtocolVersion) assert.equal(client.getNegotiatedProtocolVersion(), opening.revision);
      assert.deepEqual(errors, []);
    });

    test('lists tools, each with a name, a description and an object schema', async (t) => {
      const { list, errors } = await connect(t, opening, fixture);
      const tools = await list();
      assert.ok(tools.some((tool) => tool.name === 'echo'));
      for (const tool of tools) {
        assert.match(tool.name, /^[a-zA-Z0-9_-]{1,64}$/);
        assert.ok(tool.description, tool.name);
        assert.equal(tool.inputSchema.type, 'object', tool.name);
      }
      assert.deepEqual(errors, []);
    });

    test('a text is returned unchanged', async (t) => {
      const { call } = await connect(t, opening, fixture);
      const result = await call('echo', { text: awkward });
      assert.equal(text(result), awkward);
      assert.ok(!result.isError);
    });

    test('two megabytes of text are returned unchanged', async (t) => {
      const { call } = await connect(t, opening, fixture);
      const big = awkward.repeat(Math.ceil(2_000_000 / Buffer.byteLength(awkward)));
      assert.ok(text(await call('echo', { text: big })) === big, 'the returned text differs');
    });

    test('each of 200 concurrent calls receives the answer to its arguments', async (t) => {
      const { call } = await connect(t, opening, fixture);
      const words = Array.from({ length: 200 }, (_, i) => `${i} ${'x'.repeat(i * 7)}`);
      const answers = await Promise.all(words.map((word) => call('echo', { text: word })));
      assert.deepEqual(answers.map(text), words);
    });

    test('the failure of a tool is a result with isError', async (t) => {
      const { call } = await connect(t, opening, fixture);
      const result = await call('test_error_handling', {});
      assert.equal(result.isError, true);
      assert.ok(text(result).length > 0);
    });

    test('invalid arguments produce a result with isError that states the error', async (t) => {
      const { call } = await connect(t, opening, fixture);
      const result = await call('echo', { tekst: 'x' });
      assert.equal(result.isError, true);
      assert.match(text(result), /text/);
      assert.equal(result.structuredContent, undefined);
    });

    test('an unknown tool is a protocol error', async (t) => {
      const { call } = await connect(t, opening, fixture);
      await assert.rejects(call('no_such_tool', {}), { code: -32602 });
      assert.equal(text(await call('echo', { text: 'still there' })), 'still there');
    });

    test('receives progress notifications with increasing numbers', async (t) => {
      const { call, notifications } = await connect(t, opening, fixture);
      await call('test_tool_with_progress', {}, { onprogress() {} });
      // The SDKs remove the handler when they read the answer, and lose the notifications that arrived with it.
      const seen = notifications.filter(({ method }) => method === 'notifications/progress');
      assert.deepEqual(seen.map(({ params }) => params.progress), [0, 50, 100]);
      assert.ok(seen.every(({ params }) => params.total === 100));
    });

    test('cancels a running call, and the next one works', async (t) => {
      const { call, errors } = await connect(t, opening, fixture);
      const cancel = new AbortController();
      const seen = [];
      const onprogress = ({ progress }) => {
        seen.push(progress);
        cancel.abort(new Error('changed my mind')); // the call is running, because it has reported progress
      };
      const minutes = { duration_ms: 60_000, steps: 1000 };
      await assert.rejects(call('slow', minutes, { signal: cancel.signal, onprogress }));
      assert.equal(text(await call('echo', { text: 'and now' })), 'and now');
      // A longer call: a late notification of the cancelled call would arrive while it runs.
      await call('slow', { duration_ms: 200 });
      assert.deepEqual(seen, [1]);
      assert.deepEqual(errors, []);
    });
  });
}
