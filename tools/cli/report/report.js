
'use strict';
// Optional: adds the theme switch and the filter of the timeline. The page works without this script.
(() => {
  const root = document.documentElement;
  const theme = document.getElementById('theme');
  theme.hidden = false;
  theme.addEventListener('click', () => {
    const is_dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = is_dark ? 'light' : 'dark';
  });

  const events = [...document.querySelectorAll('.timeline li')];
  const kinds = [...new Set(events.map((each) => each.dataset.kind))].sort();
  const filters = document.getElementById('filters');
  const chosen = new Set(kinds);
  const show = () => {
    for (const each of events) each.hidden = !chosen.has(each.dataset.kind);
    for (const day of document.querySelectorAll('.day')) day.hidden = !day.querySelector('li:not([hidden])');
  };
  for (const kind of kinds) {
    const label = document.createElement('label');
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.checked = true;
    box.addEventListener('change', () => {
      if (box.checked) chosen.add(kind);
      else chosen.delete(kind);
      show();
    });
    label.append(box, ` ${kind}`);
    filters.append(label);
  }
  filters.hidden = kinds.length < 2;
})();
