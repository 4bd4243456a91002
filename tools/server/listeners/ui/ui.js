// The page of `snap ui`: a timeline on the left, and on the right what the selected turn or moment changed, or the
// moments of one file; or the work. The fragment of the URL names what is shown: #t12, #m14, #m14:src/main.rs for a file,
// or #work.
import { call, isCopy, leftOut, open, watch } from './api.js';
import { diffTable, hasLines, permissions } from './diff.js';
import { author, bdi, button, byId, count, element, exactTime, path, problem, setWorkspace, time } from './elements.js';
import { preview } from './preview.js';
import { before, joined, Timeline, titleOf } from './timeline.js';
import { showWork } from './work.js';

const detail = byId('detail');
const pageMoments = 60;
const allMoments = 200;
const wholeFile = { context: 10_000_000, max_bytes: 16_777_216 };
const rowsShownMax = 3000;
const narrow = matchMedia('(max-width: 760px)');
const viewKey = 'snapgen-view';

const changeNames = { created: 'created', modified: 'modified', mode_changed: 'permissions', deleted: 'deleted', left_out: 'not recorded' };
const omissions = {
  binary: 'A binary file.',
  not_recorded: 'The history has no content of this file, because it is too large, changes too much, or is unreadable.',
  too_large: 'The file is too large to compare.',
  too_long: 'The diff is long.',
  unreadable: 'The recorded content cannot be read. Run snap doctor.',
};

let filter;  // A file or folder; undefined: everything.
let cursor;  // Of the next page of the timeline.
let loading = new AbortController();  // Of the detail.
let shownMoments = '';  // Of the selected turn, to notice changes.
const settings = isCopy ? {} : localStorage;  // A file may have no access to the storage.
const isSideBySide = () => !narrow.matches && settings[viewKey] !== 'inline';

// ---- The detail of a turn or a moment.

const isAborted = (error) => error.name === 'AbortError';

function counts({ added, removed }) {
  if (added + removed === 0) return null;
  return element('span', { class: 'counts' },
    added > 0 ? element('span', { class: 'plus', title: count(added, 'added line') }, `+${added}`) : null,
    added > 0 && removed > 0 ? ' ' : null,
    removed > 0 ? element('span', { class: 'minus', title: count(removed, 'removed line') }, `−${removed}`) : null);
}

// Returns a button that asks whether to undo or rewind; null in a copy, which cannot change the workspace.
const actionButton = (label, kind, wanted, attributes) => (isCopy ? null : button(label, () => preview(kind, wanted), attributes));

// FileSection shows the change of one file.
class FileSection {
  #opened = new Set();
  #isWhole;
  #body = element('div', { class: 'body' });
  #toggle;

  constructor(file, target, { isWhole = false, isAlone = false } = {}) {
    this.file = file;
    this.target = target;
    this.#isWhole = isWhole;
    this.#toggle = button([element('span', { class: 'arrow', 'aria-hidden': 'true' }), path(file.path)], () => this.#setOpen(!this.isOpen), { class: 'name', 'aria-expanded': 'true' });
    const actions = isAlone ? null : element('span', { class: 'tools' },
      button('History', () => { location.hash = fileHash(target, file.path); }, { title: `All recorded changes of ${file.path}` }),
      actionButton('Undo …', 'undo', { target, paths: [file.path], name: `the change of ${file.path}` }, { title: 'Undo only in this file' }));
    this.node = element('section', { class: 'file', id: `file-${file.path}`, 'aria-label': file.path },
      element('header', {}, this.#toggle, element('span', { class: `badge ${file.change}` }, changeNames[file.change]), counts(file), file.by.map(author), actions),
      this.#body);
    if ((file.diff?.split('\n').length ?? 0) > rowsShownMax) this.#body.replaceChildren(this.#omitted('The diff is long.', () => this.render()));
    else this.render();
  }

  get isOpen() { return this.#toggle.getAttribute('aria-expanded') === 'true'; }

  #setOpen(opens) {
    this.#toggle.setAttribute('aria-expanded', String(opens));
    this.#body.hidden = !opens;
  }

  #omitted(text, show) {
    return element('p', { class: 'omitted' }, text, show ? button('Show it', show) : null);
  }

  // Loads the diff with all lines of the file.
  async #load() {
    try {
      const { files } = await call('history_diff', { target: this.target, paths: [this.file.path], ...wholeFile });
      this.file = files[0];
      this.#isWhole = true;
      this.render();
    } catch (error) {
      this.#body.append(problem(error));
    }
  }

