// The view of the work: figures, risk, tasks with their checks, the files involved, and what happened.
import { call } from './api.js';
import { bdi, byId, count, dayOf, element, exactTime, instant, path, problem, svg } from './elements.js';

const filesMax = 500;
const filesOfEventMax = 10;
const dotsMax = 200;
const chart = { width: 720, height: 240, left: 36, right: 12, above: 10, below: 28 };

const hiddenKinds = new Set();  // What the user does not want to see in the list of events.

const dim = (...content) => element('span', { class: 'dim' }, content);
const code = (id) => element('code', {}, bdi(id));
const state = (value) => element('span', { class: value }, value);
const titleOf = ({ title = '', work_tree: tree }) => bdi([title, tree && `(in the work tree ${tree})`].filter(Boolean).join(' '));
const shortSnapshot = (id) => code(`snap_${id.replace(/^(sha256:|snap_)/, '').slice(0, 10)}`);

function figures(events) {
  const number = (kind, wanted) => events.filter((event) => event.kind === kind && (!wanted || event.state === wanted)).length;
  const begun = number('task', 'started');
  const ended = number('task') - begun;
  const all = [
    [number('snapshot'), 'snapshots'], [begun, 'tasks'], [begun - ended, 'of them open'], [number('check', 'pass'), 'checks passed'],
    [number('check', 'fail'), 'checks failed'], [number('restore'), 'restores'], [number('learning'), 'learnings'], [number('violation'), 'violations'],
  ];
  return element('ul', { class: 'figures' }, all.map(([value, name]) => element('li', {}, element('b', {}, String(value)), name)));
}

// Returns a table. A column whose name ends with # has numbers.
function table(id, columns, rows) {
  const cell = (tag) => (content, i) => element(tag, { class: columns[i].endsWith('#') ? 'number' : undefined }, content);
  return element('div', { class: 'wide' }, element('table', { id },
    element('thead', {}, element('tr', {}, columns.map((name) => name.replace('#', '')).map(cell('th')))),
    element('tbody', {}, rows.map((row) => element('tr', {}, row.map(cell('td')))))));
}

const riskWords = ({ points, dirty, protection }) =>
  `${count(points, 'point')}, ${count(dirty, 'uncommitted file')}, ${protection}% protected`;

// Returns a chart of the points over time. A value applies until the next measurement.
function riskChart({ risks, medium_risk_points: medium, high_risk_points: high }) {
  const { width, height, left, right, above, below } = chart;
  // The limit is for records that were edited by hand, which may have any number.
  const top = Math.min(Math.max(high + 2, ...risks.map(({ points }) => points)) + 1, 1000);
  const [from, to] = [risks[0], risks.at(-1)].map(({ at }) => Date.parse(at));
  const x = ({ at }) => left + Math.floor((Date.parse(at) - from) / Math.max(to - from, 1) * (width - left - right));
  const y = (points) => height - below - Math.floor(Math.min(Math.max(points, 0), top) * (height - above - below) / top);
  const band = (level, begin, end) => svg('rect', { class: `band-${level}`, x: left, y: y(end), width: width - left - right, height: y(begin) - y(end) });
  const label = (at, line, anchor, text) => svg('text', { x: at, y: line, 'text-anchor': anchor }, text);
  const words = (iso) => instant(iso).textContent;
  return svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': 'Risk in points over time' },
    band('low', 0, medium), band('medium', medium, high), band('high', high, top),
    [0, medium, high, top].map((points) => label(left - 6, y(points) + 4, 'end', String(points))),
    label(left, height - 6, 'start', words(risks[0].at)),
    risks.length > 1 ? label(width - right, height - 6, 'end', words(risks.at(-1).at)) : null,
    svg('path', { class: 'curve', d: risks.map((each, i) => (i === 0 ? `M${x(each)} ${y(each.points)}` : `H${x(each)}V${y(each.points)}`)).join('') }),
    risks.length > dotsMax ? null : risks.map((each) =>
      svg('circle', { class: 'dot', r: 3, cx: x(each), cy: y(each.points) }, svg('title', {}, `${words(each.at)}: ${each.level}, ${riskWords(each)}`))));
}

function risk(work) {
  const last = work.risks.at(-1);
  if (!last) return element('p', { class: 'dim' }, 'No risk was measured yet. It is when a task starts, and with every answer of the snapback tools.');
  return element('div', { id: 'risk' },
    element('p', {}, state(last.level), `, ${riskWords(last)}, `, instant(last.at)),
    riskChart(work),
    element('p', { class: 'dim' }, `Measured ${count(work.risks.length, 'time')}; medium from ${work.medium_risk_points} points, high from ${work.high_risk_points}.`));
}

function tasks(events) {
  const rows = new Map();  // By the task's id; the one with the latest event is the first.
  const rowOf = (id = '') => rows.get(id) ?? rows.set(id, { pass: 0, fail: 0 }).get(id);
  for (const event of events) {
    if (event.kind === 'task') rowOf(event.id).task ??= event;
    if (event.kind !== 'check') continue;
    const row = rowOf(event.task_id);
    row.last ??= event;
    ++row[event.state];
  }
  if (rows.size === 0) return element('p', { class: 'dim' }, 'No task was started and no check was run yet.');
  return table('tasks', ['Task', 'State', 'Passed#', 'Failed#', 'Last check'], [...rows].map(([id, { task, pass, fail, last }]) => [
    id ? [task ? titleOf(task) : null, ' ', code(id)] : dim('outside of any task'),
    task ? state(task.state === 'started' ? 'open' : task.state) : null,
    String(pass), fail > 0 ? element('span', { class: 'fail' }, String(fail)) : '0',
    last ? [state(last.state), ', ', instant(last.at)] : null,
  ]));
}

