'use strict';
// Starts the native program under the name by which this script was called. Standard input and output, signals and the
// exit code are passed through, so that a caller observes the same behaviour as from the program itself.
const { spawn } = require('node:child_process');
const { accessSync, constants } = require('node:fs');
const { constants: system } = require('node:os');
const { isatty } = require('node:tty');

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGCONT'];
const fromTerminal = ['SIGINT', 'SIGQUIT', 'SIGHUP', 'SIGCONT']; // A terminal also sends these to the program.

function fail(name, sentence) {
  process.stderr.write(`${name}: ${sentence}\n`);
  process.exit(1);
}

// Returns the path of the program, which is in an optional package for this machine. Ends this process if there is none.
function findProgram(name) {
  const { name: main, optionalDependencies } = require('./package.json');
  const here = `${process.platform}-${process.arch}`;
  const wanted = `${main}-${here}`;
  if (!(wanted in optionalDependencies)) {
    const known = Object.keys(optionalDependencies).map((each) => each.slice(main.length + 1));
    fail(name, `there is no program for ${here}, only for ${known.join(' and ')}; on Windows, run it in WSL.`);
  }
  try {
    const program = require.resolve(`${wanted}/bin/snapgen-server`);
    accessSync(program, constants.X_OK);
    return program;
  } catch {
    return fail(name, `the program of the package ${wanted} is missing; install ${main} again, with optional dependencies.`);
  }
}

// Waits for the program and forwards signals, because Node before 22.15 cannot replace its process with a program.
function accompany(name, program, values) {
  let child;
  const atTerminal = [0, 1, 2].some((fd) => isatty(fd));
  // The handlers are set before the program starts, because a signal without a handler would end only this process.
  // They run after this function has returned.
  for (const signal of signals)
    process.on(signal, () => {
      if (!atTerminal || !fromTerminal.includes(signal)) child.kill(signal);
    });
  child = spawn(program, values, { argv0: name, stdio: 'inherit' });
  child.on('error', (error) => fail(name, `${program} cannot be started: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    // Ends this process with the signal that ended the program, unless Node reserves the signal.
    for (const each of signals) process.removeAllListeners(each);
    process.kill(process.pid, signal);
    setImmediate(() => process.exit(128 + system.signals[signal]));
  });
}

module.exports = function launch(name) {
  const program = findProgram(name);
  const values = process.argv.slice(2);
  if (process.execve) process.execve(program, [name, ...values], process.env);
  accompany(name, program, values);
};
