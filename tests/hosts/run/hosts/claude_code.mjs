// Claude Code: how it is installed, configured and started, and how its model calls tools (hosts/all.mjs describes the members).
import { join } from 'node:path';

import { anthropic } from '../apis/anthropic.mjs';
import { writeJson } from './files.mjs';

export const claudeCode = {
  name: 'claude-code',
  form: 'claude',
  title: 'Claude Code',
  package: '@anthropic-ai/claude-code',
  version: '2.1.331',
  program: (modules) => [join(modules, `@anthropic-ai/claude-code-linux-${process.arch}`, 'claude')],
  api: anthropic,
  volatile: [[/cc_version=[\w.]+/g, 'cc_version=<version>']],

  environment: ({ url, temporary }) => ({
    ANTHROPIC_API_KEY: 'fake', ANTHROPIC_BASE_URL: url, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1', DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_TMPDIR: temporary,
  }),

  configure({ home, server }) {
    const [command, ...args] = server ?? [];
    writeJson(join(home, '.claude.json'), { mcpServers: server ? { snapgen: { type: 'stdio', command, args, env: {} } } : {} });
  },

  words: ({ prompt }) => ['-p', prompt, '--permission-mode', 'acceptEdits', '--allowedTools', 'Bash', 'EnterWorktree', 'mcp__snapgen', 'mcp__plugin_snapgen_snapgen'],
  worktreeWords: ['--worktree', 'side'],

  * enterWorktree() {
    yield { step: 'enter', tool: 'EnterWorktree', native: { name: 'EnterWorktree', input: { name: 'side' } } };
  },

  plugin: {
    folder: 'claude',
    list: [['plugin', 'list']],
    validate: (folder) => [['plugin', 'validate', '--strict', folder], ['plugin', 'validate', '--strict', `${folder}/snapgen`]],
    install: (folder) => [['plugin', 'install', 'snapgen', '--marketplace', folder]],
    remove: [['plugin', 'uninstall', 'snapgen@snapgen'], ['plugin', 'marketplace', 'remove', 'snapgen']],
    tool: (tool) => `mcp__plugin_snapgen_snapgen__${tool}`,
  },

  // Tools of servers are deferred: the model knows their names and loads the definitions with ToolSearch.
  loadedAs: (name) => `"tool_name":"${name}"`,
  load: (name) => ({ name: 'ToolSearch', input: { query: `select:${name}`, max_results: 5 } }),
  toolName: (tool) => `mcp__snapgen__${tool}`,
  call: (name, input) => ({ name, input }),
  shell: (command) => ({ name: 'Bash', input: { command, description: 'Tidy up' } }),
};
