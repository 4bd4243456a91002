// The hosts, in the order in which they run. Each is an object with these members:
//   name, title, package, version   the name on the command line, the one for people, and what npm installs
//   form                            the name for `snap init --host` and `snap hook`
//   program(modules)                the command line below node_modules
//   api                             the API of its model (apis/)
//   volatile                        [pattern, replacement] for text that differs between runs
//   end                             for a host that closes stdin and sends a signal at the same time: the one to record
//   environment(place)              variables besides HOME, PATH and the like; place: {home, temporary, cwd, prompt, server, url}
//   configure(place)                writes its settings: the stand-in model at `url`, and `server`, a command line, if there is one
//   words(place)                    the arguments that run `prompt` without interaction
//   trust                           what lets it run the servers and hooks of a project: {environment, words, configure(place)}
//   toolName(tool), call(name, input)  the name and the call by which the model reaches a tool of the server
//   shell(command)                  the native call of the host's own shell
//   accident                        the shell command that destroys the work, for a host whose shell cannot run git (script.mjs)
//   load(name), loadedAs(name)      for a host that defers tools: the call that loads one, and the text that shows that it is loaded
//   worktreeWords                   for a host that creates work trees: the arguments for that
//   enterWorktree()                 for a host whose model can enter a work tree: the calls for that
//   plugin                          its plugin: `folder` of plugins.py's output, the commands `list`, `validate(folder)`, `install(folder)` and
//                                   `remove`, and if the host needs them `environment` and the names of the plugin's tools, `tool(tool)`
import { claudeCode } from './claude_code.mjs';
import { codex } from './codex.mjs';
import { codexCode } from './codex_code.mjs';
import { copilotCli } from './copilot_cli.mjs';
import { geminiCli } from './gemini_cli.mjs';
import { opencode } from './opencode.mjs';
import { qwenCode } from './qwen_code.mjs';

export const hosts = [claudeCode, codex, codexCode, geminiCli, qwenCode, opencode, copilotCli];
