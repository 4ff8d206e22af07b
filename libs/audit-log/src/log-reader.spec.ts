import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { readIds } from './record.ts';
import { auditText, userIds } from './testing/audit-text.testing.ts';
import {
  appendTo,
  engines,
  inPlace,
  openLog,
  readAll,
  withReader,
  type Row,
} from './testing/log-place.testing.ts';
import type { FoundRecord, RecordPosition, Search } from './storage/storage.ts';

const timeIn = ({ body }: { body: string }): number =>
  Number((JSON.parse(body) as Row)['recorded_at_us']);

describe.each(engines)('a log on %s', (engine) => {
  it('is read by ranges of time, forwards and backwards, by its tables and by a model', async () => {
    await inPlace(engine, async (place) => {
      const log = await openLog(place);
      for (let batch = 0; batch < 5; batch += 1) {
        const texts = Array.from({ length: 70 }, (_, at) =>
          auditText({
            patients: userIds.slice(at % 3, (at % 3) + (batch % 4)),
            operation: at % 5 === 0 ? 'viewed' : 'listed',
            actor_id: `a${at % 2}`,
          }),
        );
        await Promise.all(texts.map((text) => log.record(text)));
      }
      await log.close();
      await withReader(place, async (reader) => {
        const all = await readAll(reader.readRecords());
        const times = all.map(timeIn);
        const bound = fc.oneof(
          fc.constantFrom(...times, -Infinity, Infinity),
          fc.constant(undefined),
        );
        const nearby = fc.tuple(bound, fc.integer({ min: -1, max: 1 }));
        await fc.assert(
          fc.asyncProperty(nearby, nearby, async ([from, more], [to, less]) => {
            const fromUs = (from ?? -Infinity) + more;
            const toUs = (to ?? Infinity) + less;
            const wanted = all.filter((one) => timeIn(one) >= fromUs && timeIn(one) <= toUs);
            expect(await readAll(reader.readRecords({ fromUs, toUs }))).toEqual(wanted);
            const newest = await readAll(
              reader.readNewestFirst(await reader.tree(), { fromUs, toUs }),
            );
            expect(newest).toEqual(wanted.toReversed());
          }),
          { numRuns: 8 },
        );
        // Searches by the columns, page by page. The body decides whether an ID matches.
        const searches: Omit<Partial<Search>, 'limit' | 'after'>[] = [
          {},
          { texts: { operation: ['viewed'], actor_id: ['a1'] } },
          { id: userIds[1] },
          { id: userIds[2], texts: { operation: ['listed', 'viewed'] } },
          { id: userIds[0], fromUs: times[100], toUs: times[300] },
          { log: reader.identity.logId },
          { withoutLogs: [reader.identity.logId] },
          { texts: { team_id: [`'; drop table audit_log --`] } },
        ];
        for (const { texts = {}, id, fromUs, toUs, ...logs } of searches) {
          const wanted = all.filter((one) => {
            const body = JSON.parse(one.body) as Row;
            return (
              (id === undefined || readIds(body['patients']).includes(id)) &&
              timeIn(one) >= (fromUs ?? 0) &&
              timeIn(one) <= (toUs ?? Infinity) &&
              !('withoutLogs' in logs) &&
              Object.entries(texts).every(
                ([name, any]) => any?.includes(String(body[name])) === true,
              )
            );
          });
          const found: FoundRecord[] = [];
          let after: RecordPosition | undefined;
          do {
            const page = await reader.storage.find({
              texts,
              id,
              fromUs,
              toUs,
              ...logs,
              after,
              limit: 37,
            });
            found.push(...page);
            after = page.length < 37 ? undefined : page.at(-1);
          } while (after !== undefined);
          expect(found.map(({ seq }) => seq)).toEqual(wanted.map(({ seq }) => seq).toReversed());
          await (await reader.tree()).requireRecords(found);
        }
      });
    });
  });

  it('is read as an earlier checkpoint has it, and exported with what proves it', async () => {
    await inPlace(engine, async (place) => {
      const { checkpoint } = await appendTo(place, [
        auditText({ operation: 'secret' }),
        auditText(),
      ]);
      const { checkpoint: newest } = await appendTo(place);
      await withReader(place, async (reader) => {
        const some = await readAll(reader.readRecords({ note: checkpoint }));
        const all = await readAll(reader.readRecords());
        expect(some).toEqual(all.slice(0, some.length));
        expect(all.length).toBeGreaterThan(some.length);
        const isShown = ({ body }: { body: string }): boolean => !body.includes('secret');
        const text = (await readAll(reader.exportNdjson(newest, isShown))).join('');
        const lines = text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as Row);
        const { name, publicKey } = reader.identity;
        expect(lines[0]).toEqual({ log: name, public_key: publicKey, size: all.length });
        expect(lines.at(-1)).toEqual({ checkpoint: newest });
        const secret = all.find((one) => !isShown(one));
        expect(lines.filter((line) => 'leaf_hash' in line)).toMatchObject([{ seq: secret?.seq }]);
        expect(text).not.toContain('secret');
        const other = newest.replaceAll(name, 'other.example/audit/0123456789ab');
        await expect(readAll(reader.exportNdjson(other))).rejects.toThrow(
          'The checkpoint is of other',
        );
        await expect(readAll(reader.readRecords({ note: 'none' }))).rejects.toThrow('Not a valid');
      });
    });
  });
});
