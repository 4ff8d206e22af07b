import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { splitFrames, type Piece } from '../../hl7/split-messages.ts';

export interface MllpAddress {
  readonly host: string;
  readonly port: number;
}

export interface MllpOptions {
  /** Resolves to the acknowledgement once it may leave, without frame; to undefined if there is none. */
  readonly answer: (piece: Piece) => Promise<Uint8Array | undefined>;
  /** Told in a sentence why a connection was ended or refused. */
  readonly tell: (why: string) => void;
  /** The longest pause within a frame. */
  readonly idleMs?: number;
}

export interface MllpServer {
  readonly address: string;
  /** Takes no more bytes, and resolves once the last answer was sent. */
  stop(): Promise<void>;
}

const MOST_CONNECTIONS = 64;
const IDLE_MS = 60_000;
/** For the last answer to arrive: a socket that is closed before all was read resets the connection. */
const LINGER_MS = 1000;
/** Of a connection, that are not yet answered. */
const MOST_MESSAGES = 64;
const MOST_BYTES = 16 * 2 ** 20;

const START = Buffer.of(0x0b);
const END = Buffer.of(0x1c, 0x0d);

/** @throws the error of `listen` */
export async function serveMllp(
  { host, port }: MllpAddress,
  options: MllpOptions,
): Promise<MllpServer> {
  const connections = new Map<Connection, Promise<void>>();
  // Half-open: a sender may end its side after its last message.
  const tcp = {
    allowHalfOpen: true,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
  };
  let isFull = false;
  const server = createServer(tcp, (socket) => {
    const connection = new Connection(socket, options);
    const ended = connection.serve().finally(() => {
      connections.delete(connection);
      isFull &&= connections.size > MOST_CONNECTIONS / 2;
    });
    connections.set(connection, ended);
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.on('drop', () => {
    if (!isFull) {
      options.tell(`Connections are refused: ${MOST_CONNECTIONS} are open.`);
    }
    isFull = true;
  });
  await once(server.listen(port, host), 'listening');
  const { address, family, port: own } = server.address() as AddressInfo;
  return {
    address: `${family === 'IPv6' ? `[${address}]` : address}:${own}`,
    stop: async () => {
      server.close();
      for (const connection of connections.keys()) {
        connection.stop();
      }
      await Promise.all(connections.values());
    },
  };
}

class Connection {
  readonly #socket: Socket;
  readonly #answer: MllpOptions['answer'];
  readonly #inlet = new PassThrough();
  /** Line ends apart. */
  #lastByte = END[0];
  #lingerMs = LINGER_MS;

  constructor(socket: Socket, { answer, tell, idleMs = IDLE_MS }: MllpOptions) {
    this.#socket = socket;
    this.#answer = answer;
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#inlet.end());
    socket.on('data', (chunk: Buffer) => {
      this.#lastByte = chunk.findLast((byte) => byte !== 0x0d && byte !== 0x0a) ?? this.#lastByte;
    });
    socket.setTimeout(idleMs);
    socket.on('timeout', () => {
      if (socket.writableLength > 0) {
        tell('A connection was ended: its sender did not read the answers.');
        socket.destroy();
      } else if (this.#lastByte !== END[0] && !this.#inlet.writableNeedDrain) {
        this.#endInput();
      }
    });
    socket.pipe(this.#inlet);
  }

  /** Never rejects. */
  async serve(): Promise<void> {
    let sent = Promise.resolve();
    let [messages, bytes] = [0, 0];
    for await (const piece of splitFrames(this.#inlet)) {
      const answer = this.#answer(piece);
      sent = sent.then(async () => {
        await this.#send(await answer);
      });
      messages += 1;
      bytes += 'bytes' in piece ? piece.bytes.length : 0;
      if (messages >= MOST_MESSAGES || bytes >= MOST_BYTES) {
        await sent;
        [messages, bytes] = [0, 0];
      }
      if ('fault' in piece && piece.fault === 'too-long') {
        this.#endInput();
        break;
      }
    }
    await sent;
    await this.#close();
  }

  stop(): void {
    this.#lingerMs = LINGER_MS / 10;
    this.#endInput();
  }

  #endInput(): void {
    this.#socket.unpipe(this.#inlet);
    this.#inlet.end();
  }

  /** Resolves once the system has it, or the connection is gone. */
  async #send(bytes: Uint8Array | undefined): Promise<void> {
    if (bytes !== undefined) {
      await new Promise((resolve) => {
        this.#socket.write(Buffer.concat([START, bytes, END]), resolve);
      });
    }
  }

  async #close(): Promise<void> {
    const socket = this.#socket;
    if (socket.destroyed) {
      return;
    }
    const closed = once(socket, 'close');
    socket.end();
    socket.resume();
    const late = setTimeout(() => {
      socket.destroy();
    }, this.#lingerMs);
    await closed;
    clearTimeout(late);
  }
}
