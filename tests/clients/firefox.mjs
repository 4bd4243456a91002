// Firefox, driven with WebDriver BiDi, which it speaks itself on a WebSocket.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

// The program of the browser; undefined if there is none.
export const firefox = [process.env.FIREFOX, '/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => path && existsSync(path));

export class Firefox {
  #next = 1;
  #waiting = new Map();

  // Starts the browser with a new profile in `folder`, which has these preferences.
  static async start(folder, preferences) {
    const browser = new Firefox();
    mkdirSync(folder);
    writeFileSync(join(folder, 'user.js'), Object.entries(preferences).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`).join(''));
    browser.child = spawn(firefox, ['--headless', '--no-remote', '--profile', folder, '--remote-debugging-port', '0', '--remote-allow-system-access', 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'] });
    const url = await new Promise((done, fail) => {
      createInterface({ input: browser.child.stderr }).on('line', (line) => {
        const [, found] = /listening on (ws:\S+)/.exec(line) ?? [];
        if (found) done(found);
      });
      browser.child.on('exit', (code) => fail(new Error(`Firefox has ended with ${code}.`)));
    });
    browser.socket = new WebSocket(`${url}/session`);
    browser.socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      browser.#waiting.get(message.id)?.(message);
    };
    await new Promise((done, fail) => Object.assign(browser.socket, { onopen: done, onerror: fail }));
    await browser.send('session.new', { capabilities: {} });
    return browser;
  }

  async send(method, params = {}) {
    const id = this.#next++;
    const answer = new Promise((done) => this.#waiting.set(id, done));
    this.socket.send(JSON.stringify({ id, method, params }));
    const message = await answer;
    if (message.error) throw new Error(`${method}: ${message.error}: ${message.message}`);
    return message.result;
  }

  // Opens a tab, which may be a page of an extension.
  async open(url) {
    const { contexts: [window] } = await this.send('browsingContext.getTree', { 'moz:scope': 'chrome', maxDepth: 0 });
    // WebDriver neither navigates to a page of an extension nor reports that it has loaded.
    const opened = `new Promise((done) => {
      const tab = gBrowser.addTab(${JSON.stringify(url)}, { triggeringPrincipal: Services.scriptSecurityManager.getSystemPrincipal() });
      gBrowser.selectedTab = tab;
      const check = () => {
        if (tab.linkedBrowser.currentURI.spec === 'about:blank' || tab.linkedBrowser.webProgress.isLoadingDocument) setTimeout(check, 20);
        else done();
      };
      check();
    })`;
    await this.send('script.evaluate', { expression: opened, target: { context: window.context }, awaitPromise: true });
    const { contexts } = await this.send('browsingContext.getTree');
    const { context } = contexts.findLast((each) => each.url.startsWith(url));
    return new Tab(this, context);
  }

  async close() {
    this.socket.close();
    const ended = new Promise((done) => this.child.on('exit', done));
    this.child.kill();
    await ended;
  }
}

class Tab {
  constructor(browser, context) {
    Object.assign(this, { browser, context });
  }

  // Runs a function in the page, and returns its result.
  async evaluate(action, ...values) {
    const { result, exceptionDetails } = await this.browser.send('script.evaluate', {
      expression: `(async () => JSON.stringify(await (${action})(...${JSON.stringify(values)})))()`, target: { context: this.context }, awaitPromise: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return result.value === undefined ? undefined : JSON.parse(result.value);
  }

  fill(selector, text) {
    return this.evaluate((path, value) => { document.querySelector(path).value = value; }, selector, text);
  }

  // Clicks as a person does, in the tab that was opened last: an extension may ask for a permission only then.
  async click(selector) {
    const [x, y] = await this.evaluate((path) => {
      const { left, top, width, height } = document.querySelector(path).getBoundingClientRect();
      return [Math.round(left + width / 2), Math.round(top + height / 2)];
    }, selector);
    const actions = [{ type: 'pointerMove', x, y }, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }];
    await this.browser.send('input.performActions', { context: this.context, actions: [{ type: 'pointer', id: 'mouse', actions }] });
  }

  // Resolves when the text of an element has these words.
  reads(selector, words) {
    return this.evaluate((path, expected) => new Promise((done) => {
      const node = document.querySelector(path);
      const check = () => node.textContent.includes(expected) && done();
      new MutationObserver(check).observe(node, { childList: true, characterData: true, subtree: true });
      check();
    }), selector, words);
  }
}
