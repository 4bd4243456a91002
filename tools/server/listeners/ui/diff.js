// Shows unified diffs, inline or side by side. Unchanged lines that are far from a change are folded.
import { button, count, element } from './elements.js';
import { languageOf, tokens } from './highlight.js';

const contextLines = 3;

// Returns the lines of a section: {sign, text, old, new, begins}. `begins` is true for the first line of a hunk.
function linesOf(diff) {
  const lines = [];
  let numbers;
  let begins = false;
  const all = diff.split('\n');
  if (all.at(-1) === '') all.pop();
  for (const line of all) {
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (hunk) {
      // git names the line before an empty side.
      numbers = { old: Number(hunk[1]) + (hunk[2] === '0' ? 1 : 0), new: Number(hunk[3]) + (hunk[4] === '0' ? 1 : 0) };
      begins = true;
    } else if (line.startsWith('diff --git ')) {
      numbers = undefined;
    } else if (line.startsWith('\\')) {
      lines.at(-1).note = 'No line break at the end of the file';
    } else if (numbers) {
      const sign = line[0];
      lines.push({
        sign, text: line.slice(1), begins, old: sign === '+' ? undefined : numbers.old++, new: sign === '-' ? undefined : numbers.new++,
      });
      begins = false;
    }
  }
  return lines;
}

// Sets the tokens of each line.
function colour(lines, language) {
  let open = { old: undefined, new: undefined };
  for (const line of lines) {
    if (line.begins) open = { old: undefined, new: undefined };
    const { tokens: found, open: after } = tokens(line.text, language, line.sign === '-' ? open.old : open.new);
    line.tokens = found;
    if (line.sign !== '+') open.old = after;
    if (line.sign !== '-') open.new = after;
  }
}

// Sets the part of both lines that differs, if they are similar.
function compareWords(before, after) {
  const [a, b] = [before.text, after.text];
  const shortest = Math.min(a.length, b.length);
  let begin = 0;
  while (begin < shortest && a[begin] === b[begin]) ++begin;
  let end = 0;
  while (end < shortest - begin && a[a.length - 1 - end] === b[b.length - 1 - end]) ++end;
  if (a.slice(0, begin).trim().length + end < shortest / 3) return;
  before.differs = [begin, a.length - end];
  after.differs = [begin, b.length - end];
}

// Returns rows [before, after]: pairs of unchanged or changed lines, or one side only.
function rowsOf(lines) {
  const rows = [];
  for (let i = 0; i < lines.length;) {
    if (lines[i].sign === ' ') {
      rows.push([lines[i], lines[i]]);
      ++i;
      continue;
    }
    const removed = [];
    const added = [];
    for (const begin = i; i < lines.length && lines[i].sign !== ' ' && (i === begin || !lines[i].begins) && !(lines[i].sign === '-' && added.length > 0); ++i)
      (lines[i].sign === '-' ? removed : added).push(lines[i]);
    for (let j = 0; j < Math.max(removed.length, added.length); ++j) {
      if (removed[j] && added[j]) compareWords(removed[j], added[j]);
      rows.push([removed[j], added[j]]);
    }
  }
  return rows;
}

const isSame = ([before, after]) => before === after;

// Returns the rows with {fold, hidden} in place of rows that are far from a change: the number of the first one, and how
// many there are, if that is known. `opened` has the numbers of the folds that the user opened. `isWhole`: the diff has
// all lines of the file.
function folded(rows, opened, isWhole) {
  const changes = rows.flatMap((row, i) => (isSame(row) ? [] : [i]));
  let change = 0;
  const isNear = (i) => {
    while (change < changes.length && changes[change] < i - contextLines) ++change;
    return change < changes.length && changes[change] <= i + contextLines;
  };
  const shown = [];
  let next = 1;
  for (let i = 0; i < rows.length;) {
    const begin = i;
    if (isSame(rows[i]) && rows[i][1].new > next) shown.push({ fold: next, hidden: rows[i][1].new - next });
    while (i < rows.length && isSame(rows[i]) && !isNear(i)) ++i;
    const fold = rows[begin][1]?.new;
    if (i - begin > 1 && !opened.has(fold)) shown.push({ fold, hidden: i - begin });
    else shown.push(...rows.slice(begin, i));
    if (i === begin) shown.push(rows[i++]);
    next = (rows[i - 1][1]?.new ?? next - 1) + 1;
  }
  const trailing = rows.length - 1 - (changes.at(-1) ?? 0);
  if (!isWhole && trailing >= contextLines) shown.push({ fold: next });
  return shown;
}