  render() {
    const { diff, omitted } = this.file;
    if (omitted) {
      const retries = omitted === 'too_long' && !this.#isWhole && !isCopy;
      this.#body.replaceChildren(this.#omitted(omissions[omitted], retries ? () => this.#load() : null));
      return;
    }
    if (!diff || !hasLines(diff)) {
      const empty = { created: 'An empty file.', deleted: 'It was empty.' }[this.file.change];
      this.#body.replaceChildren(this.#omitted((diff && permissions(diff)) ?? empty ?? 'Only permissions changed.'));
      return;
    }
    const openFold = (fold) => {
      this.#opened.add(fold);
      if (this.#isWhole) this.render();
      else this.#load();
    };
    const hasOneSide = ['created', 'deleted'].includes(this.file.change);
    this.#body.replaceChildren(
      diffTable({ path: this.file.path, diff, side: isSideBySide() && !hasOneSide, opened: this.#opened, isWhole: this.#isWhole, open: isCopy ? undefined : openFold }));
  }
}

let sections = [];

function viewSwitch() {
  const choose = (view) => {
    settings[viewKey] = view;
    for (const each of detail.querySelectorAll('.view button')) each.setAttribute('aria-pressed', String(each.dataset.view === view));
    for (const each of sections) each.render();
  };
  const chosen = isSideBySide() ? 'side' : 'inline';
  return element('span', { class: 'view', role: 'group', 'aria-label': 'Form of the diff' },
    [['side', 'Side by side'], ['inline', 'Inline']].map(([view, label]) =>
      button(label, () => choose(view), { 'data-view': view, 'aria-pressed': String(view === chosen) })));
}

const backButton = () => button('← Timeline', leave, { class: 'back' });

const momentOf = (id) => timeline.turnOf(id)?.moments.find(({ moment }) => moment === id);

function headFacts(head) {
  return head ? element('span', { class: 'head' }, `HEAD is now ${head.branch ?? 'detached'} ${head.commit?.slice(0, 10) ?? ''}`) : null;
}

function period({ began, ended }) {
  const [from, to] = [time(began), time(ended)];
  return from.textContent === to.textContent ? to : element('span', {}, from, '–', to);
}

function heading(id) {
  const turn = timeline.turnOf(id);
  const moment = momentOf(id);
  const name = moment ? 'this moment' : 'this turn';
  return element('header', { class: 'heading' },
    backButton(),
    element('h2', {}, bdi(moment ? `Moment ${id}` : titleOf(turn))),
    element('p', { class: 'facts' },
      element('span', { class: 'id' }, id), turn.host ? element('span', { class: 'host' }, turn.host) : null,
      moment ? exactTime(moment.at) : period(turn),
      moment ? element('span', { class: 'dim' }, `of ${turn.turn}: `, bdi(titleOf(turn))) : null,
      headFacts((moment ?? turn.moments.find(({ head }) => head))?.head)),
    element('div', { class: 'tools' },
      actionButton('Undo …', 'undo', { target: id, name }, { class: 'primary' }),
      actionButton('Rewind to before …', 'rewind', { target: id, name }),
      viewSwitch()));
}

function contents(files) {
  if (files.length < 4) return null;
  return element('details', { class: 'contents', open: files.length <= 12 }, element('summary', {}, 'Files'),
    element('ul', {}, files.map((file) => element('li', {},
      button([path(file.path)], () => byId(`file-${file.path}`).scrollIntoView({ block: 'start' }), { class: 'quiet' }), counts(file)))));
}

function summary(files, fileCount) {
  const sum = files.reduce((all, { added, removed }) => ({ added: all.added + added, removed: all.removed + removed }), { added: 0, removed: 0 });
  return element('p', { class: 'summary' }, element('b', {}, count(fileCount ?? files.length, 'file')), ' ', counts(sum));
}

// Shows content in the detail, unless another selection was made meanwhile.
async function showDetail(load) {
  loading.abort();
  loading = new AbortController();
  const { signal } = loading;
  detail.setAttribute('aria-busy', 'true');
  let nodes;
  try {
    nodes = await load(signal);
  } catch (error) {
    if (isAborted(error)) return;
    nodes = [backButton(), problem(error)];
  }
  if (signal.aborted) return;
  detail.removeAttribute('aria-busy');
  detail.replaceChildren(...nodes.filter(Boolean));
}

async function showChange(id) {
  await showDetail(async (signal) => {
    const { files, file_count: all } = await call('history_diff', { target: id, paths: filter && [filter] }, signal);
    sections = files.map((file) => new FileSection(file, id));
    const more = all ? element('p', { class: 'dim' }, `${all - files.length} more files are not shown.`) : null;
    const none = files.length === 0 ? element('p', { class: 'dim' }, 'The changes of this turn cancel each other: no file differs.') : null;
    return [heading(id), summary(files, all), contents(files), none, ...sections.map(({ node }) => node), more];
  });
}

// ---- The moments of a file.

const fileHash = (id, file) => `#${id}:${encodeURIComponent(file)}`;

async function showFile(id, file) {
  await showDetail(async (signal) => {
    const { turns } = await call('history_list', { paths: [file], max_moments: allMoments }, signal);
    const moments = turns.flatMap((turn) => turn.moments.map((moment) => ({ ...moment, turn }))).reverse();
    // A turn selects its last moment that changed the file.
    const inTurn = new Set(timeline.turnOf(id)?.moments.map(({ moment }) => moment));
    let at = moments.findLastIndex(({ moment }) => moment === id);
    if (at < 0) at = moments.findLastIndex(({ moment }) => inTurn.has(moment));
    if (at < 0) at = moments.length - 1;
    if (at < 0) return [backButton(), element('p', {}, 'The history has no changes of this file.')];

    const slider = element('input', {
      type: 'range', min: '0', max: String(moments.length - 1), value: String(at), 'aria-label': 'Moment', input: () => go(Number(slider.value)),
    });
    const earlier = button('◀', () => go(at - 1), { 'aria-label': 'Earlier change' });
    const later = button('▶', () => go(at + 1), { 'aria-label': 'Later change' });
    const label = element('output', { class: 'facts' });
    const body = element('div');
    const tools = element('div', { class: 'tools' });
    const go = async (to) => {
      at = Math.min(Math.max(to, 0), moments.length - 1);
      const { moment, at: when, turn } = moments[at];
      history.replaceState(null, '', fileHash(moment, file));
      slider.value = String(at);
      slider.setAttribute('aria-valuetext', `${moment}, ${at + 1} of ${moments.length}`);
      [earlier.disabled, later.disabled] = [at === 0, at === moments.length - 1];
      label.replaceChildren(element('span', { class: 'id' }, moment), exactTime(when), element('span', {}, `${at + 1} of ${moments.length}`), bdi(titleOf(turn), { class: 'dim' }));
      tools.replaceChildren(...[
        actionButton('Undo this change …', 'undo', { target: moment, paths: [file], name: `${moment} in ${file}` }, { class: 'primary' }),
        actionButton('Rewind the file to before …', 'rewind', { target: moment, paths: [file], name: moment }),
        viewSwitch()].filter(Boolean));
      try {
        const { files } = await call('history_diff', { target: moment, paths: [file], ...wholeFile }, signal);
        if (moments[at].moment !== moment) return;
        sections = files.map((each) => new FileSection(each, moment, { isWhole: !isCopy, isAlone: true }));
        body.replaceChildren(...sections.map(({ node }) => node));
      } catch (error) {
        if (!isAborted(error)) body.replaceChildren(problem(error));
      }
    };
    await go(at);
    const owner = timeline.selected;
    return [
      element('header', { class: 'heading' }, backButton(),
        element('h2', {}, path(file)),
        moments.length > 1 ? element('div', { class: 'slider' }, earlier, slider, later) : null, label, tools,
        owner ? button(`All changes of ${owner}`, () => { location.hash = `#${owner}`; }, { class: 'quiet' }) : null),
      body,
    ];
  });
}

// ---- The selection.

function readHash() {
  const [, id, file] = /^#([tm]\d+)(?::(.*))?$/.exec(location.hash) ?? [];
  return { id, file: file && decodeURIComponent(file), isWork: location.hash === '#work' };
}

async function showSelection() {
  const { id, file, isWork } = readHash();
  document.body.classList.toggle('has-selection', Boolean(id));
  document.body.classList.toggle('shows-work', isWork);
  byId('show-work').setAttribute('aria-pressed', String(isWork));
  byId('show-changes').setAttribute('aria-pressed', String(!isWork));
  if (isWork) {
    byId('work').focus();
    await showWork();
  }
  if (!id) return;
  const known = timeline.turnOf(id);
  if (known) timeline.mark(id);
  shownMoments = JSON.stringify(known?.moments.map(({ moment }) => moment));
  if (file) await showFile(id, file);
  else if (known) await showChange(id);
  else await showDetail(async () => { throw new Error(`${id} is not in the timeline. Choose another change.`); });
}

// Returns to the timeline. On a wide screen it is visible anyway.
function leave() {
  if (narrow.matches) {
    history.replaceState(null, '', location.pathname);
    document.body.classList.remove('has-selection');
  }
  timeline.focus();
}

const timeline = new Timeline({
  select: (id) => {
    // A choice replaces the one before, so that the browser's Back leaves the page.
    if (!narrow.matches || document.body.classList.contains('has-selection')) history.replaceState(null, '', `#${id}`);
    if (!narrow.matches) showSelection();
  },
  enter: (id, event) => {
    if (narrow.matches) {
      location.hash = `#${id}`;
      detail.focus();
    } else if (event.type === 'keydown') {
      detail.focus();
    }
  },
});

// ---- The timeline.

// Shows a text instead of the timeline, or the timeline if there is none.
function showEmpty(...content) {
  byId('empty').hidden = content.length === 0;
  byId('empty').replaceChildren(...content);
  document.body.classList.toggle('is-empty', content.length > 0);
}

function showTimeline(turns, oldest) {
  timeline.show(turns);
  byId('earlier').hidden = isCopy || !cursor;
  if (turns.length > 0) return showEmpty();
  detail.replaceChildren();
  return showEmpty(...(filter ? ['No recorded change of ', path(filter), '.']
    : oldest ? ['No file has changed since ', exactTime(oldest), '.']
      : ['Nothing is recorded yet. The server records changes while an AI host works in this workspace.']));
}

const query = (more) => ({ max_moments: pageMoments, paths: filter && [filter], ...more });

async function loadTimeline() {
  const { turns, next_cursor: next, oldest } = await call('history_list', query());
  cursor = next;
  showTimeline(turns, oldest);
  if (!location.hash && turns.length > 0 && !narrow.matches) history.replaceState(null, '', `#${turns[0].turn}`);
  await showSelection();
}

async function loadEarlier() {
  const { turns, next_cursor: next, oldest } = await call('history_list', query({ cursor }));
  cursor = next;
  showTimeline(joined(timeline.turns, turns), oldest);
}

// Loads the latest moments, and retains earlier ones that were loaded before.
async function update() {
  if (readHash().isWork) await showWork();
  const wasEmpty = timeline.turns.length === 0;
  if (wasEmpty) return loadTimeline();
  const { turns, next_cursor: next, oldest } = await call('history_list', query());
  const rest = next ? before(timeline.turns, next) : [];
  if (rest.length === 0) cursor = next;
  showTimeline(joined(turns, rest), oldest);
  const { id, file } = readHash();
  const now = JSON.stringify(timeline.turnOf(id)?.moments.map(({ moment }) => moment));
  if (file || now === shownMoments || !id) return undefined;
  shownMoments = now;
  if (!id.startsWith('t')) return undefined;
  const top = detail.scrollTop;
  await showChange(id);
  detail.scrollTop = top;
  return undefined;
}

function fail(error) {
  const live = byId('live');
  live.className = 'ended';
  live.textContent = 'Not connected';
  if (timeline.turns.length > 0) byId('toasts').replaceChildren(element('div', { class: 'toast' }, error.message));
  else showEmpty(error.message);
}

// Runs updates one after the other; several changes during one need a single further update.
function updater() {
  let running = false;
  let again = false;
  return async () => {
    again = true;
    if (running) return;
    running = true;
    while (again) {
      again = false;
      await update().catch(fail);
    }
    running = false;
  };
}

function followKeys() {
  detail.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') leave();
  });
  byId('path').addEventListener('search', () => { byId('filter').requestSubmit(); });
  byId('filter').addEventListener('submit', (event) => {
    event.preventDefault();
    const wanted = byId('path').value.trim() || undefined;
    if (wanted === filter) return;
    filter = wanted;
    history.replaceState(null, '', location.pathname);
    loadTimeline().catch((error) => {
      showTimeline([]);
      showEmpty(problem(error));
    });
  });
  byId('show-changes').addEventListener('click', () => { location.hash = timeline.selected ?? timeline.turns[0]?.turn ?? ''; });
  byId('show-work').addEventListener('click', () => { location.hash = 'work'; });
  byId('earlier').addEventListener('click', () => loadEarlier().catch(fail));
  narrow.addEventListener('change', () => sections.forEach((each) => each.render()));
  addEventListener('hashchange', showSelection);
}

// Shows the answers in the page, and which are not in it. Without a history, shows the work.
async function showCopy() {
  byId('live').textContent = 'Saved copy';
  await loadTimeline().catch((error) => {
    showEmpty(error.message);
    location.hash ||= 'work';
  });
  byId('limits').textContent = [
    leftOut && `This copy has no diffs of ${leftOut} and of what is before it.`,
    cursor && 'Earlier changes are not in this copy.',
  ].filter(Boolean).join(' ');
}

async function start() {
  const folder = await open();
  setWorkspace(folder);
  const name = folder.slice(folder.lastIndexOf('/') + 1);
  byId('workspace').replaceChildren(bdi(name));
  byId('workspace').title = folder;
  document.title = `${name} · snapgen history`;
  followKeys();
  if (isCopy) return showCopy();
  const opened = () => {
    byId('live').className = 'live';
    byId('live').textContent = 'Live';
  };
  watch(opened, updater()).catch(fail);
  return loadTimeline();
}
start().catch(fail);
