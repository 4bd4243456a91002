// Runs hosts in a network namespace without a route and in a PID namespace that ends with the run.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

// `folder` of runIsolated() is mounted here, so that paths are the same on every machine and no parent folder is a repository.
export const mount_point = '/srv';

// Process 1 of the namespace is a shell, which also reaps the processes that lose their parent.
const inside = `ip link set lo up && mount --bind "$1" ${mount_point} && shift && "$@"`;
const flags = ['--net', '--mount', '--pid', '--fork', '--mount-proc', '--kill-child'];

// Runs a program with loopback as its only network and `folder` mounted on mount_point. When it ends, every process that it started is
// ended, too. Returns the result of spawnSync().
export function runIsolated(folder, words, options = {}) {
  mkdirSync(folder, { recursive: true });
  const root = process.getuid() === 0 ? [] : ['--map-root-user'];
  return spawnSync('unshare', [...root, ...flags, '--', 'sh', '-c', inside, 'sh', folder, ...words], { encoding: 'utf8', ...options });
}

// Returns the reason why this system does not allow such namespaces, or undefined.
export function namespaceFault(folder) {
  const { status, error, stderr } = runIsolated(folder, ['true']);
  return status === 0 ? undefined : (error?.message ?? stderr.trim());
}

// Returns the reason why this process is not isolated, or undefined.
export function isolationFault() {
  const interfaces = readFileSync('/proc/self/net/dev', 'utf8').split('\n').slice(2)
    .map((line) => line.split(':')[0].trim()).filter(Boolean);
  const reachable = interfaces.find((name) => name !== 'lo');
  if (reachable) return `the network namespace has the interface ${reachable}`;
  if (readFileSync('/proc/self/net/route', 'utf8').trim().split('\n').length > 1) return 'the network namespace has a route';
  // `unshare` runs a shell as process 1, which runs this.
  if (process.ppid !== 1 || readlinkSync('/proc/self') !== String(process.pid)) return 'the process shares its PID namespace with others';
  return undefined;
}

// Returns the processes of this PID namespace besides process 1 and this one.
const others = () => readdirSync('/proc').map(Number).filter((pid) => Number.isInteger(pid) && pid !== 1 && pid !== process.pid);

// The time that processes have to end by themselves after their host has ended, and the interval of the checks.
const grace_ms = 3000;
const poll_ms = 50;

// Ends every process but process 1 and this one, because a host's servers may have left its process group. Processes have `grace_ms` to end
// by themselves unless `atOnce` is set. Returns the names of those that did not.
export async function endOthers({ atOnce = false } = {}) {
  for (let waited = 0; !atOnce && others().length > 0 && waited < grace_ms; waited += poll_ms) await setTimeout(poll_ms);
  const ended = [];
  for (const pid of others()) {
    try {
      ended.push(readFileSync(`/proc/${pid}/comm`, 'utf8').trim());
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process has ended in the meantime.
    }
  }
  return ended;
}
