// Qwen Code: how it is installed, configured and started, and how its model calls tools (hosts/all.mjs describes the members).
import { join } from 'node:path';

import { chat } from '../apis/chat.mjs';
import { writeJson } from './files.mjs';

export const qwenCode = {
  name: 'qwen-code',
  form: 'qwen',
  title: 'Qwen Code',
  package: '@qwen-code/qwen-code',
  version: '0.24.4',
  program: (modules) => [process.execPath, join(modules, '@qwen-code/qwen-code/cli-entry.js')],
  api: chat,
  volatile: [[/Full output sha256: [0-9a-f]{64}/g, 'Full output sha256: <hash>']],

  environment: ({ url }) => ({ OPENAI_API_KEY: 'fake', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'scripted' }),

  configure({ home, server }) {
    writeJson(join(home, '.qwen/settings.json'), {
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      general: { enableAutoUpdate: false },
      security: { auth: { selectedType: 'openai' } },
      ...(server && { mcpServers: { snapgen: { command: server[0], args: server.slice(1), trust: true } } }),
    });
  },

  words: ({ prompt }) => ['-p', prompt, '--yolo'],

  worktreeWords: ['--worktree', 'side'],

  plugin: {
    folder: 'qwen/snapgen',
    list: [['extensions', 'list']],
    validate: () => [],
    install: (folder) => [['extensions', 'install', folder, '--consent']],
    remove: [['extensions', 'uninstall', 'snapgen']],
  },

  // Tools of servers are deferred: the model reads names and the beginnings of descriptions, and calls through tool_call.
  loadedAs: (name) => `"name":"${name}"`,
  load: (name) => ({ name: 'tool_search', input: { query: `select:${name}` } }),
  toolName: (tool) => `mcp__snapgen__${tool}`,
  call: (name, input) => ({ name: 'tool_call', input: { name, arguments: input } }),
  shell: (command) => ({ name: 'run_shell_command', input: { command, description: 'Tidy up', is_background: false } }),
};
