// Starts a server under test over HTTP on a free port, which the server prints on standard output.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

// `server`: as in servers.mjs, for stdio. Resolves to the URL and a function that stops the server.
export async function startHttp(server) {
  const args = [...server.args.filter((word) => word !== '--stdio'), '--http', '0'];
  const child = spawn(server.command, args, { cwd: server.cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const [url] = await Promise.race([
    once(lines, 'line'),
    ended.then(([code]) => {
      throw new Error(`${server.command} ended with ${code} before it printed its URL`);
    }),
  ]);
  const stop = async () => {
    child.kill('SIGTERM');
    const [code] = await ended;
    return code;
  };
  return { url, pid: child.pid, stop };
}
