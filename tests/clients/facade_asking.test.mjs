// Questions of the facade to its client: a model extracts learnings, and a person confirms a restore. The messages are
// handwritten, so that one test covers both eras of the protocol.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { everything, modern, sharedAsked } from './asked.mjs';
import { logged } from './facade.mjs';

const distilled = (learnings) => (params) => {
  assert.equal(params.tools[0].name, '__schema__');
  return {
    role: 'assistant', model: 'toy', stopReason: 'toolUse',
    content: [{ type: 'tool_use', id: 'one', name: '__schema__', input: { learnings } }],
  };
};

for (const era of ['2025-11-25', modern]) {
  describe(`questions of the facade, ${era}`, () => {
    const start = sharedAsked(era, everything);
    const startUnable = sharedAsked(era, {});

    test('the host\'s model extracts learnings from a text', async (t) => {
      let asked;
      const answer = distilled([{ type: 'pitfall', trigger: 'the cache is cold', action: 'warm it first' }]);
      const { call } = await start(t, { 'sampling/createMessage': (params) => answer(asked = params) });
      const { structuredContent: { data } } = await call('snapback_learn', { distill: 'We lost an hour to a cold cache.' });
      assert.match(JSON.stringify(asked.messages), /cold cache/);
      assert.deepEqual([data.model, data.learnings[0].trigger], ['toy', 'the cache is cold']);
      const begun = await call('snapback_session', { op: 'start', task: 'make the cache faster' });
      assert.equal(begun.structuredContent.data.learnings[0].action, 'warm it first');
    });

    test('an invalid answer of the model is an error', async (t) => {
      const { call } = await start(t, { 'sampling/createMessage': distilled([{ type: 'wisdom' }]) });
      const result = await call('snapback_learn', { distill: 'x' });
      assert.equal(result.isError, true);
      assert.equal(JSON.parse(result.content[0].text).error.code, 'UNAVAILABLE');
    });

    test('a restore runs only after the user agrees', async (t) => {
      const said = [{ action: 'decline' }, { action: 'accept', content: { restore: false } }, { action: 'accept', content: { restore: true } }];
      const questions = [];
      const { folder, call } = await start(t, {
        'elicitation/create': ({ message }) => {
          questions.push(message);
          return said.shift();
        },
      });
      const path = join(folder, 'a.txt');
      const { structuredContent: { data: { alias } } } = await call('snapback_snapshot_create', {});
      writeFileSync(path, 'b\n');
      const restore = () => call('snapback_snapshot_restore', { snapshot_id: alias, confirm: true });
      for (let i = 0; i < 2; ++i) {
        const refused = await restore();
        assert.equal(JSON.parse(refused.content[0].text).error.code, 'DECLINED');
        assert.equal(readFileSync(path, 'utf8'), 'b\n');
      }
      assert.equal((await restore()).structuredContent.data.total, 1);
      assert.equal(readFileSync(path, 'utf8'), 'a\n');
      assert.match(questions[0], /^Restore 1 file from snapshot snap_[0-9a-f]{10}\? a\.txt\. /);
      // There is nothing to change, so the user is not asked.
      assert.equal((await restore()).structuredContent.data.total, 0);
      assert.equal(questions.length, 3);
    });

    test('a risk is acknowledged only after the user accepts it, and the audit log has who did', async (t) => {
      const said = [{ action: 'decline' }, { action: 'accept', content: { accept: false } }, { action: 'accept', content: { accept: true } }];
      const questions = [];
      const { folder, call } = await start(t, {
        'elicitation/create': ({ message }) => {
          questions.push(message);
          return said.shift();
        },
      });
      const acknowledge = () => call('snapback_acknowledge_risk', { reason: 'it is urgent', files: ['a.txt'] });
      for (let i = 0; i < 2; ++i) assert.equal(JSON.parse((await acknowledge()).content[0].text).error.code, 'DECLINED');
      const { structuredContent: { data } } = await acknowledge();
      assert.equal(data.confirmed_by, 'user');
      assert.match(questions[0], /^Accept the risk of changes to these files: a\.txt\? Low risk.* The reason in the audit log will be: it is urgent$/);
      const lines = await logged(folder, 'audit', (all) => all.length > 0);
      assert.deepEqual(lines.map((one) => [one.id, one.event, one.confirmed_by, one.client]),
        [[data.audit_id, 'risk_acknowledged', 'user', era === modern ? undefined : 'asked']]);
    });

    test('without elicitation, an acknowledged risk is recorded on the word of the client', async (t) => {
      const { folder, call } = await startUnable(t);
      const { structuredContent: { data }, content } = await call('snapback_acknowledge_risk', { reason: 'it is urgent' });
      assert.equal(data.confirmed_by, 'client');
      assert.match(content[1].text, /cannot ask the user to confirm/);
      assert.deepEqual((await logged(folder, 'audit', (all) => all.length > 0)).map((one) => one.confirmed_by), ['client']);
    });

    test('commands that the repository configures run after the user agrees', async (t) => {
      const said = [{ action: 'decline' }, { action: 'accept', content: { trust: false } }, { action: 'accept', content: { trust: true } }];
      const questions = [];
      const { folder, call } = await start(t, {
        'elicitation/create': ({ message }) => {
          questions.push(message);
          return said.shift();
        },
      });
      mkdirSync(join(folder, '.snapback'), { recursive: true });
      const command = [process.execPath, '-e', "require('node:fs').writeFileSync('ran', '')"];
      writeFileSync(join(folder, '.snapback/config.json'), JSON.stringify({ check: { detect: false, commands: [{ subsystem: 'types', command }] } }));
      const validate = async () => {
        const { structuredContent, content } = await call('snapback_validate', { mode: 'comprehensive' });
        return structuredContent?.data.skipped.join(' ') ?? content[0].text;
      };
      for (let i = 0; i < 2; ++i) {
        assert.match(await validate(), /not trusted until the user runs `snap trust`/);
        assert.equal(existsSync(join(folder, 'ran')), false);
      }
      assert.doesNotMatch(await validate(), /not trusted/);
      assert.equal(existsSync(join(folder, 'ran')), true);
      assert.match(questions[0], /names commands that have not run here yet:\n {2}.*writeFileSync/);
      await validate();
      assert.equal(questions.length, 3, 'the user is not asked again');
    });

    test('a client without elicitation and sampling gets an error', async (t) => {
      const { folder, call } = await startUnable(t);
      const { structuredContent: { data: { alias } } } = await call('snapback_snapshot_create', {});
      writeFileSync(join(folder, 'a.txt'), 'b\n');
      for (const [name, args] of [['snapback_learn', { distill: 'x' }], ['snapback_snapshot_restore', { snapshot_id: alias, confirm: true }]]) {
        const result = await call(name, args);
        // For a stateless client, a protocol error may name the capabilities that the client must declare.
        if (result.error) assert.ok(era === modern && result.error.data.requiredCapabilities);
        else assert.equal(JSON.parse(result.content[0].text).error.code, 'UNSUPPORTED');
        if (!result.error && args.distill)
          assert.equal(JSON.parse(result.content[0].text).error.hint, 'Pass trigger and action for each lesson, instead of distill.');
      }
      assert.equal(readFileSync(join(folder, 'a.txt'), 'utf8'), 'b\n');
    });
  });
}
