// Divides lines of code into keywords, strings, comments and numbers, for common languages. A token that continues in
// the next line is known by its end, which the caller passes on.

const words = (text) => new Set(text.split(' '));
const cWords = words(
  'abstract as async await auto bool boolean break byte case catch char class co_await co_return concept const consteval constexpr constinit continue crate debugger ' +
  'default defer delete do double dyn else enum explicit export extends extern false final finally float fn for friend from func function get go goto if impl ' +
  'implements import in inline instanceof int interface internal is let long loop match mod move mut namespace new noexcept null nullptr of operator override package ' +
  'private protected pub public range readonly ref requires return select self set short signed sizeof static struct super switch template this throw throws trait ' +
  'true try type typedef typename typeof undefined union unsafe unsigned use using var virtual void volatile where while with yield');
const scriptWords = words(
  'False None True alias and as assert async await begin break case class continue def del do done elif else elsif end ensure esac except export false fi finally for ' +
  'from function global if import in is lambda local match module next nil nonlocal not null or pass raise readonly require rescue return self set then true try ' +
  'unless until while with yield');
const sqlWords = words(
  'ADD ALTER AND AS ASC BEGIN BY CASE COMMIT CREATE DELETE DESC DISTINCT DROP ELSE END EXISTS FOREIGN FROM GROUP HAVING IN INDEX INNER INSERT INTO IS JOIN KEY LEFT ' +
  'LIKE LIMIT NOT NULL ON OR ORDER PRIMARY REFERENCES RETURNING SELECT SET TABLE THEN UNION UNIQUE UPDATE VALUES VIEW WHEN WHERE WITH');

// `line` begins a comment, `long` are tokens over several lines as [begin, end, kind], `quotes` delimit strings.
const slashes = { line: '//', long: [['/*', '*/', 'comment']], quotes: `"'`, words: cWords };
const languages = {
  c: slashes,
  script: { ...slashes, long: [...slashes.long, ['`', '`', 'string']] },
  python: { line: '#', long: [['"""', '"""', 'string'], ["'''", "'''", 'string']], quotes: `"'`, words: scriptWords },
  shell: { line: '#', long: [], quotes: `"'`, words: scriptWords },
  sql: { line: '--', long: [['/*', '*/', 'comment']], quotes: `"'`, words: sqlWords },
  css: { long: [['/*', '*/', 'comment']], quotes: `"'`, words: new Set() },
  json: { long: [], quotes: '"', words: words('true false null') },
  markup: { long: [['<!--', '-->', 'comment']], quotes: '"', words: new Set(), keyword: '<\\/?[A-Za-z][\\w:-]*|\\/?>' },
};
const endings = {
  c: 'c cc cpp cs cxx dart go h hh hpp java kt m php proto rs scala swift zig', script: 'cjs cts js jsx mjs mts ts tsx',
  python: 'py pyi', shell: 'bash build cfg cmake conf dockerfile env ini makefile pl properties r rb sh tf toml yaml yml zsh', sql: 'sql',
  css: 'css less scss', json: 'json jsonc', markup: 'html svg vue xml',
};
const languageOfEnding = new Map(Object.entries(endings).flatMap(([language, all]) => all.split(' ').map((ending) => [ending, language])));

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

// Compiles the pattern of a language with a named group for each kind.
function compiled({ line, long, quotes, keyword }) {
  const strings = [...quotes].map((quote) => `${quote}(?:\\\\.|[^${quote}\\\\])*${quote}?`);
  const kinds = [
    line ? `(?<comment>(?<![\\w$:])${escaped(line)}.*)` : '',
    long.length > 0 ? `(?<long>${long.map(([begin]) => escaped(begin)).join('|')})` : '',
    `(?<string>${strings.join('|')})`,
    keyword ? `(?<keyword>${keyword})` : '',
    '(?<number>\\b(?:0[xX][\\da-fA-F_]+|\\d[\\d_]*(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)\\w*)',
    '(?<word>[A-Za-z_$][\\w$]*)',
  ];
  return new RegExp(kinds.filter(Boolean).join('|'), 'g');
}
const patterns = new Map();

// Returns the language for a file; undefined for plain text.
export function languageOf(path) {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return languageOfEnding.get(name.slice(name.lastIndexOf('.') + 1));
}

// Returns {tokens: [[text, kind]], open}. `open` is [end, kind] of the token that continues after the line.
export function tokens(text, languageName, open) {
  const language = languages[languageName];
  if (!language) return { tokens: [[text, '']], open: undefined };
  if (!patterns.has(languageName)) patterns.set(languageName, compiled(language));
  const pattern = patterns.get(languageName);
  const found = [];
  let at = 0;
  // Adds the token up to its end, or to the end of the line, where it remains open.
  const takeLong = (end, kind, from) => {
    const close = text.indexOf(end, from);
    const to = close < 0 ? text.length : close + end.length;
    found.push([text.slice(at, to), kind]);
    at = to;
    return close < 0 ? [end, kind] : undefined;
  };
  if (open) open = takeLong(...open, 0);
  while (!open && at < text.length) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    const next = match?.index ?? text.length;
    if (next > at) found.push([text.slice(at, next), '']);
    at = next;
    if (!match) break;
    const [[kind, value]] = Object.entries(match.groups).filter(([, each]) => each !== undefined);
    if (kind === 'long') {
      const [begin, end, longKind] = language.long.find(([each]) => each === value);
      open = takeLong(end, longKind, at + begin.length);
      continue;
    }
    const isWord = kind === 'word';
    found.push([value, !isWord ? kind : language.words.has(value) ? 'keyword' : '']);
    at += value.length;
  }
  return { tokens: found, open };
}
