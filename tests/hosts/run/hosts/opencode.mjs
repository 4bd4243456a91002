// OpenCode: how it is installed, configured and started, and how its model calls tools (hosts/all.mjs describes the members).
import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { chat } from '../apis/chat.mjs';
import { writeJson, writeText } from './files.mjs';

// The command ends before its attempt to install OpenCode's own package does, and leaves a lock, which the next session would wait for until
// it is a minute old.
const removeLocks = ({ home }) => rmSync(join(home, '.local/state/opencode/locks'), { recursive: true, force: true });

export const opencode = {
  name: 'opencode',
  form: 'opencode',
  title: 'OpenCode',
  package: 'opencode-ai',
  version: '1.18.33',
  program: (modules) => [join(modules, `opencode-linux-${process.arch}`, 'bin/opencode')],
  api: chat,
  volatile: [[/tool-output\/tool_\w+/g, 'tool-output/<file>']],

  environment: () => ({ OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1' }),

  configure({ home, url, server }) {
    // The host tries to install its packages into each configuration folder, and would wait for the registry.
    writeText(join(home, '.npmrc'), 'fetch-retries=0\noffline=true\n');
    writeJson(join(home, '.config/opencode/opencode.json'), {
      $schema: 'https://opencode.ai/config.json',
      provider: {
        scripted: {
          npm: '@ai-sdk/openai-compatible', name: 'Scripted', options: { baseURL: `${url}/v1`, apiKey: 'fake' },
          models: { scripted: { name: 'scripted' } },
        },
      },
      model: 'scripted/scripted', autoupdate: false, share: 'disabled',
      ...(server && { mcp: { snapgen: { type: 'local', command: server, enabled: true } } }),
    });
  },

  plugin: {
    folder: 'opencode/snapgen',
    list: [],
    validate: () => [],
    install: (folder) => [['plugin', folder, '--global'], removeLocks],
  },

  words: ({ prompt }) => ['run', '--format', 'json', prompt],

  toolName: (tool) => `snapgen_${tool}`,
  call: (name, input) => ({ name, input }),
  shell: (command) => ({ name: 'bash', input: { command, description: 'Tidy up' } }),
};
