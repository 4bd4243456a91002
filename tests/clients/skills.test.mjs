// The skill of the server, read by the client of the official SDK, which verifies digests, sizes and frontmatter.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';

import { startHttp } from './http.mjs';
import { connect, openings } from './sdks.mjs';
import { fixture, repository, snapgen } from './servers.mjs';

const file = readFileSync(join(import.meta.dirname, '../../tools/install/skills/snapgen/SKILL.md'), 'utf8');
const uri = 'skill://snapgen/SKILL.md';

const open = async (t, opening) => {
  const { client, list } = await connect(t, opening, snapgen(repository(t, { 'a.txt': 'a\n' })));
  return { client, list, skills: new SkillsClient(client) };
};

describe('skills', () => {
  for (const opening of openings.filter(({ revision }) => revision === '2026-07-28'))
    test(`a client lists, verifies and reads the skill: ${opening.name}`, async (t) => {
      const { skills } = await open(t, opening);
      assert.deepEqual([skills.supported, skills.directoryRead], [true, true]);
      const { skills: [listed, ...others], invalid } = await skills.list();
      assert.deepEqual([listed.uri, others, invalid ?? []], [uri, [], []]);
      const { skill } = await skills.get(uri);
      assert.deepEqual(skill, listed);
      const read = await skills.read(skill);
      assert.equal(read.verified, true);
      assert.equal(read.text, file);
      const { resources } = await skills.readDirectory('skill://snapgen');
      assert.deepEqual(resources.map(({ uri: at, mimeType }) => [at, mimeType]), [[uri, 'text/markdown']]);
    });

  test('an unknown skill or folder is an error that says what to do', async (t) => {
    const { skills } = await open(t, openings.find(({ revision }) => revision === '2026-07-28'));
    await assert.rejects(skills.get('skill://other/SKILL.md'), { code: -32602, message: /There is no skill "skill:\/\/other\/SKILL\.md"\. skills\/list returns all\./ });
    for (const folder of ['skill://snapge', 'skill://snapgen/', 'skill://snapgen/SKILL.md', 'snapgen://reference', ''])
      await assert.rejects(skills.readDirectory(folder), { code: -32602, message: /There is no folder/ }, folder);
  });

  test('the scenarios of the official conformance suite pass', async (t) => {
    const { url, stop } = await startHttp(fixture); // Its skill has a folder.
    t.after(stop);
    const suite = join(import.meta.dirname, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
    for (const name of ['enumeration', 'manifest', 'directory']) {
      const words = [suite, 'server', '--url', url, '--scenario', `sep-2640-skills-${name}`, '--spec-version', '2026-07-28', '--force'];
      assert.match(execFileSync(process.execPath, words, { encoding: 'utf8' }), /, 0 failed/, name);
    }
  });

  test('an older client reads the skill as a resource', async (t) => {
    const { client, skills } = await open(t, openings[0]);
    assert.equal(skills.supported, false);
    const { resources } = await client.listResources();
    assert.equal(resources.find((each) => each.uri === uri).name, 'snapgen');
    const { contents: [{ text, mimeType }] } = await client.readResource({ uri });
    assert.deepEqual([text, mimeType], [file, 'text/markdown']);
  });

  test('the tools of the profile first are loaded at once in Claude Code', async (t) => {
    const { list } = await open(t, openings[0]);
    const { first } = JSON.parse(readFileSync(join(import.meta.dirname, '../../schemas/profiles.json'), 'utf8'));
    const loaded = (await list()).filter((tool) => tool._meta?.['anthropic/alwaysLoad'] === true).map(({ name }) => name);
    assert.deepEqual(loaded, first.tools.map((name) => name.replaceAll('.', '_')).sort());
  });
});
