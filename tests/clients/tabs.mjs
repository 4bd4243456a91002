// Tabs of a real browser, for the tests of a suite.
import { existsSync } from 'node:fs';
import { after, before } from 'node:test';
import { chromium } from 'playwright-core';

// The program of the browser; undefined if there is none.
export const program = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => path && existsSync(path));

// Starts the browser for the suite in which it is called. Returns a function that opens a URL in a new context,
// and collects the errors and the requests of the page.
export function browserTabs() {
  let browser;
  before(async () => {
    browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox', '--disable-gpu'] });
  });
  after(() => browser?.close());
  return async (t, url, options) => {
    const context = await browser.newContext(options);
    t.after(() => context.close());
    const tab = await context.newPage();
    const complaints = [];
    const asked = [];
    tab.on('console', (message) => complaints.push(message.text()));
    tab.on('pageerror', (error) => complaints.push(String(error)));
    tab.on('request', (request) => asked.push(request.url()));
    await tab.goto(url);
    return { tab, context, complaints, asked };
  };
}
