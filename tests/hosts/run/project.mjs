// The repositories in which hosts are started. Dates and names are fixed, so that all object ids are the same in every run.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const environment = {
  PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'test', GIT_AUTHOR_EMAIL: 'test@localhost', GIT_AUTHOR_DATE: '2026-01-02T03:04:05Z',
  GIT_COMMITTER_NAME: 'test', GIT_COMMITTER_EMAIL: 'test@localhost', GIT_COMMITTER_DATE: '2026-01-02T03:04:05Z',
};

export const git = (folder, ...words) => execFileSync('git', ['-C', folder, ...words], { env: environment, encoding: 'utf8' });

export function writeFiles(folder, files) {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

// Creates a repository with these files committed: {path: content}.
export function makeRepository(folder, files) {
  mkdirSync(folder, { recursive: true });
  git(folder, 'init', '--quiet', '--template=', '--initial-branch=main');
  writeFiles(folder, files);
  git(folder, 'add', '--', ...Object.keys(files));
  git(folder, 'commit', '--quiet', '--message', 'first');
}

// A file of 300 KB whose lines contain their number, so that the lines in a text can be counted.
export const long_lines = 6000;
export const longLine = (number) => `line ${String(number).padStart(6, '0')} of a long file, fifty bytes each`.padEnd(49, '.');

export const files = {
  'README.md': '# Greetings\n\nA small program that greets people by name.\n',
  'data/long.txt': Array.from({ length: long_lines }, (_, at) => `${longLine(at + 1)}\n`).join(''),
  'marker.txt': 'tree: project\n',
  'src/deep/notes.txt': 'Notes, two folders below the root.\n',
  'src/greet.py': 'def greet(name):\n    return "good morning " + name\n\n\ndef greet_all(names):\n    return [greet(name) for name in names]\n',
};
