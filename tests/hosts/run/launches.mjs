// Tests in which folder a host starts the server, and which work tree the server then uses: the file `marker.txt` names each tree.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { git, makeRepository, writeFiles } from './project.mjs';

const marker = (tree) => ({ 'marker.txt': `tree: ${tree}\n` });

function* readMarker() {
  yield { step: 'launch', tool: 'snapshot_file', input: { path: 'marker.txt' } };
}

// Every launch: `wanted` is the tree that must be used, or `refused`; `start` creates what the launch needs below `home` and returns the
// folder in which the host is started. A launch with `of` applies only to hosts that have the feature named by `of`.
export const launches = [
  { name: 'root', wanted: 'project', start: ({ project }) => project },
  { name: 'subfolder', wanted: 'project', start: ({ project }) => join(project, 'src/deep') },
  {
    name: 'linked work tree', wanted: 'work tree',
    start({ home, project }) {
      const tree = join(home, 'tree');
      git(project, 'worktree', 'add', '--quiet', tree);
      writeFiles(tree, marker('work tree'));
      return tree;
    },
  },
  { name: 'work tree of the host', of: 'worktreeWords', wanted: 'as committed', start: ({ project }) => project },
  { name: 'work tree entered in the session', of: 'enterWorktree', wanted: 'as committed', start: ({ project }) => project },
  {
    name: 'home folder that is a repository', wanted: 'refused',
    start({ home }) {
      makeRepository(home, marker('home'));
      const notes = join(home, 'notes');
      mkdirSync(notes);
      return notes;
    },
  },
];

// Creates the folders of a launch: a repository whose marker differs from the committed one.
export function prepareLaunch(launch, home) {
  rmSync(home, { recursive: true, force: true });
  const project = join(home, 'project');
  makeRepository(project, { ...marker('as committed'), 'src/deep/notes.txt': 'Notes.\n' });
  writeFileSync(join(project, 'marker.txt'), marker('project')['marker.txt']);
  return launch.start({ home, project });
}

export const scriptOf = (host, launch) => (launch.of === 'enterWorktree' ? (function* script() {
  yield* host.enterWorktree();
  yield* readMarker();
}()) : readMarker());

// The outcome of a launch, from the last text that the model received of the server: the tree that was used, or the error message. An error
// that says how to name the workspace is accepted for every launch; a wrong tree is never accepted.
export function outcomeOf(launch, entries, error) {
  const outcome = { name: launch.name, wanted: launch.wanted };
  if (error) return { ...outcome, error: error.message };
  const { text } = entries.filter((entry) => entry.step === 'launch').at(-1);
  const tree = /tree: ([a-z ]+)/.exec(text)?.[1];
  const isRight = tree ? tree === launch.wanted : /--workspace/.test(text);
  return { ...outcome, tree, text: tree ? undefined : text, isRight };
}
