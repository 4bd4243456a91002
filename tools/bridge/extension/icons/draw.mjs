// Draws icon.svg with Chromium in the sizes that browsers show: 16.png, 32.png, 48.png and 128.png.
//
//   node draw.mjs        after npm ci in tests/clients
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { chromium } from '../../../../tests/clients/node_modules/playwright-core/index.mjs';
import { program } from '../../../../tests/clients/tabs.mjs';

const here = import.meta.dirname;
const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-gpu'] });
const page = await browser.newPage();
for (const size of [16, 32, 48, 128]) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(`<style>body { margin: 0 } svg { display: block; width: ${size}px; height: ${size}px }</style>${readFileSync(join(here, 'icon.svg'), 'utf8')}`);
  await page.screenshot({ path: join(here, `${size}.png`), omitBackground: true });
}
await browser.close();
