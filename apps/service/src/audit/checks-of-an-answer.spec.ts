import { newDatabase } from '@caregate/postgres';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { AccessGuard } from '../auth/access.guard.ts';
import { parseSecret } from '../auth/key-format.ts';
import { KeyRepository } from '../auth/repositories/key.repository.ts';
import { testService, type TestService } from '../testing/service.testing.ts';

const envelopes = [...sampleEnvelopes({ users: 3 })];
const { order_id: orderId } = envelopes.find((envelope) => envelope.kind === 'lab_result')!;

/** The way to each answer is the same. */
const reads = {
  listUsers: '/v2/user/?limit=2',
  labOrderResult: `/v3/order/${orderId}/result`,
};

/** What is asked on the way to one answer, as often as it is asked; never fewer, whatever makes an answer faster. */
interface Checks {
  keysAuthenticated: number;
  permissionsDecided: number;
  recordsWritten: number;
}

describe.each(['SQLite', 'PostgreSQL'])('an answer on %s', (engine) => {
  let service: TestService;
  const recorded: string[] = [];

  beforeAll(async () => {
    service = await testService(envelopes, {
      databaseUrl: engine === 'SQLite' ? '' : await newDatabase(),
      audit: (log) => ({
        record: (entry) => {
          recorded.push(entry.operation);
          return log.record(entry);
        },
        close: () => log.close(),
      }),
    });
  });
  afterAll(async () => {
    await service.close();
  });

  /** The checks of one request, by what was really called. */
  async function checksOf(path: string, key: string): Promise<Checks & { status: number }> {
    const spies = {
      authenticate: jest.spyOn(KeyRepository.prototype, 'authenticate'),
      guard: jest.spyOn(AccessGuard.prototype, 'canActivate'),
    };
    recorded.length = 0;
    const { status, headers } = await service.get(path, key);
    expect(headers['x-audit-record-id'] === undefined).toBe(status === 401);
    const checks = {
      status,
      keysAuthenticated: spies.authenticate.mock.calls.length,
      permissionsDecided: spies.guard.mock.calls.length,
      recordsWritten: recorded.length,
    };
    Object.values(spies).forEach((spy) => {
      spy.mockRestore();
    });
    return checks;
  }

  const each = { keysAuthenticated: 1, permissionsDecided: 1 };

  it.each(Object.entries(reads))(
    'of %s is checked once by each, every time, and recorded once',
    async (operation, path) => {
      const key = await service.key(sampleTeamId);
      for (let time = 0; time < 3; time += 1) {
        expect(await checksOf(path, key)).toEqual({ status: 200, ...each, recordsWritten: 1 });
        expect(recorded).toEqual([operation]);
      }
    },
  );

  it('is refused to a role without the permission, which is recorded, and to a key that was revoked', async () => {
    const path = reads.labOrderResult;
    const auditor = await service.key(sampleTeamId, 'auditor');
    expect(await checksOf(path, auditor)).toEqual({ status: 403, ...each, recordsWritten: 1 });
    const key = await service.key(sampleTeamId);
    expect(await checksOf(path, key)).toMatchObject({ status: 200 });
    await service.access.keys.revoke(parseSecret(key)!.id);
    expect(await checksOf(path, key)).toEqual({ status: 401, ...each, recordsWritten: 0 });
  });
});
