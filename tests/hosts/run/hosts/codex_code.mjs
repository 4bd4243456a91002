// Codex in code mode, which most of its models use: the model writes JavaScript that calls tools and prints the results that it needs.
import { codex, withModel } from './codex.mjs';

const script = (input) => ({ name: 'exec', freeForm: true, input });

export const codexCode = {
  ...codex,
  name: 'codex-code',
  title: 'Codex (code mode)',

  ...withModel('gpt-6.1-sol'),

  // The description of a tool includes the type of its answer.
  loadedAs: (name) => `mcp__snapgen__${name}(`,
  load: (name) => script(`text(ALL_TOOLS.find((tool) => tool.name === 'mcp__snapgen__${name}').description)`),
  call: (name, input) => script(`const result = await tools.mcp__snapgen__${name}(${JSON.stringify(input)});
text(result.structuredContent ?? result.content)`),
  shell: (command) => script(`text((await tools.exec_command(${JSON.stringify({ cmd: command })})).output)`),
};
