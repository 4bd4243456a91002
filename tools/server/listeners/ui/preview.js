// Undo and rewind: a dialog shows what would change, and asks whether to do it.
import { call } from './api.js';
import { author, button, byId, count, element, exactTime, path, problem } from './elements.js';

const dialog = byId('preview');
const toasts = byId('toasts');
const toastMs = 12_000;

// Returns the words for an action on a target, such as {target: 't12', name: 'this turn', paths: ['a.txt']}.
const wordsOf = {
  undo: ({ name }) => ({
    title: `Undo ${name}`, verb: 'Undo', done: 'Undone',
    about: 'Only this change is taken back. Later changes of other lines remain.',
  }),
  rewind: ({ name, paths }) => ({
    title: `Rewind to before ${name}`, verb: 'Rewind', done: 'Rewound',
    about: `${paths ? 'The file returns' : 'All files return'} to the state before it. Later changes are taken away, too.`,
  }),
};

const changeNames = { created: 'create', replaced: 'change', deleted: 'delete', mode_changed: 'set permissions' };

const linesText = (lines) => (lines ? `lines ${lines.join(', ')}` : 'whole file');

function part(title, kind, rows) {
  return rows.length > 0 ? element('section', { class: kind }, element('h3', {}, title), element('ul', {}, rows)) : null;
}

function planParts(kind, plan) {
  const files = kind === 'undo' ? plan.files : plan.changes;
  const all = (kind === 'undo' ? plan.file_count : plan.change_count) ?? files.length;
  return [
    part('Conflicts', 'conflicts', (plan.conflicts ?? []).map((each) =>
      element('li', {}, path(each.path), ` ${linesText(each.lines)}. ${each.reason}`))),
    part('Lines of others that are taken away', 'foreign', (plan.foreign_lines ?? []).map((each) =>
      element('li', {}, path(each.path), ` ${linesText(each.lines)} `, author(each.by)))),
    part(count(all, 'file'), 'files', [
      ...files.map((each) => element('li', {}, element('span', { class: `badge ${each.kind}` }, changeNames[each.kind] ?? each.kind), ' ', path(each.path))),
      ...(all > files.length ? [element('li', {}, `and ${all - files.length} more`)] : []),
    ]),
    part('Files that can be taken back only from a snapshot', 'unrecorded', (plan.unrecorded ?? []).map((each) =>
      element('li', {}, path(each)))),
    part('Files that are not changed', 'spared', (plan.spared ?? []).map((each) =>
      element('li', {}, path(each.path), ` ${each.reason.replaceAll('_', ' ')}`))),
  ];
}

function toast(text, undoWith) {
  const shown = element('div', { class: 'toast' }, element('span', {}, text),
    undoWith ? button('Take back', () => { shown.remove(); preview('undo', { target: undoWith, name: undoWith }); }) : null,
    button('×', () => shown.remove(), { 'aria-label': 'Close', class: 'quiet' }));
  toasts.replaceChildren(shown);
  setTimeout(() => shown.remove(), toastMs);
}

function show(title, ...content) {
  dialog.replaceChildren(element('h2', { id: 'preview-title' }, title), ...content);
  if (!dialog.open) dialog.showModal();
}

const cancelButton = (label = 'Cancel') => button(label, () => dialog.close(), { autofocus: true });

// Shows what undoing or rewinding would do, and does it if the user agrees. `kind`: undo or rewind.
export async function preview(kind, wanted) {
  const { title, verb, done, about } = wordsOf[kind](wanted);
  const input = { target: wanted.target, paths: wanted.paths };
  const tool = `history_${kind}`;
  const actions = element('div', { class: 'actions' }, cancelButton());
  const body = element('div', { class: 'plan' }, element('p', { class: 'waiting' }, 'Checking what would change …'));
  show(title, element('p', {}, about), body, actions);
  const act = async (event, more) => {
    event.target.disabled = true;
    try {
      const answer = await call(tool, { ...input, ...more });
      dialog.close();
      const files = kind === 'undo' ? answer.files : answer.changes;
      const all = (kind === 'undo' ? answer.file_count : answer.change_count) ?? files.length;
      toast(`${done} in ${count(all, 'file')}.`, answer.undo_with);
    } catch (error) {
      body.replaceChildren(problem(error));
      actions.replaceChildren(cancelButton('Close'));
    }
  };
  try {
    const plan = await call(tool, { ...input, dry_run: true });
    const conflicts = plan.conflicts?.length > 0;
    const files = kind === 'undo' ? plan.files : plan.changes;
    const state = kind === 'rewind' ? element('p', { class: 'dim' }, `The state after ${plan.state.moment}, `, exactTime(plan.state.at), '.') : null;
    const nothing = files.length === 0 && !conflicts ? element('p', {}, 'Nothing has to change.') : null;
    body.replaceChildren(...[state, nothing, ...planParts(kind, plan)].filter(Boolean));
    if (files.length > 0)
      actions.append(conflicts ? button(`${verb} without the conflicts`, (event) => act(event, { partial: true }), { class: 'danger' })
        : button(verb, (event) => act(event, {}), { class: 'danger' }));
  } catch (error) {
    body.replaceChildren(problem(error));
    actions.replaceChildren(cancelButton('Close'));
  }
}
