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
  /** Resolves to the acknowledgement, without its frame, once it may leave; to undefined if the connection must end. */
  readonly answer: (piece: Piece) => Promise<Uint8Array | undefined>;
  /** Called with a sentence that says why a connection ended or was refused. */
  readonly onProblem: (message: string) => void;
  readonly allowed: CidrList;
  /** The longest pause of a sender, in milliseconds. */
  readonly idleMs?: number;
}

export interface MllpServer {
  readonly address: string;
  /** Reads no more bytes, and resolves once the last answer was sent. */
  stop(): Promise<void>;
}

const MAX_CONNECTIONS = 64;
const IDLE_MS = 600_000;
/** Time for the last answer to arrive: closing a socket with unread bytes resets the connection. */
const LINGER_MS = 500;

const FRAME_START = Buffer.of(START);
const FRAME_END = Buffer.of(0x1c, 0x0d);

/** @throws the error of `listen` */
export async function serveMllp(
  { host, port }: MllpAddress,
  options: MllpOptions,
): Promise<MllpServer> {
  const connections = new Set<Promise<void>>();
  const stopping = new AbortController();
  setMaxListeners(MAX_CONNECTIONS, stopping.signal);
  // Half-open: a sender may end its side after its last message.
  const server = createServer({ allowHalfOpen: true, keepAlive: true }, (socket) => {
    const { remoteAddress = '' } = socket;
    socket.on('error', () => socket.destroy());
    if (!options.allowed.allows(remoteAddress)) {
      socket.destroy();
      options.onProblem(`A connection of ${remoteAddress} is refused: --allow does not name it.`);
      return;
    }
    const ended = serveConnection(socket, stopping.signal, options);
    connections.add(ended);
    void ended.finally(() => connections.delete(ended));
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.on('drop', () => {
    options.onProblem(`A connection is refused: ${MAX_CONNECTIONS} are open.`);
  });
  await once(server.listen(port, host), 'listening');
  const { address, family, port: boundPort } = server.address() as AddressInfo;
  return {
    address: `${family === 'IPv6' ? `[${address}]` : address}:${boundPort}`,
    stop: async () => {
      server.close();
      stopping.abort();
      await Promise.all(connections);
    },
  };
}

/** Answers one message after the other until the sender ends or `stopped` is aborted. Never rejects. */
async function serveConnection(
  socket: Socket,
  stopped: AbortSignal,
  { answer, onProblem, idleMs = IDLE_MS }: MllpOptions,
): Promise<void> {
  const checkFirstByte = (chunk: Buffer): void => {
    const first = chunk.find((byte) => !BLANKS.has(byte));
    if (first !== undefined) {
      socket.off('data', checkFirstByte);
    }
    if (first !== undefined && first !== START) {
      onProblem(`A connection of ${socket.remoteAddress} was ended: it does not speak MLLP.`);
      socket.destroy();
    }
  };
  const input = new PassThrough();
  const endInput = (): void => {
    socket.unpipe(input);
    input.end();
  };
  socket.on('data', checkFirstByte);
  socket.on('close', endInput);
  stopped.addEventListener('abort', endInput);
  socket.setTimeout(idleMs, () => {
    if (socket.writableLength > 0) {
      onProblem('A connection was ended: its sender did not read the answers.');
      socket.destroy();
    } else {
      endInput();
    }
  });
  socket.pipe(input);
  for await (const piece of splitFrames(input)) {
    const bytes = socket.destroyed ? undefined : await answer(piece);
    if (bytes === undefined) {
      break;
    }
    await new Promise((resolve) => {
      socket.write(Buffer.concat([FRAME_START, bytes, FRAME_END]), resolve);
    });
    if ('fault' in piece && piece.fault === 'too-long') {
      break;
    }
  }
  stopped.removeEventListener('abort', endInput);
  socket.end();
  socket.resume();
  await Promise.race([once(socket, 'close'), sleep(LINGER_MS)]);
  socket.destroy();
}
