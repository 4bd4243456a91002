// Evaluated in a page. Returns the lowest contrast of any visible text with its background, and the lightness of the
// page's background. `except`: a selector of elements to skip.
export const contrast = (except) => {
  const channel = (value) => (value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const parse = (text) => text.match(/[\d.]+/g).map(Number);
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  let worst = { value: 99, text: '' };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.textContent.trim() || !node.parentElement.checkVisibility()) continue;
    if (except && node.parentElement.closest(except)) continue;
    let behind = node.parentElement;
    while (behind && parse(getComputedStyle(behind).backgroundColor)[3] === 0) behind = behind.parentElement;
    const [a, b] = [light(parse(getComputedStyle(node.parentElement).color)), light(parse(getComputedStyle(behind ?? document.body).backgroundColor))];
    const value = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (value < worst.value) worst = { value, text: node.textContent.trim() };
  }
  return { ...worst, paper: light(parse(getComputedStyle(document.body).backgroundColor)) };
};
