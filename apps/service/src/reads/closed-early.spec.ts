import { describe, expect, it } from '@jest/globals';
import { bodiesIn } from '@caregate/audit-log/testing';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { connect } from 'node:net';
import { setImmediate as immediate } from 'node:timers/promises';
import type { PeopleFound } from '../source/health-data-source.ts';
import { testService } from '../testing/service.testing.ts';

const found: PeopleFound = { hits: [], total: 0, more: false, searched: 'people' };

describe('a search that nobody waits for any more', () => {
  it('ends without an error, and leaves one record', async () => {
    const waiting: (() => void)[] = [];
    let aborted = 0;
    const service = await testService(sampleEnvelopes({ users: 2 }), {
      source: {
        searchPeople: (_team, _asked, call) =>
          new Promise((resolve) => {
            call?.signal.addEventListener('abort', () => (aborted += 1));
            waiting.push(() => {
              resolve(found);
            });
          }),
      },
    });
    try {
      const key = await service.key(sampleTeamId, 'front_desk');
      const body = JSON.stringify({ text: 'amara' });
      const socket = connect(service.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(
        [
          ...['POST /desk/people/search HTTP/1.1', 'host: a', `x-service-api-key: ${key}`],
          ...['content-type: application/json', `content-length: ${body.length}`, '', body],
        ].join('\r\n'),
      );
      while (waiting.length === 0) {
        await immediate();
      }
      // As a desk does when the next letter is typed.
      socket.resetAndDestroy();
      while (aborted === 0) {
        await immediate();
      }
      waiting.forEach((answer) => {
        answer();
      });
      const records = (): ReturnType<typeof bodiesIn> =>
        bodiesIn(service.folder).filter((body) => body['operation'] === 'searchPeople');
      while (records().length === 0) {
        await immediate();
      }
      // The next is answered, and recorded behind it.
      const next = service.post('/desk/people/search', key, { text: 'amara' });
      while (waiting.length < 2) {
        await immediate();
      }
      waiting[1]!();
      expect((await next).status).toBe(200);
      expect(records()).toHaveLength(2);
      const [first] = records();
      expect(first).toMatchObject({ details: { search_hmac: expect.any(String) } });
      expect(service.log.filter((line) => /"level":(?:50|60)/u.test(line))).toEqual([]);
    } finally {
      await service.close();
    }
  });
});