// Returns the text of a line with its colours.
function code(line) {
  const [from, to] = line.differs ?? [0, 0];
  const parts = [];
  let at = 0;
  for (const [text, kind] of line.tokens) {
    const cuts = [at, ...[from, to].filter((cut) => cut > at && cut < at + text.length), at + text.length];
    for (let i = 0; i + 1 < cuts.length; ++i) {
      const names = [kind, cuts[i] >= from && cuts[i] < to ? 'word' : ''].filter(Boolean).join(' ');
      const piece = text.slice(cuts[i] - at, cuts[i + 1] - at);
      parts.push(names ? element('span', { class: names }, piece) : piece);
    }
    at += text.length;
  }
  if (line.note) parts.push(element('span', { class: 'note' }, line.note));
  return parts;
}

const kinds = { '+': 'added', '-': 'removed', ' ': 'same' };

// The sign and the number are generated by the style sheet, so that copied text has only the code.
const numberCell = (line, number) => element('td', { class: line ? `line ${kinds[line.sign]}` : 'line none', 'data-number': number });
const codeCell = (line) => (line ? element('td', { class: `code ${kinds[line.sign]}`, 'data-sign': line.sign.trim() || undefined }, code(line)) : element('td', { class: 'code none' }));

const inlineRow = (line) => element('tr', {}, numberCell(line, line.old), numberCell(line, line.new), codeCell(line));
const sideBySideRow = ([before, after]) =>
  element('tr', {}, numberCell(before, before?.old), codeCell(before), numberCell(after, after?.new), codeCell(after));

// Orders the rows of each change for the inline form: first the removed lines, then the added ones.
function inlineRows(rows) {
  const out = [];
  let added = [];
  for (const row of [...rows, undefined]) {
    if (row && !row.fold && !isSame(row)) {
      if (row[0]) out.push(inlineRow(row[0]));
      if (row[1]) added.push(inlineRow(row[1]));
      continue;
    }
    out.push(...added);
    added = [];
    if (row) out.push(row.fold ? row : inlineRow(row[1]));
  }
  return out;
}

// Returns a table with the section of a diff. `side`: old and new lines are side by side. `open(fold)` is called when the
// user opens a fold; without it, folds cannot be opened.
export function diffTable({ path, diff, side, opened, isWhole, open }) {
  const lines = linesOf(diff);
  colour(lines, languageOf(path));
  const rows = folded(rowsOf(lines), opened, isWhole);
  const foldRow = ({ fold, hidden }) => {
    const label = hidden === undefined ? 'the rest of the file' : count(hidden, 'unchanged line');
    return element('tr', { class: 'fold' }, element('td', { colspan: side ? 4 : 3 }, open ? button(`Show ${label}`, () => open(fold)) : `… ${label}`));
  };
  const shown = (side ? rows : inlineRows(rows)).map((row) => (row.fold ? foldRow(row) : side ? sideBySideRow(row) : row));
  const columns = (side ? ['line', '', 'line', ''] : ['line', 'line', '']).map((name) => element('col', { class: name }));
  return element('table', { class: side ? 'diff side' : 'diff inline', 'aria-label': `Changes of ${path}` },
    element('colgroup', {}, columns), element('tbody', {}, shown));
}

// Returns what the header of a section reports about permissions, such as "Permissions: 644 to 755"; null if nothing.
export function permissions(diff) {
  const modes = /^old mode \d*(\d{3})\nnew mode \d*(\d{3})$/m.exec(diff);
  return modes ? `Permissions: ${modes[1]} to ${modes[2]}` : null;
}

export const hasLines = (diff) => /^@@ /m.test(diff);
