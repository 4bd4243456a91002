// A WebSocket client that sends arbitrary bytes over a plain socket.
import { connect } from 'node:net';
import { constants, createInflateRaw } from 'node:zlib';

// Resolves to the head of the response and a peer, which is null if the status was not 101.
export async function shakeHands(url, { fields = {}, offer, line } = {}) {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  const peer = new Peer(socket);
  const all = {
    Host: host, Upgrade: 'websocket', Connection: 'Upgrade', 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version': '13', ...(offer ? { 'Sec-WebSocket-Extensions': offer } : {}), ...fields,
  };
  const lines = Object.entries(all).filter(([, value]) => value !== undefined).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${line ?? 'GET / HTTP/1.1'}\r\n${lines.join('')}\r\n`);
  const head = await peer.head();
  if (head.startsWith('HTTP/1.1 101 ')) return { head, peer };
  socket.destroy();
  return { head, peer: null };
}

class Peer {
  #bytes = Buffer.alloc(0);
  #wake = () => {};
  ended = false;

  constructor(socket) {
    this.socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (more) => {
      this.#bytes = Buffer.concat([this.#bytes, more]);
      this.#wake();
    });
    const end = () => {
      this.ended = true;
      this.#wake();
    };
    socket.on('end', end);
    socket.on('close', end);
    socket.on('error', (error) => {
      this.error = error;
      end();
    });
  }

  send(bytes) {
    return new Promise((resolve) => this.socket.write(bytes, resolve));
  }
  get unread() {
    return this.#bytes.length;
  }

  async #until(ready) {
    while (!ready()) {
      if (this.ended) return false;
      await new Promise((resolve) => (this.#wake = resolve));
    }
    return true;
  }
  #take(count) {
    const taken = this.#bytes.subarray(0, count);
    this.#bytes = this.#bytes.subarray(count);
    return taken;
  }

  async head() {
    await this.#until(() => this.#bytes.includes('\r\n\r\n'));
    const end = this.#bytes.indexOf('\r\n\r\n');
    return this.#take(end < 0 ? this.#bytes.length : end + 4).toString('latin1');
  }

  // Returns the server's next frame, or null at the end.
  async frame() {
    if (!(await this.#until(() => this.#bytes.length >= 2))) return null;
    const short = this.#bytes[1] & 127;
    const more = short === 126 ? 2 : short === 127 ? 8 : 0;
    if (!(await this.#until(() => this.#bytes.length >= 2 + more))) return null;
    const length = more === 0 ? short : more === 2 ? this.#bytes.readUInt16BE(2) : Number(this.#bytes.readBigUInt64BE(2));
    if (!(await this.#until(() => this.#bytes.length >= 2 + more + length))) return null;
    const head = this.#take(2 + more);
    let payload = Buffer.from(this.#take(length));
    if ((head[0] & 0x40) !== 0) payload = await this.#expanded(payload);
    return { opcode: head[0] & 15, last: (head[0] & 128) !== 0, masked: (head[1] & 128) !== 0, reserved: head[0] & 0x30, payload };
  }

  // Retains the compression context of the previous messages.
  #inflater = createInflateRaw();
  #expanded(payload) {
    const pieces = [];
    const collect = (piece) => pieces.push(piece);
    this.#inflater.on('data', collect);
    return new Promise((resolve) => {
      this.#inflater.write(payload);
      this.#inflater.write(Buffer.from([0, 0, 255, 255]));
      this.#inflater.flush(constants.Z_SYNC_FLUSH, () => {
        this.#inflater.off('data', collect);
        resolve(Buffer.concat(pieces));
      });
    });
  }

  // Resolves when the server has disconnected.
  async end() {
    await this.#until(() => this.#bytes.length > 0);
    return this.#bytes.length === 0;
  }
}
