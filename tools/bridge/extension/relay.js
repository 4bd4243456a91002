// The content script: passes messages between the worker and page.js, because only page.js can access Snap!'s
// objects. It is active only in pages in which page.js found Snap!.
'use strict';
(() => {
  // A message must never have a member `selector`: Snap! calls ide[selector]() for it.
  const channel = crypto.randomUUID();
  let port;

  const hello = () => window.postMessage({ bridgeChannel: channel, to: 'page', action: 'hello' }, location.origin);
  function connect() {
    port = chrome.runtime.connect({ name: 'page' });
    port.onMessage.addListener((message) => {
      if (message.action === 'confirm')
        port.postMessage({ kind: 'answer', id: message.id, value: confirm(`Your AI host wants to do this in Snap!: ${message.text}. Allow it?`) });
      else window.postMessage({ bridgeChannel: channel, to: 'page', ...message }, location.origin);
    });
    // The browser has ended the worker, so this connects to the next one.
    port.onDisconnect.addListener(() => setTimeout(connect, 100));
  }
  window.addEventListener('message', ({ source, data }) => {
    if (source !== window || data?.to !== 'relay') return;
    if (data.kind === 'loaded') return hello();
    if (data.bridgeChannel !== channel) return;
    if (data.kind === 'ready') return port ? undefined : connect();
    try {
      port?.postMessage({ kind: data.kind, id: data.id, value: data.value, error: data.error, type: data.type, payload: data.payload });
    } catch {
      // The extension was reloaded, so this page must be reloaded, too.
    }
  });
  hello();
})();
