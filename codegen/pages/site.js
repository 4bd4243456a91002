// The features that need a script: the colour switch, the search, copying, and the menu on phones.
(() => {
  'use strict';
  const root = document.documentElement;
  root.classList.add('script');

  // ---- colours: the system's setting, light, or dark
  const themes = ['auto', 'light', 'dark'];
  const stored = () => {
    try {
      return localStorage.getItem('snapgen-theme');
    } catch {
      return null; // Some browsers have no storage for pages from the disk.
    }
  };
  let theme = themes.includes(stored()) ? stored() : 'auto';
  const paint = () => {
    if (theme === 'auto') delete root.dataset.theme;
    else root.dataset.theme = theme;
  };
  paint();

  addEventListener('DOMContentLoaded', () => {
    const button = document.getElementById('theme');
    const label = () => {
      button.textContent = theme[0].toUpperCase() + theme.slice(1);
      button.setAttribute('aria-label', `Colours: ${theme}`);
    };
    label();
    button.hidden = false;
    button.addEventListener('click', () => {
      theme = themes[(themes.indexOf(theme) + 1) % themes.length];
      try {
        localStorage.setItem('snapgen-theme', theme);
      } catch {
        // The switch still works, for this page.
      }
      paint();
      label();
    });

    const menu = document.getElementById('menu');
    const navigation = document.getElementById('navigation');
    menu.hidden = false;
    menu.addEventListener('click', () => {
      menu.setAttribute('aria-expanded', String(navigation.classList.toggle('open')));
    });

    for (const each of document.querySelectorAll('.copy')) {
      each.hidden = false;
      each.addEventListener('click', () => copy(each));
    }
    search();
    document.querySelector('.navigation [aria-current]')?.scrollIntoView({ block: 'nearest' });
  });

  // ---- copying
  async function copy(button) {
    const text = button.dataset.copy ?? button.closest('figure').querySelector('code').textContent;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement('textarea');
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand('copy');
      area.remove();
      button.focus();
    }
    button.classList.add('copied');
    if (!button.dataset.copy) button.textContent = 'Copied';
    setTimeout(() => {
      button.classList.remove('copied');
      if (!button.dataset.copy) button.textContent = 'Copy';
    }, 1500);
  }

  // ---- search
  // Returns the words of a text or name: snapshot.grep, max_bytes and ReadProject have two each.
  const fold = (text) => text.replace(/([a-z0-9])(?=[A-Z])/g, '$1 ').toLowerCase().replace(/[\s._-]+/g, ' ').trim();

  // What the search reads of a page: its names, the types, members and constants that it describes, its headings, its text,
  // and every identifier in these.
  const parts = new Map();
  function partsOf(page) {
    if (!parts.has(page)) {
      const file = page.url.slice(page.url.lastIndexOf('/') + 1, -'.html'.length);
      parts.set(page, {
        names: [page.title, file, ...page.names.split(' ')].filter(Boolean).map(fold),
        terms: page.terms.split('\n').map(fold),
        heads: ` ${fold(page.heads)}`,
        text: ` ${fold(page.words)}`,
        identifiers: new Set(`${page.title} ${page.names} ${page.terms} ${page.heads} ${page.words}`.toLowerCase().match(/[\w$]+/g)),
      });
    }
    return parts.get(page);
  }

  // The rank of a page for a query; 0: no match.
  function worth(page, query) {
    const words = fold(query).split(' ').filter(Boolean);
    if (!words.length) return 0;
    const { names, terms, heads, text, identifiers } = partsOf(page);
    const phrase = words.join(' ');
    const ranks = [];
    // For a name of several words, such as CommandResults, the pages that have the name precede those that have the words.
    if (words.length > 1 && identifiers.has(query.toLowerCase())) ranks.push(terms.includes(phrase) ? 80 : 62);
    for (const name of names) ranks.push(name === phrase ? 100 : name.startsWith(phrase) ? 60 : name.includes(` ${phrase}`) ? 55 : 0);
    for (const term of terms) ranks.push(term === phrase ? 50 : words.every((word) => ` ${term}`.includes(` ${word}`)) ? 35 : 0);
    const values = words.map((word) => {
      const begin = ` ${word}`;
      if (names.some((name) => ` ${name}`.includes(begin))) return 20;
      if (heads.includes(begin)) return 15;
      if (terms.some((term) => ` ${term}`.includes(begin))) return 10;
      return text.includes(begin) ? 5 : text.includes(word) ? 2 : 0;
    });
    if (!values.includes(0)) ranks.push(values.reduce((a, b) => a + b) / words.length);
    // Pages that have the words side by side, such as a shell command, precede those that have them anywhere.
    if (words.length > 1 && [heads, text].some((part) => part.includes(` ${phrase}`))) ranks.push(30);
    return Math.max(...ranks);
  }

  function find(query) {
    const asked = query.trim();
    // The functions isX and parseX are generated for each type X.
    const type = /^(?:is|parse)([A-Z]\w*)$/.exec(asked)?.[1] ?? '';
    const kinds = { Tool: 3, Manual: 2, Family: 2 };
    return (window.snapgenPages ?? [])
      .map((page) => ({ page, value: Math.max(worth(page, asked), worth(page, type)), kind: kinds[page.kind] ?? 0 }))
      .filter(({ value }) => value > 0)
      .sort((a, b) => b.value + b.kind - a.value - a.kind || (a.page.url < b.page.url ? -1 : 1))
      .slice(0, 12)
      .map(({ page }) => page);
  }

  function search() {
    const input = document.getElementById('search');
    const list = document.getElementById('found');
    let chosen = -1;

    const choose = (index) => {
      const items = list.querySelectorAll('[role=option]');
      chosen = items.length ? (index + items.length) % items.length : -1;
      items.forEach((item, i) => item.setAttribute('aria-selected', String(i === chosen)));
      if (chosen >= 0) {
        input.setAttribute('aria-activedescendant', items[chosen].id);
        items[chosen].scrollIntoView({ block: 'nearest' });
      } else {
        input.removeAttribute('aria-activedescendant');
      }
    };
    const close = () => {
      list.hidden = true;
      input.setAttribute('aria-expanded', 'false');
      choose(-1);
    };
    const go = (item) => item && location.assign(item.dataset.url);
    const element = (tag, text, name) => {
      const made = document.createElement(tag);
      made.textContent = text;
      if (name) made.className = name;
      return made;
    };

    const show = () => {
      const pages = find(input.value);
      list.replaceChildren(
        ...pages.map((page, i) => {
          const item = element('li', '');
          item.id = `found-${i}`;
          item.setAttribute('role', 'option');
          item.dataset.url = root.dataset.root + page.url;
          const name = page.names.split(' ')[0];
          item.append(element('span', page.kind, 'kind'), element('b', name || page.title));
          if (name && name !== page.title) item.append(` ${page.title}`);
          item.append(element('p', page.summary));
          item.addEventListener('mousemove', () => choose(i));
          item.addEventListener('mousedown', (event) => event.preventDefault());
          item.addEventListener('click', () => go(item));
          return item;
        }),
      );
      if (!pages.length && input.value.trim()) list.append(element('li', 'Nothing found.', 'none'));
      const open = list.children.length > 0;
      list.hidden = !open;
      input.setAttribute('aria-expanded', String(open));
      choose(pages.length ? 0 : -1);
    };

    input.addEventListener('input', show);
    input.addEventListener('focus', () => input.value && show());
    input.addEventListener('blur', close);
    input.form.addEventListener('submit', (event) => {
      event.preventDefault();
      go(list.children[chosen]);
    });
    input.addEventListener('keydown', (event) => {
      if (event.key === 'ArrowDown') choose(chosen + 1);
      else if (event.key === 'ArrowUp') choose(chosen - 1);
      else if (event.key === 'Escape') input.value = '', close();
      else return;
      event.preventDefault();
    });
    addEventListener('keydown', (event) => {
      const typing = event.target.closest?.('input, textarea, [contenteditable]');
      if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      input.focus();
    });
  }
})();
