// Gemini CLI: how it is installed, configured and started, and how its model calls tools (hosts/all.mjs describes the members).
import { join } from 'node:path';

import { gemini } from '../apis/gemini.mjs';
import { writeJson } from './files.mjs';

export const geminiCli = {
  name: 'gemini-cli',
  form: 'gemini',
  title: 'Gemini CLI',
  package: '@google/gemini-cli',
  version: '0.61.0',
  program: (modules) => [process.execPath, join(modules, '@google/gemini-cli/bundle/gemini.js')],
  api: gemini,
  // It lists its own skills in the order in which it has found them.
  volatile: [[/(['"])antigravity-support\1(, ?)\1skill-creator\1/g, '$1skill-creator$1$2$1antigravity-support$1']],

  environment: ({ url }) => ({ GEMINI_API_KEY: 'fake', GOOGLE_GEMINI_BASE_URL: url, GEMINI_TELEMETRY_ENABLED: 'false' }),

  configure({ home, server }) {
    writeJson(join(home, '.gemini/settings.json'), {
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      experimental: { worktrees: true },
      ...(server && { mcpServers: { snapgen: { command: server[0], args: server.slice(1), trust: true } } }),
    });
  },

  words: ({ prompt }) => ['-p', prompt, '-m', 'gemini-2.5-flash', '--skip-trust', '--yolo'],
  worktreeWords: ['--worktree', 'side'],

  plugin: {
    folder: 'gemini/snapgen',
    list: [['extensions', 'list']],
    validate: (folder) => [['extensions', 'validate', folder]],
    install: (folder) => [['extensions', 'install', folder, '--consent']],
    remove: [['extensions', 'uninstall', 'snapgen']],
    // Without this file the installation asks whether to trust the folder.
    environment: { GEMINI_CLI_TRUST_WORKSPACE: 'true' },
  },

  trust: { environment: { GEMINI_CLI_TRUST_WORKSPACE: 'true' } },

  toolName: (tool) => `mcp_snapgen_${tool}`,
  call: (name, input) => ({ name, input }),
  shell: (command) => ({ name: 'run_shell_command', input: { command, description: 'Tidy up' } }),
};
