import { once, setMaxListeners } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CidrList } from '../../config/cidr-list.ts';
import { BLANKS, type Piece, splitFrames, START } from '@caregate/hl7v2';

export interface MllpAddress {
  readonly host: string;
  readonly port: number;
}

export interface MllpOptions {
  /**
   * Resolves to the acknowledgment without its frame, when it may be sent, or to undefined if the connection must be
   * closed.
   */
  readonly answer: (piece: Piece) => Promise<Uint8Array | undefined>;
  /** Called with a sentence that says why a connection was closed or refused. */
  readonly onProblem: (message: string) => void;
  readonly allowed: CidrList;
  /** Maximum pause in milliseconds before or within a message. Between two messages it may be ten times as long. */
  readonly idleMs?: number;
}

export interface MllpServer {
  readonly address: string;
  /** Stops reading. Resolves when the last acknowledgment was sent. */
  stop(): Promise<void>;
}

const MAX_CONNECTIONS = 64;
const IDLE_MS = 60_000;
const IDLE_PERIODS = 10;
/** Time for the last acknowledgment to arrive, since closing a socket with unread bytes resets the connection. */
const LINGER_MS = 500;

const FRAME_START = Buffer.of(START);
const FRAME_END = Buffer.of(0x1c, 0x0d);

export async function serveMllp(
  { host, port }: MllpAddress,
  options: MllpOptions,
): Promise<MllpServer> {
  const connections = new Map<Connection, Promise<void>>();
  const stopping = new AbortController();
  setMaxListeners(2 * MAX_CONNECTIONS, stopping.signal);
  // Half-open, since a sender may end its side after its last message.
  const server = createServer({ allowHalfOpen: true, keepAlive: true }, (socket) => {
    const { remoteAddress = '' } = socket;
    socket.on('error', () => socket.destroy());
    if (!options.allowed.allows(remoteAddress)) {
      socket.destroy();
      options.onProblem(`A connection of ${remoteAddress} is refused: --allow does not name it.`);
      return;
    }
    if (connections.size >= MAX_CONNECTIONS) {
      // At the connection limit, close the longest idle connection, so that idle senders can't block others. They
      // reconnect for their next message.
      const longest = [...connections.keys()].reduce((one, other) =>
        other.idleSince < one.idleSince ? other : one,
      );
      if (longest.idleSince === Infinity) {
        socket.destroy();
        options.onProblem(`A connection is refused: ${MAX_CONNECTIONS} are open.`);
        return;
      }
      longest.end();
    }
    const connection: Connection = { idleSince: performance.now(), end: () => undefined };
    const ended = serveConnection(socket, connection, stopping.signal, options);
    connections.set(connection, ended);
    void ended.finally(() => connections.delete(connection));
  });
  // Closed connections still count for a moment, so Node's own limit is higher.
  server.maxConnections = 2 * MAX_CONNECTIONS;
  await once(server.listen(port, host), 'listening');
  const { address, family, port: boundPort } = server.address() as AddressInfo;
  return {
    address: `${family === 'IPv6' ? `[${address}]` : address}:${boundPort}`,
    stop: async () => {
      server.close();
      stopping.abort();
      await Promise.all(connections.values());
    },
  };
}

interface Connection {
  /**
   * Time as in `performance.now()`. Infinite while a message is received or processed, and while the connection is
   * being closed.
   */
  idleSince: number;
  end: () => void;
}

/** Processes one message after the other until the sender ends or `stopped` is aborted. Never rejects. */
async function serveConnection(
  socket: Socket,
  connection: Connection,
  stopped: AbortSignal,
  { answer, onProblem, idleMs = IDLE_MS }: MllpOptions,
): Promise<void> {
  const checkFirstByte = (chunk: Buffer): void => {
    const first = chunk.find((byte) => !BLANKS.has(byte));
    if (first !== undefined) {
      socket.off('data', checkFirstByte);
    }
    if (first !== undefined && first !== START) {
      onProblem(`A connection of ${socket.remoteAddress} was closed: it does not speak MLLP.`);
      socket.destroy();
    }
  };
  const input = new PassThrough();
  const endInput = (): void => {
    connection.idleSince = Infinity;
    socket.unpipe(input);
    input.end();
  };
  connection.end = endInput;
  socket.on('data', checkFirstByte);
  let lastByte: number | undefined;
  let isAnswering = false;
  socket.on('data', (chunk: Buffer) => {
    const last = chunk.findLast((byte) => !BLANKS.has(byte));
    if (last !== undefined) {
      lastByte = last;
      connection.idleSince = Infinity;
      socket.setTimeout(idleMs);
    }
  });
  socket.on('close', endInput);
  stopped.addEventListener('abort', endInput);
  socket.setTimeout(idleMs, () => {
    if (socket.writableLength > 0) {
      onProblem('A connection was closed: its sender did not read the acknowledgments.');
      socket.destroy();
    } else if (!isAnswering || lastByte !== FRAME_END[0]) {
      // While the sender waits for its acknowledgment, it isn't idle, however long processing takes.
      endInput();
    }
  });
  socket.pipe(input);
  let hasStrayBytes = false;
  const onStray = (): void => {
    if (!hasStrayBytes && !socket.destroyed) {
      onProblem('Bytes between the messages of a connection are ignored.');
    }
    hasStrayBytes = true;
  };
  for await (const piece of splitFrames(input, onStray)) {
    isAnswering = true;
    const bytes = socket.destroyed ? undefined : await answer(piece);
    if (bytes === undefined) {
      break;
    }
    await new Promise((resolve) => {
      socket.write(Buffer.concat([FRAME_START, bytes, FRAME_END]), resolve);
    });
    isAnswering = false;
    if ('fault' in piece && piece.fault === 'too-long') {
      break;
    }
    if (lastByte === FRAME_END[0] && !input.writableEnded) {
      connection.idleSince = performance.now();
      socket.setTimeout(IDLE_PERIODS * idleMs);
    }
  }
  stopped.removeEventListener('abort', endInput);
  socket.end();
  socket.resume();
  await Promise.race([once(socket, 'close'), sleep(LINGER_MS)]);
  socket.destroy();
}
