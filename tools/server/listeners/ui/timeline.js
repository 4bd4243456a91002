// The tree of turns and their moments, for mouse and keyboard.
import { author, bdi, byId, count, dayOf, element, exactTime, time } from './elements.js';

const tree = byId('tree');
const namesShown = 2;

const numberOf = (id) => Number(id.slice(1));
const filesOf = (moments) => new Set(moments.flatMap(({ changes }) => changes.map(({ path }) => path)));
const hasMore = (moments) => moments.some(({ change_count: all }) => all !== undefined);
const fileCount = (moments) => `${filesOf(moments).size}${hasMore(moments) ? '+' : ''} file${filesOf(moments).size === 1 && !hasMore(moments) ? '' : 's'}`;
const authorsOf = (moments) => [...new Set(moments.flatMap(({ changes }) => changes.map(({ by }) => by)))];

export const titleOf = (turn) => turn.prompt ?? (turn.host ? 'Changes before the first prompt' : 'Changes without a prompt');

// Returns the turns of two lists, of which `later` has the later moments. A turn may be in both.
export function joined(later, earlier) {
  const [last, first] = [later.at(-1), earlier[0]];
  if (last?.turn !== first?.turn) return [...later, ...earlier];
  return [...later.slice(0, -1), { ...last, moments: [...last.moments, ...first.moments] }, ...earlier.slice(1)];
}

// Returns the turns with only the moments before the one with this id.
export const before = (turns, id) =>
  turns
    .map((turn) => ({ ...turn, moments: turn.moments.filter(({ moment }) => numberOf(moment) < numberOf(id)) }))
    .filter(({ moments }) => moments.length > 0);

// Timeline shows turns. `select(id)` is called for the item that the user chose, and `enter()` when the user wants to
// read it.
export class Timeline {
  #items = [];
  #open = new Set();
  #opened;  // The turn that was opened because it or a moment in it is selected.
  #selected;
  #turns = [];

  constructor({ select, enter }) {
    this.select = select;
    this.enter = enter;
    tree.addEventListener('keydown', (event) => this.#onKey(event));
    tree.addEventListener('click', (event) => this.#onClick(event));
  }

  get turns() { return this.#turns; }
  get selected() { return this.#selected; }

  show(turns) {
    this.#turns = turns;
    this.#render();
  }

  // Marks the item with this id, and opens its turn.
  mark(id) {
    this.#selected = id;
    const turn = this.turnOf(id)?.turn;
    if (turn !== this.#opened) {
      this.#open.delete(this.#opened);
      this.#open.add(turn);
      this.#opened = turn;
    }
    this.#render();
    this.#items.find((item) => item.dataset.id === id)?.scrollIntoView({ block: 'nearest' });
  }

  turnOf(id) {
    return this.#turns.find(({ turn, moments }) => turn === id || moments.some(({ moment }) => moment === id));
  }

  focus() {
    (this.#items.find((item) => item.tabIndex === 0) ?? this.#items[0])?.focus({ preventScroll: false });
  }

  #render() {
    const focused = tree.contains(document.activeElement) ? document.activeElement.dataset.id : undefined;
    this.#items = [];
    const nodes = [];
    let day;
    for (const turn of this.#turns) {
      const its = dayOf(turn.ended);
      if (its !== day) nodes.push(element('p', { class: 'day', role: 'none' }, its));
      day = its;
      nodes.push(this.#item(turn.turn, 1, turn, this.#turnParts(turn)));
      if (this.#open.has(turn.turn) && turn.moments.length > 1)
        for (const moment of turn.moments) nodes.push(this.#item(moment.moment, 2, turn, this.#momentParts(moment)));
    }
    tree.replaceChildren(...nodes);
    const tabbable = this.#items.find((item) => item.dataset.id === (focused ?? this.#selected)) ?? this.#items[0];
    if (tabbable) tabbable.tabIndex = 0;
    if (focused) tabbable?.focus();
  }

  #item(id, level, turn, parts) {
    const expands = level === 1 && turn.moments.length > 1;
    const item = element('div', {
      role: 'treeitem', class: level === 1 ? 'turn' : 'moment', 'data-id': id, 'aria-level': String(level), tabindex: '-1',
      'aria-selected': String(id === this.#selected), 'aria-expanded': expands ? String(this.#open.has(id)) : undefined,
    }, parts);
    this.#items.push(item);
    return item;
  }

  #turnParts(turn) {
    const { moments } = turn;
    return [
      element('span', { class: turn.prompt ? 'prompt' : 'prompt none' }, bdi(titleOf(turn))),
      element('span', { class: 'facts' },
        time(turn.ended), turn.host ? element('span', { class: 'host' }, turn.host) : null, element('span', {}, fileCount(moments)),
        moments.length > 1 ? element('span', { class: 'moments' }, count(moments.length, 'moment')) : null),
    ];
  }

  #momentParts(moment) {
    const names = [...filesOf([moment])];
    const more = (moment.change_count ?? names.length) - namesShown;
    const shown = names.slice(0, namesShown).map((path) => path.slice(path.lastIndexOf('/') + 1)).join(', ');
    const text = names.length > 0 ? `${shown}${more > 0 ? ` and ${more} more` : ''}` : 'The position of git';
    return [
      element('span', { class: 'facts' }, exactTime(moment.at), element('span', { class: 'names' }, bdi(text))),
      element('span', { class: 'authors' }, authorsOf([moment]).slice(0, namesShown).map(author)),
    ];
  }

  #choose(item) {
    if (!item) return;
    item.focus();
    if (item.dataset.id !== this.#selected) this.select(item.dataset.id);
  }

  #toggle(item, opens = !this.#open.has(item.dataset.id)) {
    this.#opened = item.dataset.id === this.#opened ? undefined : this.#opened;
    if (opens) this.#open.add(item.dataset.id);
    else this.#open.delete(item.dataset.id);
    this.#render();
  }

  #onClick(event) {
    const item = event.target.closest('[role=treeitem]');
    if (!item) return;
    const { id } = item.dataset;
    if (id === this.#selected && item.hasAttribute('aria-expanded')) this.#toggle(item);
    else this.select(id);
    this.#items.find((each) => each.dataset.id === id)?.focus();
    this.enter(id, event);
  }

  #onKey(event) {
    const at = this.#items.indexOf(event.target);
    if (at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    const item = this.#items[at];
    const expanded = item.getAttribute('aria-expanded');
    const parent = () => this.#items.slice(0, at).findLast((each) => each.ariaLevel === '1');
    const actions = {
      ArrowDown: () => this.#choose(this.#items[at + 1]),
      ArrowUp: () => this.#choose(this.#items[at - 1]),
      Home: () => this.#choose(this.#items[0]),
      End: () => this.#choose(this.#items.at(-1)),
      ArrowRight: () => (expanded === 'false' ? this.#toggle(item, true) : expanded && this.#choose(this.#items[at + 1])),
      ArrowLeft: () => (expanded === 'true' ? this.#toggle(item, false) : item.ariaLevel === '2' && this.#choose(parent())),
      Enter: () => { this.#choose(item); this.enter(item.dataset.id, event); },
      ' ': () => expanded && this.#toggle(item),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
}
