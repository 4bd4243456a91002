// record.mjs FILE PROGRAM ARGUMENT…: runs a server for a host and appends every line that passes to FILE:
// {"from": "host", "server" or "stderr", "line": …}, in the order in which the bytes arrived, and {"ended": "SIGINT", "SIGTERM", "SIGHUP"
// or "stdin"} once, as soon as the host ends the server. The host may kill this program right after that.
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';

const [file, program, ...words] = process.argv.slice(2);
const note = (value) => appendFileSync(file, `${JSON.stringify(value)}\n`);
const server = spawn(program, words, { stdio: ['pipe', 'pipe', 'pipe'] });

// Passes bytes on unchanged, and records each complete line before its bytes are passed on.
function pass(from, source, target) {
  let rest = Buffer.alloc(0);
  source.on('data', (chunk) => {
    const bytes = Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(0x0a) + 1;
    rest = bytes.subarray(end);
    for (const line of bytes.subarray(0, end).toString('utf8').split('\n').slice(0, -1)) note({ from, line });
    target.write(chunk);
  });
  source.on('end', () => { if (target !== process.stdout && target !== process.stderr) target.end(); });
  target.on('error', () => {}); // The other side may have closed the pipe already.
}

let isEnding = false;
function noteEnd(how) {
  if (!isEnding) note({ ended: how });
  isEnding = true;
}

pass('host', process.stdin, server.stdin);
pass('server', server.stdout, process.stdout);
pass('stderr', server.stderr, process.stderr);
process.stdin.on('end', () => noteEnd('stdin'));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    noteEnd(signal);
    server.kill(signal);
  });
}
server.on('close', (code) => process.exit(code ?? 1));
