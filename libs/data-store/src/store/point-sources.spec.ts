import type { ImportEnvelope } from '@caregate/domain';
import { sampleTeamId } from '@caregate/sample-data';
import { describe, expect, it } from '@jest/globals';
import type { HealthDataSource } from '../health-data-source.ts';
import { importEnvelopes } from './import/import.ts';
import type { ImportReport } from './import/import-types.ts';
import type { ImportWriter } from './import/import-writer.ts';
import { onEachEngine, userId } from './store.testing.ts';

const who = { team_id: sampleTeamId, user_id: userId(1) };
const user = {
  kind: 'user',
  user: {
    ...who,
    client_user_id: 'one',
    created_on: '2026-01-01T00:00:00Z',
    connected_sources: [],
    fallback_time_zone: { id: 'UTC', source_slug: 'oura', updated_at: '2026-01-01T00:00:00Z' },
  },
};
const oura = { provider: 'oura', type: 'app' };
const watch = { ...oura, app_id: 'org.example.watch', device_id: '01', more: { of: ['it', null] } };

onEachEngine((withStore) => {
  describe('the source of points', () => {
    it('comes back as it was imported, members that nobody knows too, in their order', async () => {
      await withStore(async ({ store, writer }) => {
        // Parsed with JSON.parse, so that `__proto__` is an own property.
        const text = '{"__proto__":{"x":1},"type":"r\\"g","half":"\\ud800","provider":"__proto__"}';
        const odd = JSON.parse(text) as object;
        await imported(writer, [user, minutes(watch, 1), minutes(odd, 2)]);
        expect(await groupsIn(store)).toBe(
          `{"oura":[{"data":[${point(1)}],"source":${JSON.stringify(watch)}}],` +
            `"__proto__":[{"data":[${point(2)}],"source":${text}}]}`,
        );
      });
    });

    it('is the one of the latest line, whatever it was before, and one for each user', async () => {
      await withStore(async ({ store, writer }) => {
        const phone = { ...oura, app_id: 'org.example.phone' };
        const other = { ...user.user, user_id: userId(2), client_user_id: 'two' };
        await imported(writer, [user, { ...user, user: other }]);
        await imported(writer, [
          minutes(watch, 1),
          { ...minutes(oura, 1), user_id: userId(2) },
          minutes(phone, 2, 3),
        ]);
        const group = (source: object) => ({
          oura: [{ data: [1, 2, 3].map((n) => JSON.parse(point(n)) as unknown), source }],
        });
        expect(JSON.parse(await groupsIn(store))).toEqual(group(phone));
        expect(JSON.parse(await groupsIn(store, userId(2)))).toMatchObject({
          oura: [{ source: oura }],
        });
        // The counts are numbers of points.
        expect((await imported(writer, [minutes(watch, 2)])).counts.mindfulness_minutes).toEqual({
          added: 0,
          updated: 0,
          unchanged: 1,
        });
        expect(JSON.parse(await groupsIn(store))).toEqual(group(watch));
        await imported(writer, [minutes(oura)]);
        expect(JSON.parse(await groupsIn(store))).toEqual(group(oura));
      });
    });
  });
});

/** Returns a record with a point for each of these minutes. */
function minutes(source: object, ...at: number[]): object {
  const data = at.map((n) => JSON.parse(point(n)) as unknown);
  return { kind: 'mindfulness_minutes', ...who, source, data };
}

function point(n: number): string {
  const at = (minute: number): string => new Date(startUs(minute) / 1000).toISOString();
  return JSON.stringify({ start: at(n), end: at(n + 1), unit: 'min', value: 1 });
}

function startUs(n: number): number {
  return Date.UTC(2026, 0, 1, 8, n) * 1000;
}

/** Casts lines to envelopes. The import validates them. */
function envelopes(lines: readonly object[]): ImportEnvelope[] {
  return lines as ImportEnvelope[];
}

async function imported(writer: ImportWriter, lines: readonly object[]): Promise<ImportReport> {
  const report = await importEnvelopes(writer, 'test', envelopes(lines));
  expect(report.refused.first).toEqual([]);
  return report;
}

async function groupsIn(
  store: HealthDataSource,
  person = userId(1),
  limit = 1000,
): Promise<string> {
  const page = await store.getTimeseries(sampleTeamId, {
    userId: person,
    fromUs: 0,
    limit,
  });
  return page!.groups;
}
