// The conformance cases of tests/websocket/cases (cases.h there describes the format), for a client over a socket.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, deflateRawSync } from 'node:zlib';

const folder = join(import.meta.dirname, '../websocket/cases');
const opcodes = { cont: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 };

const opcodeOf = (word) => opcodes[word] ?? Number(word.slice(2));
const unescaped = (text) => Buffer.from(text.replace(/\\x(..)/g, (_, hex) => String.fromCharCode(parseInt(hex, 16))), 'latin1');
const deflated = (payload) =>
  deflateRawSync(payload, { finishFlush: constants.Z_SYNC_FLUSH, level: 9, memLevel: 9 }).subarray(0, -4);

// Makes a frame from the words after an opcode.
function frameOf(words) {
  const frame = { reserved: 0, masked: true, mask: Buffer.from('37fa213d', 'hex'), payload: Buffer.alloc(0), skip: 0 };
  let repeat = 1;
  let deflate = false;
  for (const word of words) {
    const value = word.slice(word.indexOf('=') + 1);
    if (word.startsWith('"')) {
      const text = unescaped(word.slice(1, -1));
      frame.payload = Buffer.concat([frame.payload, Buffer.alloc(text.length * repeat, text)]);
      repeat = 1;
    } else if (word.startsWith('*')) {
      repeat = Number(word.slice(1));
    } else if (word.startsWith('code=')) {
      frame.payload = Buffer.concat([frame.payload, Buffer.from([value >> 8, value & 255])]);
    } else if (word.startsWith('rsv')) {
      for (const bit of word.match(/\d/g)) frame.reserved |= 0x80 >> bit;
    } else if (word === 'unmasked') {
      frame.masked = false;
    } else if (word.startsWith('mask=')) {
      frame.mask = Buffer.from(value, 'hex');
    } else if (word.startsWith('as=')) {
      frame.lengthBytes = Number(value);
    } else if (word.startsWith('len=')) {
      frame.said = Number(value);
    } else if (word.startsWith('skip=')) {
      frame.skip = Number(value);
    } else if (word === 'deflate') {
      deflate = true;
      frame.reserved |= 0x40;
    } else {
      throw new Error(`unknown word: ${word}`);
    }
  }
  if (deflate) frame.payload = deflated(frame.payload);
  return frame;
}

const masked = (payload, mask, skip = 0) => Buffer.from(payload.map((byte, i) => byte ^ mask[(i + skip) % 4]));

export function bytesOf({ opcode = 1, last = true, reserved = 0, masked: hidden = true, mask = Buffer.from('37fa213d', 'hex'), lengthBytes, said, payload }) {
  const length = said ?? payload.length;
  const more = lengthBytes ?? (length < 126 ? 0 : length < 65536 ? 2 : 8);
  const head = Buffer.alloc(2 + more);
  head[0] = (last ? 0x80 : 0) | reserved | opcode;
  head[1] = (hidden ? 0x80 : 0) | (more === 0 ? length : more === 2 ? 126 : 127);
  if (more === 2) head.writeUInt16BE(length, 2);
  if (more === 8) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat(hidden ? [head, mask, masked(payload, mask)] : [head, payload]);
}

function stepOf(line) {
  const words = line.slice(2).match(/"[^"]*"|\S+/g);
  const [name, ...rest] = words;
  if (line.startsWith('<')) {
    if (name === 'nothing') return { nothing: true };
    if (name === 'close') return { close: Number(rest[0] ?? 1005) };
    return { opcode: opcodeOf(name), payload: frameOf(rest).payload };
  }
  if (name === 'hex') return { send: Buffer.from(rest.join(''), 'hex') };
  const frame = frameOf(rest);
  if (name === 'raw') return { send: masked(frame.payload, frame.mask, frame.skip) };
  const last = !name.endsWith('-');
  return { send: bytesOf({ ...frame, opcode: opcodeOf(last ? name : name.slice(0, -1)), last }) };
}

function* variantsOf(lines) {
  let variants = [{}];
  for (const line of lines.filter((each) => each.startsWith('with '))) {
    const [, name, ...values] = line.match(/"[^"]*"|\S+/g);
    variants = variants.flatMap((variant) => values.map((value) => ({ ...variant, [name]: value })));
  }
  for (const variant of variants)
    yield lines.map((line) => Object.entries(variant).reduce((text, [name, value]) => text.replaceAll(`{${name}}`, () => value), line));
}

const read = new Map();
// Returns {name, limit, offer, steps} of each case in a file.
export function casesOf(file) {
  if (!read.has(file)) read.set(file, readCases(file));
  return read.get(file);
}

function readCases(file) {
  const groups = [];
  for (const line of readFileSync(join(folder, `${file}.txt`), 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    if (line.startsWith('case ')) groups.push([]);
    groups.at(-1).push(line);
  }
  const value = (lines, word) => lines.find((line) => line.startsWith(`${word} `))?.slice(word.length + 1);
  return groups.flatMap((group) => [...variantsOf(group)].map((lines) => ({
    name: value(lines, 'case'),
    limit: Number(value(lines, 'limit') ?? 1 << 20),
    offer: value(lines, 'offer'),
    steps: lines.filter((line) => /^[<>] /.test(line)).map(stepOf),
  })));
}
