// The hosts, in the order in which they run. Each is an object with these members:
//   name, title, package, version   the name on the command line, the one for people, and what npm installs
//   program(modules)                the command line below node_modules
//   api                             the API of its model (apis/)
//   volatile                        [pattern, replacement] for what it varies from run to run
//   end                             of a host that closes stdin and sends a signal at a time: the one to record
//   environment(place)              variables besides HOME, PATH and the like; place: {home, temporary, cwd, prompt, server, url}
//   configure(place)                writes its settings: the stand-in model at `url`, and `server`, a command line, if there is one
//   words(place)                    the arguments that play `prompt` without a person
//   toolName(tool), call(name, input)  the name and the call by which the model reaches a tool of the server
//   load(name), loadedAs(name)      of a host that defers tools: the call that loads one, and the text that shows that it did
//   worktreeWords                   of a host that makes work trees: the arguments for that
//   enterWorktree()                 of a host whose model can enter one: the calls for that
//   plugin                          of a host whose plugins bring servers: {files, commands(market), environment, tool(tool)}
import { claudeCode } from './claude_code.mjs';
import { codex } from './codex.mjs';
import { codexCode } from './codex_code.mjs';
import { copilotCli } from './copilot_cli.mjs';
import { geminiCli } from './gemini_cli.mjs';
import { opencode } from './opencode.mjs';
import { qwenCode } from './qwen_code.mjs';

export const hosts = [claudeCode, codex, codexCode, geminiCli, qwenCode, opencode, copilotCli];
