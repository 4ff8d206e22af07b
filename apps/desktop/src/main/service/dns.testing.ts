import { createSocket } from 'node:dgram';
import type { SrvRecord } from 'node:dns';
import { once } from 'node:events';

export interface DnsServer {
  readonly address: string;
  readonly asked: readonly string[];
  close(): void;
}

export const record = (name: string, port = 443, priority = 0, weight = 0): SrvRecord => ({
  ...{ name, port, priority, weight },
});

/** A DNS server that has SRV records for one name, and no other name. */
export async function startDns(name: string, records: readonly SrvRecord[]): Promise<DnsServer> {
  const asked: string[] = [];
  const socket = createSocket('udp4', (query, from) => {
    const question = query.subarray(12, questionEnd(query));
    asked.push(nameIn(question));
    const answers = nameIn(question) === name ? records.map(answerOf) : [];
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(answers.length > 0 ? 0x81_80 : 0x81_83, 2);
    header.writeUInt16BE(answers.length, 6);
    header.writeUInt32BE(0, 8);
    socket.send(Buffer.concat([header, question, ...answers]), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${String(socket.address().port)}`,
    asked,
    close: () => {
      socket.close();
    },
  };
}

function labels(name: string): Buffer {
  const parts = name
    .split('.')
    .map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`));
  return Buffer.concat([...parts, Buffer.of(0)]);
}

/** RFC 1035, 4.1.3, with the name as a pointer to the question's. */
function answerOf({ name, port, priority, weight }: SrvRecord): Buffer {
  const target = labels(name);
  const fixed = Buffer.alloc(18);
  [0xc0_0c, 33, 1, 0, 60, 6 + target.length, priority, weight, port].forEach((value, at) => {
    fixed.writeUInt16BE(value, at * 2);
  });
  return Buffer.concat([fixed, target]);
}

function questionEnd(query: Buffer): number {
  return query.indexOf(0, 12) + 5;
}

function nameIn(question: Buffer): string {
  const found: string[] = [];
  for (let at = 0; question[at] !== 0; at += (question[at] ?? 0) + 1) {
    found.push(question.toString('latin1', at + 1, at + 1 + (question[at] ?? 0)));
  }
  return found.join('.').toLowerCase();
}
