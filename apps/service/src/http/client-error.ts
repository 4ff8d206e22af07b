import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { PROBLEMS, type ProblemType } from '../problem/problems.ts';
import { getAddress } from './client-address.ts';
import { PROBLEM_MEDIA_TYPE, formatProblem } from '../problem/problem-error.ts';

/** Maximum size of the request line and all headers together. */
export const MAX_HEADER_BYTES = 16_384;

/** Time in milliseconds for the client to read the response before the socket is closed. */
const LINGER_MS = 1000;

const answered = new WeakSet<Socket>();

interface ClientError {
  readonly code?: string;
  readonly rawPacket?: unknown;
}

/** Responds on the raw socket to requests that Node's parser rejected or that were too slow. */
export function createClientErrorHandler(
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
    // Part of another response may have been sent. A second response would be read as its body.
    if (!socket.writable || socket._httpMessage?.headersSent === true) {
      socket.destroy();
      return;
    }
    // Discard further data. Otherwise, a connection reset could overtake the response.
    socket.removeAllListeners('data');
    socket.resume();
    const problem = chooseProblem(error);
    onAnswer(PROBLEMS[problem].status, getAddress(socket));
    socket.end(buildRawResponse(problem));
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

function chooseProblem(error: ClientError): ProblemType {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return isRequestLineTooLong(error.rawPacket) ? 'uri-too-long' : 'headers-too-large';
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return 'payload-too-large';
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'request-timeout';
    case undefined:
    default:
      return 'malformed-request';
  }
}

function isRequestLineTooLong(packet: unknown): boolean {
  if (!(packet instanceof Buffer) || !/^[A-Z]{3,16} \//.test(packet.toString('latin1', 0, 20))) {
    return false;
  }
  const end = packet.indexOf('\n');
  return end === -1 || end > MAX_HEADER_BYTES;
}

function buildRawResponse(type: ProblemType): string {
  const { status } = PROBLEMS[type];
  const requestId = randomUUID();
  const body = formatProblem({ type }, requestId);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
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
