// Both generations of the official TypeScript SDK behind one interface, so that each test is written once.
import { test } from 'node:test';

import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

import { startHttp } from './http.mjs';
import './servers.mjs';

const unknown = { name: 'snapgen-clients', version: '1' };

function v1(who) {
  const client = new ClientV1(who);
  return { client, transport: (server) => new StdioV1(server), http: (url) => new HttpV1(url), call: (...[params, options]) => client.callTool(params, undefined, options) };
}

function v2(mode, who) {
  const client = new ClientV2(who, { versionNegotiation: { mode } });
  return { client, transport: (server) => new StdioV2(server), http: (url) => new HttpV2(url), call: (...words) => client.callTool(...words) };
}

// The ways in which a host opens a connection, each with the resulting revision.
const overStdio = [
  { name: 'SDK v1', revision: '2025-11-25', make: v1 },
  { name: 'SDK v2, initialize', revision: '2025-11-25', make: (who) => v2('legacy', who) },
  { name: 'SDK v2, probing', revision: '2026-07-28', make: (who) => v2('auto', who) },
  { name: 'SDK v2, pinned to 2026-07-28', revision: '2026-07-28', make: (who) => v2({ pin: '2026-07-28' }, who) },
];
export const openings = [...overStdio, ...overStdio.map((opening) => ({ ...opening, name: `${opening.name}, HTTP`, http: true }))];

// Registers a test of a handler, which depends neither on the revision nor on the transport. It runs with the first
// opening, and in `./dev soak` with all.
export const onceOf = (opening) => (opening === openings[0] || process.env.SNAPGEN_SOAK ? test : () => {});

// Returns a connected client, which is closed when the test `t` ends. `errors` collects errors of the SDK about
// messages that it reads. `name` is the name that the client sends.
export async function connect(t, opening, server, name = unknown.name) {
  const { client, transport, http, call } = opening.make({ ...unknown, name });
  const errors = [];
  client.onerror = (error) => errors.push(error);
  const listening = opening.http ? await startHttp(server) : undefined;
  if (listening) t.after(() => listening.stop());
  const { XDG_CONFIG_HOME, XDG_STATE_HOME } = process.env;
  const env = { XDG_CONFIG_HOME, XDG_STATE_HOME, ...server.env };
  const pipe = listening ? http(new URL(listening.url)) : transport({ ...server, env, stderr: 'inherit' });
  await client.connect(pipe);
  t.after(() => client.close());
  const notifications = [];
  const { onmessage } = pipe;
  pipe.onmessage = (message, more) => {
    if (message.method && message.id === undefined) notifications.push(message);
    onmessage.call(pipe, message, more);
  };
  return {
    client,
    errors,
    notifications, // those that came, also those that the SDK does not deliver
    pid: listening ? listening.pid : pipe.pid,
    list: async () => (await client.listTools()).tools,
    call: (name, args, options, _meta) => call({ name, arguments: args, ...(_meta && { _meta }) }, options),
  };
}
