import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { answerOf, withHeader, type Answer } from './answer.ts';

/**
 * Sends one request as it came, over a connection of its own, and reads the answer to its end.
 *
 * @param target `http://` or `https://` address; nothing but its host and port is used
 * @param head of a request without a body
 */
export async function askUpstream(target: URL, head: string): Promise<Answer> {
  const socket = connection(target);
  const chunks: Buffer[] = [];
  await new Promise<void>((resolve, reject) => {
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('end', resolve);
    socket.on('error', reject);
    // The end of the answer is then the end of the connection, however it is framed.
    socket.write(withHeader(head, 'connection', 'close'), 'latin1');
  });
  socket.destroy();
  const answer = answerOf(Buffer.concat(chunks));
  return { ...answer, head: withHeader(answer.head, 'connection', 'keep-alive') };
}

function connection({ protocol, hostname, port }: URL): Socket {
  const host = hostname.replace(/^\[|\]$/gu, '');
  return protocol === 'https:'
    ? connectTls({ host, port: Number(port || 443), servername: host })
    : connect(Number(port || 80), host);
}
