import { afterEach, describe, expect, it } from '@jest/globals';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { once } from 'node:events';
import { request } from 'node:http';
import { bodiesIn } from '../audit/record/records.testing.ts';
import { Metrics } from '../health/metrics.ts';
import { testService, type TestService } from '../testing/service.testing.ts';
import { until } from '../testing/until.testing.ts';
import { ProblemFilter } from './problem.filter.ts';

const envelopes = [...sampleEnvelopes({ users: 2 })];
let service: TestService;
afterEach(async () => {
  await service.close();
});

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly status?: number;
}
const lines = (): Line[] => service.log.map((line) => JSON.parse(line) as Line);

describe('a client that hangs up', () => {
  it('is counted as 499 where its answer is given up, and is no fault', async () => {
    const begun: string[] = [];
    service = await testService(envelopes, {
      source: {
        users: async (_team, _query, call) => {
          begun.push('listUsers');
          await once(call!.signal, 'abort');
          call!.signal.throwIfAborted();
          throw new Error('not aborted');
        },
      },
    });
    const key = await service.key(sampleTeamId);
    const sent = request({
      ...{ port: service.port, host: '127.0.0.1', path: '/v2/user?limit=1' },
      headers: { 'x-service-api-key': key },
    });
    sent.on('error', () => undefined);
    sent.end();
    await until(() => begun.length === 1);
    sent.destroy();
    await until(() => lines().some(({ msg }) => msg === 'request'));
    expect(lines().filter(({ level }) => level >= 50)).toEqual([]);
    expect(lines().find(({ msg }) => msg === 'request')).toMatchObject({ level: 30, status: 499 });
    const text = await service.app.get(Metrics, { strict: false }).text();
    expect(text).toMatch(/_count\{operation="listUsers",status="499"\} 1$/mu);
    expect(text).not.toMatch(/status="5\d\d"/u);
    expect(bodiesIn(service.folder)).toContainEqual(
      expect.objectContaining({
        ...{ operation: 'listUsers', decision: 'failed', reason_code: 'disconnected' },
        ...{ http_status: 499, patients: [] },
      }),
    );
  });
});

describe('a service that is stopped during a request', () => {
  it('answers 503, not 500, where the request fails since it stops', async () => {
    let isBegun = false;
    let fail: () => void = () => undefined;
    const failing = new Promise<never>((_, reject) => {
      fail = () => {
        reject(new Error('The database connection is not open'));
      };
    });
    failing.catch(() => undefined);
    service = await testService(envelopes, {
      source: {
        users: () => {
          isBegun = true;
          return failing;
        },
      },
    });
    const answer = service.get('/v2/user?limit=1', await service.key(sampleTeamId));
    await until(() => isBegun);
    const closing = service.app.close();
    await until(() => service.app.get(ProblemFilter, { strict: false }).isClosing);
    fail();
    const { status, headers } = await answer;
    expect([status, headers['retry-after']]).toEqual([503, '1']);
    await closing;
    expect(lines().filter((line) => line.status === 500)).toEqual([]);
  });
});
