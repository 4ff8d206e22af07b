import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { PROBLEMS, type ProblemType } from '../problem/problems.ts';
import { addressOf } from './client-address.ts';
import { PROBLEM_MEDIA_TYPE, problemText } from '../problem/send-problem.ts';

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  414: 'URI Too Long',
  431: 'Request Header Fields Too Large',
};

/** How long a refused sender may take to read why. */
const LINGER_MS = 1000;

const answered = new WeakSet<Socket>();

interface ClientError {
  readonly code?: string;
  /** The chunk that the parser refused. */
  readonly rawPacket?: unknown;
}

/**
 * Answers, on the bare socket, what Node's HTTP parser refused or what came too slowly, and closes the connection.
 *
 * @param onAnswer told of each such answer
 */
export function clientErrorHandler(
  maxHeaderBytes: number,
  onAnswer: (status: number, address: string) => void,
): (
  error: ClientError,
  socket: Socket & { _httpMessage?: { headersSent?: boolean } | null },
) => void {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || socket.destroyed || answered.has(socket)) {
      return;
    }
    answered.add(socket);
    // Half of another answer may be out already: a second one behind it would be read as its body.
    if (!socket.writable || socket._httpMessage?.headersSent === true) {
      socket.destroy();
      return;
    }
    // What the sender still sends is read and dropped, or the reset of the connection could overtake the answer.
    socket.removeAllListeners('data');
    socket.resume();
    const problem = problemOfClientError(error, maxHeaderBytes);
    onAnswer(PROBLEMS[problem].status, addressOf(socket));
    socket.end(rawAnswer(problem));
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

function problemOfClientError(error: ClientError, maxHeaderBytes: number): ProblemType {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return isTooLongALine(error.rawPacket, maxHeaderBytes) ? 'uri-too-long' : 'headers-too-large';
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return 'payload-too-large';
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'request-timeout';
    case undefined:
    default:
      return 'malformed-request';
  }
}

/** Whether the request line alone is more than all headers together may be. */
function isTooLongALine(packet: unknown, maxHeaderBytes: number): boolean {
  if (!(packet instanceof Buffer) || !/^[A-Z]{3,16} \//.test(packet.toString('latin1', 0, 20))) {
    return false;
  }
  const end = packet.indexOf('\n');
  return end === -1 || end > maxHeaderBytes;
}

function rawAnswer(type: ProblemType): string {
  const { status } = PROBLEMS[type];
  const requestId = randomUUID();
  const body = problemText({ type }, requestId);
  return [
    `HTTP/1.1 ${status} ${REASONS[status] ?? 'Error'}`,
    `date: ${new Date().toUTCString()}`,
    `x-request-id: ${requestId}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    `content-type: ${PROBLEM_MEDIA_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    '',
    body,
  ].join('\r\n');
}