const fileColumns = { task: 'Tasks', restore: 'Restores', violation: 'Violations', risk: 'Acknowledged risks' };

function files(events) {
  const kinds = Object.keys(fileColumns);
  const ended = new Set(events.filter(({ kind, state: is }) => kind === 'task' && is !== 'started').map(({ id }) => id));
  const rows = new Map();
  for (const event of events) {
    // A task counts once, with the files of its end.
    if (!kinds.includes(event.kind) || (event.state === 'started' && ended.has(event.id))) continue;
    for (const file of event.files ?? []) {
      if (!rows.has(file)) rows.set(file, kinds.map(() => 0));
      ++rows.get(file)[kinds.indexOf(event.kind)];
    }
  }
  if (rows.size === 0) return element('p', { class: 'dim' }, 'No task, restore or violation has named a file yet.');
  const sum = ([, numbers]) => numbers.reduce((all, each) => all + each);
  const sorted = [...rows].sort((a, b) => sum(b) - sum(a) || (a[0] < b[0] ? -1 : 1));
  return [
    table('files', ['File', ...Object.values(fileColumns).map((name) => `${name}#`)],
      sorted.slice(0, filesMax).map(([file, numbers]) => [path(file), ...numbers.map(String)])),
    sorted.length > filesMax ? element('p', { class: 'dim' }, `${sorted.length - filesMax} more files are not shown.`) : null,
  ];
}

function filesOf({ files: names = [], file_count: all }) {
  const shown = names.slice(0, filesOfEventMax);
  if (shown.length === 0) return null;
  return dim(' ', shown.flatMap((name, i) => [i > 0 ? ', ' : '', path(name)]), all > shown.length ? ` and ${all - shown.length} more` : '');
}

// Returns what an event did, by its kind.
const details = {
  snapshot: (event) => [shortSnapshot(event.id), ' ', titleOf(event), dim(` ${count(event.file_count, 'file')}`)],
  task: (event) => [
    state(event.state), ': ', titleOf(event),
    event.state === 'started' ? null
      : dim(event.added_lines === undefined ? ' its changes were not counted' : ` +${event.added_lines}/-${event.removed_lines} lines in ${count(event.file_count, 'file')}`),
    filesOf(event),
  ],
  check: ({ tests_passed: passed, tests_failed: failed, tests_skipped: skipped, ...event }) => [
    state(event.state), ': ', titleOf(event), dim(` ${count(event.errors, 'error')}, ${count(event.warnings, 'warning')}`,
      passed === undefined ? '' : `, ${passed} of ${count(passed + failed + skipped, 'test')} passed`),
  ],
  restore: (event) => [
    `${count(event.file_count - (event.removed_count ?? 0), 'file')} back to `, shortSnapshot(event.snapshot_id),
    event.removed_count ? `, ${event.removed_count} removed` : '', filesOf(event),
  ],
  risk: (event) => [state(event.state), ' risk acknowledged: ', titleOf(event), filesOf(event)],
  learning: titleOf,
  violation: (event) => [code(event.id), ' ', titleOf(event), filesOf(event)],
};

function eventList({ events, event_count: all = events.length }) {
  if (events.length === 0) return element('p', { class: 'dim' }, 'Nothing has happened here yet.');
  const list = element('div', { id: 'events' });
  const rowOf = (event) => element('div', { class: 'event', 'data-kind': event.kind }, exactTime(event.at), element('span', {}, event.kind), element('span', { class: 'what' }, details[event.kind](event)));
  const show = () => {
    let day;
    list.replaceChildren(...events.filter(({ kind }) => !hiddenKinds.has(kind)).flatMap((event) => {
      const isSameDay = dayOf(event.at) === day;
      day = dayOf(event.at);
      return isSameDay ? [rowOf(event)] : [element('h3', {}, day), rowOf(event)];
    }));
  };
  const kinds = [...new Set(events.map(({ kind }) => kind))].sort();
  const box = (kind) => element('label', {}, element('input', {
    type: 'checkbox', checked: !hiddenKinds.has(kind),
    change: ({ target }) => {
      if (target.checked) hiddenKinds.delete(kind);
      else hiddenKinds.add(kind);
      show();
    },
  }), ` ${kind}`);
  show();
  return [
    kinds.length > 1 ? element('div', { class: 'filters', role: 'group', 'aria-label': 'What is shown' }, kinds.map(box)) : null, list,
    all > events.length ? element('p', { class: 'dim' }, `${all - events.length} earlier events are not shown or counted.`) : null,
  ];
}

// Loads and shows the work.
export async function showWork() {
  const section = (title, content) => element('section', {}, element('h2', {}, title), content);
  try {
    const work = await call('work', {});
    const { events, unread } = work;
    byId('work').replaceChildren(
      ...unread ? [element('p', { class: 'problem' }, unread)] : [],
      section('In short', figures(events)), section('Risk', risk(work)), section('Tasks and checks', tasks(events)),
      section('Files', files(events)), section('What happened', eventList(work)));
  } catch (error) {
    byId('work').replaceChildren(problem(error));
  }
}
