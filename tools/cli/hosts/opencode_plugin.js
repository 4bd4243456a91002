// Written by `snap init --host opencode --hooks`. Reports sessions, prompts and tool calls to the history of snapgen.
import { spawn } from 'node:child_process';

const program = "@PROGRAM@";
const limit_ms = 3000; // The program ends by itself after two seconds.

// Runs the program for one event. It never fails, because OpenCode rejects a tool whose hook fails.
const report = (name, fields) =>
  new Promise((done) => {
    try {
      const child = spawn(program, ['hook', 'opencode', name], { stdio: ['pipe', 'ignore', 'ignore'] });
      const timer = setTimeout(() => {
        child.kill('SIGKILL');
        done();
      }, limit_ms);
      const end = () => {
        clearTimeout(timer);
        done();
      };
      child.on('error', end);
      child.on('exit', end);
      child.stdin.on('error', () => {});
      child.stdin.end(JSON.stringify(fields));
    } catch {
      done();
    }
  });

const safe = (hook) => async (...values) => {
  try {
    await hook(...values);
  } catch {
    // An event of another form is not reported.
  }
};

export const SnapgenHooks = async ({ directory }) => {
  const prompts = new Map(); // The id of the last prompt of each session.
  const send = (name, session, fields) =>
    report(name, { cwd: directory, session_id: session, prompt_id: prompts.get(session), ...fields });
  const sendTool = (name, { tool, sessionID, callID }, args) =>
    send(name, sessionID, {
      tool_name: tool,
      tool_use_id: callID,
      tool_input: { command: args?.command, file_path: args?.filePath ?? args?.path },
    });
  return {
    event: safe(async ({ event }) => {
      if (event.type === 'session.created' || event.type === 'session.idle')
        await send(event.type, event.properties.sessionID);
    }),
    'chat.message': safe(async ({ sessionID }, { message, parts }) => {
      prompts.set(sessionID, message.id);
      const texts = parts.filter((part) => part.type === 'text').map((part) => part.text);
      await send('chat.message', sessionID, { prompt: texts.join('\n') });
    }),
    'tool.execute.before': safe((input, output) => sendTool('tool.execute.before', input, output.args)),
    'tool.execute.after': safe((input) => sendTool('tool.execute.after', input, input.args)),
    dispose: safe(() => Promise.all([...prompts.keys()].map((session) => send('dispose', session)))),
  };
};
