import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { parseResponse, withHeader, type RawResponse } from './raw-response.ts';

/**
 * Sends one request unchanged, over a new connection, and reads the complete response.
 *
 * @param target `http://` or `https://` URL; only its host and port are used
 * @param head of a request without a body
 */
export async function requestUpstream(target: URL, head: string): Promise<RawResponse> {
  const socket = connection(target);
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve, reject) => {
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('end', resolve);
    socket.on('error', reject);
    // The response then ends with the connection, however it is framed.
    socket.write(withHeader(head, 'connection', 'close'), 'latin1');
  });
  socket.destroy();
  const answer = parseResponse(Buffer.concat(chunks));
  return { ...answer, head: withHeader(answer.head, 'connection', 'keep-alive') };
}

function connection({ protocol, hostname, port }: URL): Socket {
  const host = hostname.replace(/^\[|\]$/gu, '');
  return protocol === 'https:'
    ? connectTls({ host, port: Number(port || 443), servername: host })
    : connect(Number(port || 80), host);
}
