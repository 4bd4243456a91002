// Runs `snap` as people and scripts do: with pipes, or on a pseudo-terminal.
import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';

import { build } from './judge.mjs';
import './servers.mjs';

export const snap = join(build, 'snap');

// The environment variables that checks need, without the user's variables for terminals and workspaces.
const environment = (more) => {
  const own = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}`, TERM: 'xterm-256color', TZ: 'UTC', ...more };
  for (const name of ['SNAPBACK_WORKSPACE_ROOT', 'NO_COLOR', 'FORCE_COLOR', ...(more?.SNAPBACK_TIER ? [] : ['SNAPBACK_TIER'])]) if (!(more && name in more)) delete own[name];
  return own;
};

const ended = (file, args, { folder, input, env }) =>
  new Promise((done) => {
    const child = execFile(file, args, { cwd: folder, env: environment(env), encoding: 'buffer', maxBuffer: 1 << 28 }, (error, out, errors) =>
      done({ code: error ? error.code : 0, signal: error?.signal, bytes: out, out: out.toString(), errors: errors.toString() }));
    child.stdin.on('error', () => {});
    child.stdin.end(input ?? '');
  });

// Runs `snap ...args` in the folder without a terminal. Returns {code, out, bytes, errors}.
export const run = (folder, args, options = {}) => ended(snap, args, { folder, ...options });

// Runs the same command with --json. Returns the parsed line.
export async function json(folder, args, options = {}) {
  const { code, out, errors } = await run(folder, [...args, '--json'], options);
  if (out.split('\n').length !== 2 || !out.endsWith('\n')) throw new Error(`not one line: ${out}${errors}`);
  return { code, errors, value: JSON.parse(out) };
}

// Runs it on a terminal of 100 columns. For each [/text/, line] in `lines`, types the line when the text is shown.
const terminal = `
import fcntl, json, os, pty, re, struct, sys, termios
lines = json.loads(sys.argv[1])
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
    os.execv(sys.argv[2], sys.argv[2:])
shown = b""
while True:
    try:
        got = os.read(fd, 65536)
    except OSError:
        break
    if not got:
        break
    shown += got
    if lines and re.search(lines[0][0].encode(), shown):
        os.write(fd, lines.pop(0)[1].encode())
sys.stdout.buffer.write(shown)
_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status) & 255)
`;
export const onTerminal = (folder, args, { lines = [], env } = {}) =>
  ended('python3', ['-c', terminal, JSON.stringify(lines.map(([shown, typed]) => [shown.source, typed])), snap, ...args], { folder, env });
