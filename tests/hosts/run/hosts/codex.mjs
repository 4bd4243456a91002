// Codex: how it is installed, configured and started, and how its model calls tools (hosts/all.mjs describes the members).
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

import { responses } from '../apis/responses.mjs';
import { writeText } from './files.mjs';

// The file is written when a session begins, because the address of the stand-in model is not known before.
const configuration = ({ url, server }, model) => `model = "${model}"
model_provider = "standin"
check_for_update_on_startup = false

[model_providers.standin]
name = "standin"
base_url = "${url}/v1"
env_key = "FAKE_KEY"
wire_api = "responses"

[analytics]
enabled = false
${server ? `
[mcp_servers.snapgen]
command = ${JSON.stringify(server[0])}
args = ${JSON.stringify(server.slice(1))}
default_tools_approval_mode = "approve"
` : ''}`;

// Configures and starts it with a model.
export const withModel = (model) => ({
  configure: (place) => writeText(join(place.home, '.codex/config.toml'), configuration(place, model)),
  words: ({ prompt }) => ['exec', '-m', model, '-s', 'workspace-write', '--skip-git-repo-check', prompt],
});

export const codex = {
  name: 'codex',
  form: 'codex',
  title: 'Codex',
  package: '@openai/codex',
  version: '0.169.0',
  program: (modules) => [process.execPath, join(modules, '@openai/codex/bin/codex.js')],
  api: responses,
  end: 'stdin', // Codex also sends SIGTERM; which of the two the server notices first varies.
  volatile: [[/Wall time(:?) [\d.]+ seconds/g, 'Wall time$1 <duration>']],

  environment: () => ({ FAKE_KEY: 'fake' }),
  ...withModel('gpt-5.5'),

  worktreeWords: ['--worktree'],

  trust: {
    configure: ({ home, cwd }) => appendFileSync(join(home, '.codex/config.toml'), `\n[projects."${cwd}"]\ntrust_level = "trusted"\n`),
    words: ['--dangerously-bypass-hook-trust'],
  },

  plugin: {
    folder: 'codex',
    list: [['plugin', 'marketplace', 'list']],
    validate: () => [],
    install: (folder) => [['plugin', 'marketplace', 'add', folder], ['plugin', 'add', 'snapgen@snapgen']],
    remove: [['plugin', 'remove', 'snapgen@snapgen'], ['plugin', 'marketplace', 'remove', 'snapgen']],
  },

  // Tools of servers are deferred: the model finds their definitions with tool_search, which ranks them by words.
  loadedAs: (name) => `"name":"${name}"`,
  load: (name) => ({ name: 'tool_search', input: { query: name, limit: 8 } }),
  toolName: (tool) => tool,
  call: (name, input) => ({ name, namespace: 'mcp__snapgen', input }),
  // Its sandbox makes .git read-only for the shell.
  accident: 'sed -i s/evening/morning/ src/greet.py && rm src/farewell.py',
  shell: (command) => ({ name: 'exec_command', input: { cmd: command } }),
};
