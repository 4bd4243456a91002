// Copilot CLI: how it is installed, configured and started, and how its model calls tools (hosts/all.mjs describes the members).
import { join } from 'node:path';

import { chat } from '../apis/chat.mjs';
import { writeJson } from './files.mjs';

export const copilotCli = {
  name: 'copilot-cli',
  form: 'copilot',
  title: 'Copilot CLI',
  package: '@github/copilot',
  version: '1.0.102',
  program: (modules) => [process.execPath, join(modules, '@github/copilot/npm-loader.js')],
  api: chat,
  volatile: [[/process-\d{13}-\d+/g, 'process-<number>'], [/\d{13}-copilot-tool-output-[0-9a-f]{32}/g, '<file>']],

  environment: ({ url }) => ({
    COPILOT_OFFLINE: 'true', COPILOT_AUTO_UPDATE: 'false', COPILOT_PROVIDER_BASE_URL: `${url}/v1`, COPILOT_PROVIDER_API_KEY: 'fake', COPILOT_MODEL: 'scripted',
  }),

  configure({ home, server }) {
    const [command, ...args] = server ?? [];
    writeJson(join(home, '.copilot/mcp-config.json'), { mcpServers: server ? { snapgen: { type: 'stdio', command, args } } : {} });
  },

  words: ({ prompt }) => ['-p', prompt, '--allow-all-tools', '--trust-folder', '--output-format', 'json'],
  worktreeWords: ['--worktree', 'side'],

  plugin: {
    folder: 'agent',
    list: [['plugin', 'list']],
    validate: () => [],
    install: (folder) => [['plugin', 'marketplace', 'add', folder], ['plugin', 'install', 'snapgen@snapgen']],
    remove: [['plugin', 'uninstall', 'snapgen@snapgen'], ['plugin', 'marketplace', 'remove', 'snapgen']],
  },

  toolName: (tool) => `snapgen-${tool}`,
  call: (name, input) => ({ name, input }),
  shell: (command) => ({ name: 'bash', input: { command, description: 'Tidy up' } }),
};
