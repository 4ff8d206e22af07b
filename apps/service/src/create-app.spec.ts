import { describe, expect, it } from '@jest/globals';
import { sampleTeamId } from '@caregate/sample-data';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Limits } from './config/limits.ts';
import { testService, type TestService } from './testing/service.testing.ts';
import { until } from './testing/until.testing.ts';
import type { AuditEntry } from './audit/audit-record.ts';

/** A timeout that never expires in this spec. */
const LONG_MS = 600_000;
const patient = {
  shutdownMs: LONG_MS,
  requestMs: LONG_MS,
  headersMs: LONG_MS,
} satisfies Partial<Limits>;

async function heldService(limits: Partial<Limits> = {}) {
  const entries: AuditEntry[] = [];
  const held: (() => void)[] = [];
  let closed = 0;
  const service = await testService([], {
    limits: { ...patient, ...limits },
    audit: (log) => ({
      close: () => log.close(),
      record: (entry) => {
        entries.push(entry);
        return log.record(entry);
      },
    }),
    source: {
      close: () => {
        closed += 1;
        return Promise.resolve();
      },
      listUsers: async () => {
        await new Promise<void>((answer) => held.push(answer));
        return { body: '{"users":[]}', ids: [], total: 0 };
      },
    },
  });
  return {
    service,
    entries,
    key: await service.key(sampleTeamId),
    closed: () => closed,
    untilAsked: (count: number) => until(() => held.length >= count),
    answer: () => {
      held.forEach((answer) => {
        answer();
      });
    },
  };
}

async function connection(service: TestService): Promise<{ socket: Socket; text: () => string }> {
  const socket = connect(service.port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => (text += part));
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return { socket, text: () => text };
}

/** Waits until the service no longer accepts connections. */
async function closing(service: TestService): Promise<void> {
  await until(async () => {
    const socket = connect(service.port, '127.0.0.1');
    const refused = await once(socket, 'connect').then(
      () => false,
      () => true,
    );
    socket.destroy();
    return refused;
  });
}

describe('closing the service', () => {
  it('lets a running request finish and waits for no idle connection', async () => {
    const { service, key, untilAsked, answer, closed } = await heldService();
    const { socket: idle, text } = await connection(service);
    idle.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
    await until(() => text().endsWith('}'));

    const running = service.get('/v2/user/', key);
    await untilAsked(1);
    const done = service.close();
    await closing(service);
    expect(closed()).toBe(0);
    answer();
    expect((await running).status).toBe(200);
    // Without closing idle connections, this would wait for the timeouts above.
    await done;
    expect(closed()).toBe(1);
    await expect(service.access.checkReady()).rejects.toThrow();
    idle.destroy();
  });

  it('cuts off what has not finished after the time for a shutdown', async () => {
    const { service, key, untilAsked } = await heldService({ shutdownMs: 200 });
    const cut = expect(service.get('/v2/user/', key)).rejects.toThrow();
    await untilAsked(1);
    // The response never arrives, so only the shutdown ends the request.
    await service.close();
    await cut;
  });

  it('answers what still comes over open connections with a problem document, and records it', async () => {
    const { service, key, entries } = await heldService();
    const head = `host: x\r\nx-service-api-key: ${key}\r\n\r\n`;
    const late = [
      `GET /v2/user/resolve/x HTTP/1.1\r\n${head}`,
      'GET /v2/user/ HTTP/1.1\r\nhost: x\r\n\r\n',
      `GET /nowhere HTTP/1.1\r\n${head}`,
      `GET /v2/user/%zz HTTP/1.1\r\n${head}`,
      `DELETE /v2/user/ HTTP/1.1\r\n${head}`,
      'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n',
      'GET /readyz HTTP/1.1\r\nhost: x\r\n\r\n',
    ];
    const accepted: Socket[] = [];
    service.app.getHttpServer().on('connection', (socket) => accepted.push(socket));
    const open = await Promise.all(late.map(() => connection(service)));
    // A connection stays open if a request has begun to arrive.
    open.forEach(({ socket }, at) => socket.write(late[at]!.slice(0, 10)));
    await until(() => accepted.filter(({ bytesRead }) => bytesRead === 10).length === late.length);
    const done = service.close();
    await closing(service);
    const ends = open.map(({ socket }) => once(socket, 'close'));
    open.forEach(({ socket }, at) => socket.write(late[at]!.slice(10)));
    await Promise.all(ends);
    await done;
    for (const { text } of open) {
      const [headers = '', body = ''] = text().replaceAll('\r', '').split('\n\n');
      expect(headers).toMatch(/^HTTP\/1\.1 503 /);
      for (const header of [
        /^content-type: application\/problem\+json/im,
        /^retry-after: 1$/im,
        /^connection: close$/im,
        /^cache-control: no-store$/im,
        /^x-request-id: [0-9a-f-]{36}$/im,
      ]) {
        expect(headers).toMatch(header);
      }
      expect(JSON.parse(body)).toMatchObject({ status: 503, title: 'Service unavailable' });
    }
    const refused = entries.filter(({ http_status: status }) => status === 503);
    expect(refused.map(({ actor_type: type }) => type)).toEqual(refused.map(() => 'anonymous'));
    const counts = refused.map((one) => `${one.operation} ${one.record_count}`);
    expect(counts.sort()).toEqual(['listUsers 1', 'none 3', 'resolveUser 1']);
  });
});
