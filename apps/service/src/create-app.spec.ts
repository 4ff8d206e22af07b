import { describe, expect, it } from '@jest/globals';
import { sampleTeamId } from '@caregate/sample-data';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { testService } from './http/service.testing.ts';

describe('closing the service', () => {
  it('lets a running request finish and waits for no idle connection', async () => {
    let closed = 0;
    const service = await testService([], {
      source: {
        close: () => {
          closed += 1;
          return Promise.resolve();
        },
        listUsers: async () => {
          await delay(300);
          return { users: '[]', ids: [], total: 0 };
        },
      },
    });
    const key = await service.key(sampleTeamId);
    const idle = connect(service.port, '127.0.0.1');
    idle.on('error', () => undefined);
    idle.write('GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n');
    await new Promise((resolve) => idle.once('data', resolve));

    const running = service.get('/v2/user/', key);
    await delay(100);
    const began = performance.now();
    await service.close();
    expect((await running).status).toBe(200);
    expect(performance.now() - began).toBeLessThan(1500);
    expect(closed).toBe(1);
    await expect(service.access.ready()).rejects.toThrow();
    idle.destroy();
  });

  it('cuts off what has not finished after shutdownTimeoutMs', async () => {
    const service = await testService([], {
      config: { shutdownTimeoutMs: 200 },
      source: {
        listUsers: async () => {
          await delay(3000, undefined, { ref: false });
          return { users: '[]', ids: [], total: 0 };
        },
      },
    });
    const running = service.get('/v2/user/', await service.key(sampleTeamId));
    const cut = expect(running).rejects.toThrow();
    await delay(100);
    const began = performance.now();
    await service.close();
    expect(performance.now() - began).toBeLessThan(1500);
    await cut;
  });
});

describe('starting the service', () => {
  it('fails where the narrowing would widen', async () => {
    await expect(
      testService([], { config: { narrow: 'billing.labOrderResult=yes' } }),
    ).rejects.toThrow();
  });
});
