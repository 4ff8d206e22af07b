import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import type { CidrList } from '../../config/cidr-list.ts';
import { BLANKS, type Piece, splitFrames, START } from '@caregate/hl7v2';

export interface MllpAddress {
  readonly host: string;
  readonly port: number;
}

export interface MllpOptions {
  /** Resolves to the acknowledgement once it may leave, without frame; to undefined if there is none. */
  readonly answer: (piece: Piece) => Promise<Uint8Array | undefined>;
  /** Told in a sentence why a connection was ended or refused. */
  readonly tell: (why: string) => void;
  /** Whose connections are taken. */
  readonly allowed: CidrList;
  /** The longest pause within a frame, and before the first one; ten times as long between frames. */
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

const FRAME_START = Buffer.of(START);
const FRAME_END = Buffer.of(0x1c, 0x0d);
const IDLE_PERIODS = 10;

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
  const refused = new Set<string>();
  const server = createServer(tcp, (socket) => {
    const { remoteAddress = '' } = socket;
    if (!options.allowed.allows(remoteAddress)) {
      socket.destroy();
      if (!refused.has(remoteAddress) && refused.size < MOST_CONNECTIONS) {
        refused.add(remoteAddress);
        options.tell(`Connections of ${remoteAddress} are refused: --allow does not name it.`);
      }
      return;
    }
    if (connections.size >= MOST_CONNECTIONS) {
      // Whoever has sent nothing for the longest time gives way: an idle sender connects again when it has a message.
      const idle = [...connections.keys()].filter((one) => one.isIdle && !one.isStopped);
      const [longest] = idle.sort((one, other) => one.lastActiveMs - other.lastActiveMs);
      if (longest === undefined) {
        socket.destroy();
        if (!isFull) {
          options.tell(`Connections are refused: ${MOST_CONNECTIONS} are open.`);
        }
        isFull = true;
        return;
      }
      longest.stop();
    }
    const connection = new Connection(socket, options);
    const ended = connection.serve().finally(() => {
      connections.delete(connection);
      isFull &&= connections.size > MOST_CONNECTIONS / 2;
    });
    connections.set(connection, ended);
  });
  // The one above those that are served waits until an idle one has ended.
  server.maxConnections = 2 * MOST_CONNECTIONS;
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
  readonly #tell: MllpOptions['tell'];
  readonly #inlet = new PassThrough();
  lastActiveMs = performance.now();
  isStopped = false;
  /** White space apart; nothing was sent yet if it is undefined. */
  #lastByte: number | undefined;
  #idlePeriods = 0;
  #lingerMs = LINGER_MS;

  constructor(socket: Socket, { answer, tell, idleMs = IDLE_MS }: MllpOptions) {
    this.#socket = socket;
    this.#answer = answer;
    this.#tell = tell;
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#inlet.end());
    socket.on('data', (chunk: Buffer) => {
      if (socket.destroyed) {
        return;
      }
      this.lastActiveMs = performance.now();
      this.#idlePeriods = 0;
      const first = chunk.find((byte) => !BLANKS.has(byte));
      if (this.#lastByte === undefined && first !== undefined && first !== START) {
        tell(`A connection of ${socket.remoteAddress ?? ''} was ended: it does not speak MLLP.`);
        this.isStopped = true;
        socket.destroy();
        return;
      }
      this.#lastByte = chunk.findLast((byte) => !BLANKS.has(byte)) ?? this.#lastByte;
    });
    socket.setTimeout(idleMs);
    socket.on('timeout', () => {
      this.#idlePeriods += 1;
      if (socket.writableLength > 0) {
        tell('A connection was ended: its sender did not read the answers.');
        socket.destroy();
      } else if (
        (!this.isIdle || this.#lastByte === undefined || this.#idlePeriods >= IDLE_PERIODS) &&
        !this.#inlet.writableNeedDrain
      ) {
        this.#endInput();
      } else {
        socket.setTimeout(idleMs);
      }
    });
    socket.pipe(this.#inlet);
  }

  /** Whether no frame has begun that did not end. */
  get isIdle(): boolean {
    return this.#lastByte === undefined || this.#lastByte === FRAME_END[0];
  }

  /** Never rejects. */
  async serve(): Promise<void> {
    let sent = Promise.resolve();
    let [messages, bytes] = [0, 0];
    let hasStrayBytes = false;
    const onStray = (): void => {
      if (!hasStrayBytes && !this.isStopped) {
        this.#tell('Bytes between the messages of a connection are ignored.');
      }
      hasStrayBytes = true;
    };
    for await (const piece of splitFrames(this.#inlet, onStray)) {
      if (this.#socket.destroyed) {
        break;
      }
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
    this.isStopped = true;
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
        this.#socket.write(Buffer.concat([FRAME_START, bytes, FRAME_END]), resolve);
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
