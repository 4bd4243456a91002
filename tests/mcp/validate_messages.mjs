// Validates messages of our servers against the official schemas with a third-party validator.
//
//   node validate_messages.mjs FILE_OR_FOLDER...
//   node validate_messages.mjs --player WIRE_TEST FOLDER
//
// Each line of a file is {"message": ..., "method": ..., "revision": ...}: the server's message, the method of the
// request that it answers (empty: a notification), and the revision of the connection. With --player, the transcript
// tests are run first and write such files into the folder.
//
// The schemas are in SNAPGEN_SHARED/mcp/schema/<revision>/schema.json, the validator is in tests/clients. If one of
// them is missing, the check is skipped (exit code 77).
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const shared = process.env.SNAPGEN_SHARED ?? resolve(here, '../../../shared');
const clients = resolve(here, '../clients');

function skip(sentence) {
  console.log(`Skipped: ${sentence}`);
  process.exit(77);
}

if (!existsSync(join(shared, 'mcp/schema'))) skip(`the official schemas are not in ${shared}/mcp/schema.`);
if (!existsSync(join(clients, 'node_modules/ajv'))) skip('ajv is not installed: npm ci in tests/clients.');

const require = createRequire(join(clients, 'package.json'));
const Draft7 = require('ajv').default;
const Draft2020 = require('ajv/dist/2020').default;

const results = {
  initialize: 'InitializeResult',
  ping: 'EmptyResult',
  'logging/setLevel': 'EmptyResult',
  'resources/subscribe': 'EmptyResult',
  'resources/unsubscribe': 'EmptyResult',
  'server/discover': 'DiscoverResult',
  'tools/list': 'ListToolsResult',
  'tools/call': 'CallToolResult',
  'resources/list': 'ListResourcesResult',
  'resources/templates/list': 'ListResourceTemplatesResult',
  'resources/read': 'ReadResourceResult',
  'prompts/list': 'ListPromptsResult',
  'prompts/get': 'GetPromptResult',
  'completion/complete': 'CompleteResult',
  'subscriptions/listen': 'SubscriptionsListenResult',
};
// Methods of the extension io.modelcontextprotocol/tasks, which has a separate schema.
const tasks = { 'tasks/get': 'GetTaskResult', 'tasks/cancel': 'CancelTaskResult', 'tasks/update': 'UpdateTaskResult' };
const errors = { '-32022': 'UnsupportedProtocolVersionError' };

const official = new Map();

// Returns a function check(definition, value) that validates with the official schema of a revision and returns the
// errors.
function schemaOf(revision) {
  if (!official.has(revision)) {
    const schema = JSON.parse(readFileSync(join(shared, 'mcp/schema', revision, 'schema.json'), 'utf8'));
    delete schema.$id;
    const folder = schema.$defs ? '$defs' : 'definitions';
    const options = { strict: false, validateFormats: false, allErrors: true };
    const ajv = folder === '$defs' ? new Draft2020(options) : new Draft7(options);
    ajv.addSchema(schema, revision);
    official.set(revision, {
      has: (name) => name in schema[folder],
      check(name, value) {
        const validate = ajv.getSchema(`${revision}#/${folder}/${name}`);
        return validate(value) ? [] : validate.errors.map((e) => `${name}${e.instancePath} ${e.message}`);
      },
    });
  }
  return official.get(revision);
}

function first(schema, ...names) {
  return names.find((name) => schema.has(name));
}

function problems({ message, method, revision }) {
  const schema = schemaOf(revision);
  if (Array.isArray(message)) return message.flatMap((each) => problems({ message: each, method: '', revision }));
  if ('error' in message) {
    // JSON-RPC 2.0 section 5 requires a null id if the request's id could not be read; the schemas have no null.
    const answer = message.id === null ? { ...message, id: 0 } : message;
    const special = schema.has(errors[answer.error.code] ?? '') ? errors[answer.error.code] : undefined;
    return schema.check(special ?? first(schema, 'JSONRPCErrorResponse', 'JSONRPCError'), answer);
  }
  if ('result' in message) {
    const found = schema.check(first(schema, 'JSONRPCResultResponse', 'JSONRPCResponse'), message);
    const ofTasks = message.result.resultType === 'task' ? 'CreateTaskResult' : tasks[method];
    if (ofTasks) return [...found, ...schemaOf('ext-tasks').check(ofTasks, message.result)];
    const result = message.result.resultType === 'input_required' ? 'InputRequiredResult' : results[method];
    if (method && !result) return [...found, `there is no result known for ${method}`];
    if (result && !schema.has(result)) return [...found, `revision ${revision} has no ${result}`];
    return result ? [...found, ...schema.check(result, message.result)] : found;
  }
  if ('id' in message) return [...schema.check('JSONRPCRequest', message), ...schema.check('ServerRequest', message)];
  return [...schema.check('JSONRPCNotification', message), ...schema.check('ServerNotification', message)];
}

// Compiles the schemas of a list of tools, as a client does.
function toolProblems({ message, method }) {
  if (method !== 'tools/list' || !message.result) return [];
  const ajv = new Draft2020({ strict: false, validateFormats: false });
  return message.result.tools.flatMap((tool) =>
    [tool.inputSchema, tool.outputSchema ?? true].flatMap((schema) => {
      try {
        ajv.compile(schema);
        return [];
      } catch (error) {
        return [`${tool.name}: ${error.message}`];
      }
    }),
  );
}

let paths = process.argv.slice(2);
if (paths[0] === '--player') {
  const [, player, folder] = paths;
  paths = [folder];
  mkdirSync(folder, { recursive: true });
  const played = spawnSync(player, ['--gtest_filter=*InMemory/*', '--gtest_brief=1'], {
    env: { ...process.env, SNAPGEN_MESSAGES: folder },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (played.status !== 0) {
    console.log('The transcript tests failed; see their output.');
    process.exit(1);
  }
}
const files = paths.flatMap((path) =>
  statSync(path).isDirectory() ? readdirSync(path).map((name) => join(path, name)) : [path],
);

const counts = new Map();
let wrong = 0;
for (const file of files) {
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const said = JSON.parse(line);
    counts.set(said.revision, (counts.get(said.revision) ?? 0) + 1);
    const found = [...problems(said), ...toolProblems(said)];
    if (found.length === 0) continue;
    wrong += 1;
    console.log(`${file}: ${JSON.stringify(said.message).slice(0, 300)}\n  ${found.slice(0, 5).join('\n  ')}`);
  }
}
for (const [revision, count] of [...counts].sort()) console.log(`${revision}: ${count} messages`);
if (counts.size === 0) console.log('There are no messages.');
process.exit(wrong === 0 && counts.size > 0 ? 0 : 1);
