// Resources, prompts and completion of snapgen-server, through the official SDKs.
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';

import { Host } from './bridge_host.mjs';
import { connect, openings } from './sdks.mjs';
import { repository, snapgen } from './servers.mjs';
import { sharedServer } from './shared_server.mjs';

const files = {
  'src/auth.ts': 'export const a = 1;\n', 'src/main.ts': 'import { a } from "./auth";\n', 'src/deep/x y%.md': '# x\n',
  'README.md': '# Notes\n', '.gitignore': '*.log\n.snapback/\n',
};

// Returns the tools and resources of a folder. Every request of `client` has this `_meta`.
const resourcesOf = (connected, folder, _meta) => {
  const methods = ['listResources', 'listResourceTemplates', 'readResource', 'listPrompts', 'getPrompt', 'complete'];
  const client = Object.fromEntries(methods.map((method) => [method, (params) => connected.client[method]({ ...params, _meta })]));
  const call = async (name, args) => {
    const result = await connected.call(name, args);
    assert.ok(!result.isError, JSON.stringify(result.content));
    return result.structuredContent ?? result.content[0].text;
  };
  const read = async (uri) => {
    const { contents } = await client.readResource({ uri });
    assert.equal(contents.length, 1);
    assert.equal(contents[0].uri, uri);
    return contents[0];
  };
  const json = async (uri) => {
    const content = await read(uri);
    assert.equal(content.mimeType, 'application/json');
    return JSON.parse(content.text);
  };
  const complete = async (ref, name, value, known) =>
    (await client.complete({ ref, argument: { name, value }, ...(known && { context: { arguments: known } }) })).completion.values;
  return { ...connected, connected, client, folder, call, read, json, complete };
};

