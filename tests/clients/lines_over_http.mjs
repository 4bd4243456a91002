#!/usr/bin/env node
// A server that reads and writes lines on standard input and output, like --stdio, and uses the fixture server over
// Streamable HTTP: each line is sent as one POST, and each message of a response or a stream is printed as a line. Used
// to play the transcripts.
import { createInterface } from 'node:readline';

import { startHttp } from './http.mjs';
import { fixture } from './servers.mjs';

const { url, pid } = await startHttp({ ...fixture, args: process.argv.slice(2) });

const say = (text) => process.stdout.write(`${text}\n`);
let session = {};

// Prints the events of a stream until the stream ends.
async function stream(body) {
  let text = '';
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    text += piece;
    const events = text.split('\n\n');
    text = events.pop();
    for (const event of events) {
      const data = event.split('\n').filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trimStart()).join('\n');
      if (data) say(data);
    }
  }
}

// Opens the stream on which a stateful server sends messages that belong to no request.
async function listen() {
  const response = await fetch(url, { headers: { accept: 'text/event-stream', ...session } });
  if (response.ok) stream(response.body).catch(() => {});
}

// Some hosts skip the handshake over stdio; over HTTP a session begins with it.
async function shakeHands() {
  await post(JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'lines', version: '1' } } }), () => {});
}

async function post(line, tell = say) {
  let message;
  try { message = JSON.parse(line); } catch { message = {}; }
  const { method, params } = message ?? {};
  const version = params?._meta?.['io.modelcontextprotocol/protocolVersion'];
  const name = params?.name ?? params?.uri ?? params?.taskId;
  const modern = typeof version === 'string' && { 'mcp-protocol-version': version, 'mcp-method': method, ...(typeof name === 'string' && { 'mcp-name': name }) };
  if (!modern && !session['mcp-session-id'] && method !== 'initialize') await shakeHands();
  const response = await fetch(url, {
    method: 'POST', body: line,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...(modern || session) },
  });
  const id = response.headers.get('mcp-session-id');
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) return stream(response.body).catch(() => {});
  const text = await response.text();
  if (id) {
    session = { 'mcp-session-id': id, 'mcp-protocol-version': JSON.parse(text).result.protocolVersion };
    await listen();
  }
  if (text) tell(text);
}

for await (const line of createInterface({ input: process.stdin })) {
  const answered = post(line);
  // Waits until a message without a response has arrived before sending the next one.
  if (!line.includes('"id"')) await answered;
}
process.kill(pid, 'SIGKILL');
process.exit(0);