for (const opening of openings) {
  describe(`resources, ${opening.name}`, () => {
    const server = sharedServer(opening);
    const start = async (t) => {
      const folder = server.repository(t, files);
      const connected = await server.connection(folder);
      return resourcesOf(connected, folder, connected._meta);
    };

    test('are listed, and every one of them can be read', async (t) => {
      const { client, read } = await start(t);
      const { resources } = await client.listResources();
      assert.deepEqual(resources.map((each) => each.uri), [
        'snapgen://worktree', 'snapgen://snapshots', 'snapgen://tasks', 'snapgen://learnings',
        'snapgen://reference/index.md', 'snapgen://reference/guide.md', 'skill://snapgen/SKILL.md',
      ]);
      for (const { uri, mimeType, description } of resources) {
        assert.ok(description);
        assert.equal((await read(uri)).mimeType, mimeType);
      }
      const { resourceTemplates } = await client.listResourceTemplates();
      assert.deepEqual(resourceTemplates.map((each) => each.uriTemplate), [
        'snapgen://files/{+path}', 'snapgen://snapshots/{snapshot_id}', 'snapgen://snapshots/{snapshot_id}/files/{+path}',
        'snapgen://tasks/{task_id}', 'snapgen://reference/{+page}',
      ]);
    });

    test('show the work tree, snapshots and the files in them', async (t) => {
      const { folder, call, read, json } = await start(t);
      assert.deepEqual((await json('snapgen://worktree')).changed, []);
      const made = await call('snapshot_create', { paths: ['.'], message: 'before the change' });
      appendFileSync(join(folder, 'src/auth.ts'), '// changed\n');
      writeFileSync(join(folder, 'picture.png'), Buffer.from([0x89, 0x50, 0xff, 0x00]));
      const state = await json('snapgen://worktree');
      assert.deepEqual([state.changed, state.total], [['picture.png', 'src/auth.ts'], 2]);
      assert.notDeepEqual(state.fingerprint, made.fingerprint);

      const { snapshots, total } = await json('snapgen://snapshots');
      assert.equal(total, 1);
      assert.equal(snapshots[0].snapshot_id, made.snapshot_id);
      assert.equal(snapshots[0].message, 'before the change');
      assert.deepEqual(snapshots[0].manifest_stats, made.manifest_stats);
      const contents = await json(snapshots[0].uri);
      assert.deepEqual(contents.snapshot, snapshots[0]);
      assert.equal(contents.truncated, false);
      assert.deepEqual(contents.files.map((each) => each.path), Object.keys(files).sort());
      for (const { path, uri } of contents.files) assert.equal((await read(uri)).text, files[path]);
      assert.equal((await read(`snapgen://snapshots/${encodeURIComponent(made.snapshot_id)}/files/src/auth.ts`)).text, files['src/auth.ts']);

      const now = await read('snapgen://files/src/auth.ts');
      assert.deepEqual([now.text, now.mimeType], [`${files['src/auth.ts']}// changed\n`, 'text/plain']);
      assert.equal((await read('snapgen://files/src/deep/x%20y%25.md')).mimeType, 'text/markdown');
      assert.deepEqual(await read('snapgen://files/picture.png'), {
        uri: 'snapgen://files/picture.png', mimeType: 'image/png', blob: Buffer.from([0x89, 0x50, 0xff, 0x00]).toString('base64'),
      });
    });

    test('show tasks and learnings', async (t) => {
      const { call, json } = await start(t);
      const line = await call('snap', { mode: 'start', task: 'fix auth bug', files: ['src/auth.ts'], keywords: ['jwt'] });
      const id = /id:(task_[a-z2-7]{8})/.exec(line)[1];
      const { open, ended } = await json('snapgen://tasks');
      assert.deepEqual([open.length, ended.length], [1, 0]);
      assert.deepEqual([open[0].task_id, open[0].title, open[0].status, open[0].files, open[0].keywords],
        [id, 'fix auth bug', 'open', ['src/auth.ts'], ['jwt']]);
      assert.deepEqual(await json(open[0].uri), open[0]);
      await call('snap_learn', { type: 'pitfall', trigger: 'jwt', action: 'check the audience' });
      await call('snap_end', { taskId: id, outcome: 'completed' });
      const after = await json('snapgen://tasks');
      assert.deepEqual([after.open.length, after.ended.length, after.ended[0].status], [0, 1, 'completed']);
      assert.deepEqual(await json(`snapgen://tasks/${id}`), after.ended[0]);
      const { learnings, patterns } = await json('snapgen://learnings');
      assert.deepEqual(patterns, []);
      assert.deepEqual([learnings[0].kind, learnings[0].trigger, learnings[0].action, learnings[0].said], ['pitfall', 'jwt', 'check the audience', 1]);
    });

    test('cannot be read by unknown or forbidden URIs', async (t) => {
      const { folder, client } = await start(t);
      mkdirSync(join(folder, 'src/empty'));
      writeFileSync(join(folder, 'large.txt'), 'x'.repeat((1 << 20) + 1));
      const refused = async (uri, sentence) => {
        await assert.rejects(client.readResource({ uri }), (error) => {
          assert.match(error.message, sentence, uri);
          return true;
        });
      };
      for (const uri of ['snapgen://nothing', 'snapgen://files/', 'snapgen://snapshots/', 'http://worktree', 'snapgen://worktree/', 'snapgen://bridge/events'])
        await refused(uri, /Unknown resource .*\. resources\/list returns the known ones\./);
      await refused('snapgen://files/none.txt', /There is no file or folder none\.txt\./);
      for (const id of ['task_aaaaaaaa', '..%2F..%2Fconfig']) await refused(`snapgen://tasks/${id}`, /There is no task /);
      await refused('snapgen://snapshots/snap_00', /There is no snapshot "snap_00"/);
      await refused('snapgen://reference/none.md', /\bno page none\.md\b.*snapgen:\/\/reference\/index\.md\b/);
      for (const uri of ['snapgen://files/..%2fsecret', 'snapgen://files/.git/config', 'snapgen://files//etc/passwd', 'snapgen://snapshots/x'])
        await assert.rejects(client.readResource({ uri }), (error) => {
          assert.equal(error.code, -32602, `${uri}: ${error.message}`);
          return true;
        });
      await refused('snapgen://files/large.txt', /1048577 bytes.*snapshot_file/);
    });

    test('link to the whole file when a result is truncated', async (t) => {
      const { folder, connected, read } = await start(t);
      const long = 'a line of text\n'.repeat(30_000);
      writeFileSync(join(folder, 'long name.txt'), long);
      const made = (await connected.call('snapshot_create', { paths: ['.'] })).structuredContent;
      for (const [where, uri] of [[{}, 'snapgen://files/long%20name.txt'],
        [{ snapshot_id: made.snapshot_id }, `snapgen://snapshots/${encodeURIComponent(made.snapshot_id)}/files/long%20name.txt`]]) {
        const { content, structuredContent } = await connected.call('snapshot_file', { path: 'long name.txt', ...where });
        assert.equal(structuredContent.truncated, true);
        assert.deepEqual(content.map((each) => each.type), ['text', 'text', 'resource_link']);
        assert.deepEqual(JSON.parse(content[0].text), structuredContent);
        assert.match(content[1].text, /450000 bytes/);
        assert.deepEqual([content[2].uri, content[2].size], [uri, long.length]);
        assert.equal((await read(content[2].uri)).text, long);
        const limited = await connected.call('snapshot_file', { path: 'long name.txt', max_bytes: 10, ...where });
        assert.deepEqual([limited.content.length, limited.structuredContent.truncated], [1, true]);
        const short = await connected.call('snapshot_file', { path: 'README.md', ...where });
        assert.equal(short.content.length, 1);
      }
    });

    test('have completions for the variables of their templates', async (t) => {
      const { folder, call, complete } = await start(t);
      const made = await call('snapshot_create', { paths: ['src'] });
      writeFileSync(join(folder, 'src/new.ts'), '');
      const of = (uri) => ({ type: 'ref/resource', uri });
      const alias = `snap_${made.snapshot_id.slice(7, 17)}`;
      const inSnapshot = of('snapgen://snapshots/{snapshot_id}/files/{+path}');
      assert.deepEqual(await complete(inSnapshot, 'snapshot_id', ''), [alias]);
      assert.deepEqual(await complete(inSnapshot, 'snapshot_id', 'sha256:'), [made.snapshot_id]);
      assert.deepEqual(await complete(inSnapshot, 'snapshot_id', 'snap_x'), []);
      assert.deepEqual(await complete(inSnapshot, 'path', 'src/'), []);
      assert.deepEqual(await complete(inSnapshot, 'path', 'src/', { snapshot_id: alias }), ['src/auth.ts', 'src/deep/', 'src/main.ts']);
      assert.deepEqual(await complete(of('snapgen://files/{+path}'), 'path', ''), ['.gitignore', 'README.md', 'src/']);
      assert.deepEqual(await complete(of('snapgen://files/{+path}'), 'path', 'src/n'), ['src/new.ts']);
      assert.deepEqual(await complete(of('snapgen://files/{+path}'), 'path', '../'), []);
      assert.deepEqual(await complete(of('snapgen://reference/{+page}'), 'page', 'substrate/snapshot_c'), ['substrate/snapshot_changes.md', 'substrate/snapshot_create.md']);
      await assert.rejects(complete(of('snapgen://files/{+path}'), 'other', ''), /Unknown resource template/);
      await assert.rejects(complete(of('snapgen://nothing/{x}'), 'x', ''), /Unknown resource template/);
    });

    test('the reference has a page for each tool', async (t) => {
      const { list, read } = await start(t);
      const index = (await read('snapgen://reference/index.md')).text;
      for (const tool of await list()) {
        const link = new RegExp(`\\((\\w+/${tool.name})\\.md\\)`).exec(index);
        assert.ok(link, tool.name);
        const page = (await read(`snapgen://reference/${link[1]}.md`)).text;
        assert.ok(page.includes(tool.title), tool.name);
        assert.equal((await read(`snapgen://reference/${link[1]}`)).text, page, 'a page can be read by its name without the suffix');
      }
      assert.match((await read('snapgen://reference/guide')).text, /^# Guide/);
    });

    test('prompts name only tools that are listed', async (t) => {
      const { call, complete, client, list } = await start(t);
      const { prompts } = await client.listPrompts();
      assert.deepEqual(prompts.map((each) => each.name), ['start_task', 'review_change', 'restore_safely', 'author_tool']);
      const made = await call('snapshot_create', { paths: ['.'], message: 'good' });
      const known = new Set((await list()).map((tool) => tool.name));
      const given = {
        start_task: { task: 'make the tests quick', files: 'src/main.ts' }, review_change: { focus: 'security' },
        restore_safely: { snapshot_id: made.snapshot_id }, author_tool: { name: 'count_lines', purpose: 'Counts lines.' },
      };
      for (const { name, arguments: wanted } of prompts) {
        const { messages } = await client.getPrompt({ name, arguments: given[name] });
        const { text } = messages[0].content;
        for (const word of Object.values(given[name]))
          assert.ok(text.includes(word === made.snapshot_id ? word.slice(7, 17) : word), `${name}: ${word}`);
        for (const [, tool] of text.matchAll(/\b[Cc]all (\w+) /g)) assert.ok(known.has(tool), `${name}: ${tool}`);
        assert.doesNotMatch(text, /@/);
        if (messages[1]) assert.match(messages[1].content.uri, /^snapgen:/);
        for (const argument of wanted.filter((each) => each.required))
          await assert.rejects(client.getPrompt({ name, arguments: { ...given[name], [argument.name]: '' } }), new RegExp(argument.name));
      }
      const restore = (await client.getPrompt({ name: 'restore_safely', arguments: given.restore_safely })).messages[0].content.text;
      assert.match(restore, /5 files, .*"good"/);
      await assert.rejects(client.getPrompt({ name: 'restore_safely', arguments: { snapshot_id: 'snap_0000000000' } }), /snap_0000000000|no such|no snapshot/i);
      await assert.rejects(client.getPrompt({ name: 'review_change', arguments: { fokus: 'x' } }), /no argument fokus/);
      await assert.rejects(client.getPrompt({ name: 'nothing' }), /Unknown prompt nothing/);
      const of = (name) => ({ type: 'ref/prompt', name });
      assert.deepEqual(await complete(of('restore_safely'), 'snapshot_id', 'snap_'), [`snap_${made.snapshot_id.slice(7, 17)}`]);
      assert.deepEqual(await complete(of('start_task'), 'files', 'README.md, src/m'), ['README.md, src/main.ts']);
      assert.deepEqual(await complete(of('review_change'), 'focus', 's'), ['security', 'speed', 'style']);
      assert.deepEqual(await complete(of('author_tool'), 'name', ''), []);
      await assert.rejects(complete(of('author_tool'), 'other', ''), /no argument other/);
    });
  });
}

test('prompts name only the tools of the profile', async (t) => {
  const start = (...words) => {
    const server = snapgen(repository(t, files));
    return connect(t, openings[0], { ...server, args: [...server.args, ...words] });
  };
  const { client } = await start('--profile', 'bridge');
  assert.deepEqual((await client.listPrompts()).prompts.map((each) => each.name), ['author_tool']);
  await assert.rejects(client.getPrompt({ name: 'start_task', arguments: { task: 'x' } }), /Unknown prompt start_task/);
  const substrate = await start('--profile', 'substrate', '--tool-names', 'dotted');
  const { messages } = await substrate.client.getPrompt({ name: 'start_task', arguments: { task: 'x' } });
  assert.match(messages[0].content.text, /call snapshot\.create /);
  assert.doesNotMatch(messages[0].content.text, /\bsnap_end\b|\bcheck\b/);
});

// Every change must be notified, whether a tool or another process makes it; the tests wait for the notification.
describe('subscriptions', () => {
  const legacy = async (t) => {
    const folder = repository(t, files);
    const host = await Host.start(t, { workspace: folder });
    const { result } = await host.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } });
    assert.deepEqual(result.capabilities.resources, { subscribe: true });
    assert.ok(result.capabilities.completions && result.capabilities.prompts);
    // One edit may cause several notifications.
    const updated = async (uri) => { while ((await host.notification('notifications/resources/updated')).params.uri !== uri); };
    return { folder, host, updated };
  };

  test('report a file that is edited, removed and created again', async (t) => {
    const { folder, host, updated } = await legacy(t);
    const uri = 'snapgen://files/src/auth.ts';
    await host.request('resources/subscribe', { uri });
    appendFileSync(join(folder, 'src/auth.ts'), '//\n');
    await updated(uri);
    rmSync(join(folder, 'src'), { recursive: true });
    await updated(uri);
    await host.request('resources/unsubscribe', { uri });
    await host.request('resources/subscribe', { uri: 'snapgen://files/src/deep/new.txt' });
    mkdirSync(join(folder, 'src/deep'), { recursive: true });
    await updated('snapgen://files/src/deep/new.txt');
  });

  test('a subscriber is notified of new snapshots, tasks and learnings', async (t) => {
    const { host, updated } = await legacy(t);
    const call = (name, args) => host.request('tools/call', { name, arguments: args });
    await host.request('resources/subscribe', { uri: 'snapgen://snapshots' });
    await call('snapshot_create', { paths: ['.'] });
    await updated('snapgen://snapshots');
    await host.request('resources/unsubscribe', { uri: 'snapgen://snapshots' });
    await host.request('resources/subscribe', { uri: 'snapgen://tasks' });
    await call('snap', { mode: 'start', task: 'x' });
    await updated('snapgen://tasks');
    await host.request('resources/unsubscribe', { uri: 'snapgen://tasks' });
    await host.request('resources/subscribe', { uri: 'snapgen://learnings' });
    await call('snap_learn', { type: 'pitfall', trigger: 'a', action: 'b' });
    await updated('snapgen://learnings');
  });

  test('report every edit of the work tree', async (t) => {
    const { folder, host, updated } = await legacy(t);
    const uri = 'snapgen://worktree';
    await host.request('resources/subscribe', { uri });
    await updated(uri); // The resource is watched from now on.
    writeFileSync(join(folder, 'src/deep/made.txt'), 'x');
    await updated(uri);
    const { result } = await host.request('resources/read', { uri });
    assert.deepEqual(JSON.parse(result.contents[0].text).changed, ['src/deep/made.txt']);
  });

  test('work for a client of the stateless era', async (t) => {
    const folder = repository(t, files);
    const { client } = await connect(t, openings.find((each) => each.name.startsWith('SDK v2, pinned')), snapgen(folder));
    const updated = new Promise((done) => client.setNotificationHandler('notifications/resources/updated', (message) => done(message.params.uri)));
    const subscription = await client.listen({ resourceSubscriptions: ['snapgen://files/README.md'] });
    appendFileSync(join(folder, 'README.md'), 'more\n');
    assert.equal(await updated, 'snapgen://files/README.md');
    await subscription.close();
  });

  test('work with SDK v1', async (t) => {
    const folder = repository(t, files);
    const { client } = await connect(t, openings[0], snapgen(folder));
    const updated = new Promise((done) => client.setNotificationHandler(ResourceUpdatedNotificationSchema, (message) => done(message.params.uri)));
    await client.subscribeResource({ uri: 'snapgen://files/README.md' });
    appendFileSync(join(folder, 'README.md'), 'more\n');
    assert.equal(await updated, 'snapgen://files/README.md');
  });
});
