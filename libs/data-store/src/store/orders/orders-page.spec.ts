import { describe, expect, it } from '@jest/globals';
import type { HealthDataSource } from '../../health-data-source.ts';
import type { OrdersQuery } from '../../health-data.ts';
import type { ImportWriter } from '../import/import-writer.ts';
import { bytes, onEachEngine, put, teamA, teamB, userId, userRecord } from '../store.testing.ts';

interface Plain {
  readonly id: string;
  readonly created_us: number;
  readonly name: string;
  readonly status: string;
}

const keys = ['created_at', 'patient_name', 'last_status'] as const;
const directions = ['asc', 'desc'] as const;

/** The expected order, from sorting a plain array. */
function sorted(
  all: Iterable<Plain>,
  { key, direction }: Pick<OrdersQuery, 'key' | 'direction'>,
): string[] {
  const text = ({ name, status }: Plain): string =>
    ({ created_at: '', patient_name: name, last_status: status })[key];
  const compared = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
  const ids = [...all]
    .sort(
      (one, other) =>
        compared(text(one), text(other)) ||
        one.created_us - other.created_us ||
        compared(one.id, other.id),
    )
    .map(({ id }) => id);
  return direction === 'asc' ? ids : ids.reverse();
}

const somebody = userRecord(teamA, 1);

const at = (number: number): string =>
  `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Imports orders with many ties. With seed 0, all sort keys are equal. */
async function importRound(
  writer: ImportWriter,
  stored: Map<string, Plain>,
  { from, count, seed }: { from: number; count: number; seed: number },
): Promise<void> {
  const orders = Array.from({ length: count }, (_, n): Plain => {
    const mixed = seed === 0 ? 0 : Math.imul(from + n + 1, 2_654_435_761 + 2 * seed) >>> 8;
    return {
      id: at(from + n),
      created_us: Date.UTC(2026, 0, seed === 0 ? 0 : 1 + (mixed % 90)) * 1000,
      name: ['ada', 'bo', 'cy'][mixed % 3] ?? '',
      status: ['lost', 'completed'][mixed % 2] ?? '',
    };
  });
  orders.forEach((order) => stored.set(order.id, order));
  await put(writer, [
    somebody,
    ...orders.map(({ id, created_us, name, status }) => ({
      ...{
        kind: 'order' as const,
        team_id: bytes(teamA),
        user_id: bytes(userId(1)),
        order_id: bytes(id),
      },
      body: JSON.stringify({
        ...{ id, team_id: teamA, user_id: userId(1), patient_details: { first_name: name } },
        created_at: new Date(created_us / 1000).toISOString(),
        last_event: { id: 1, created_at: '2026-01-01T00:00:00Z', status: `a.b.${status}` },
      }),
    })),
  ]);
}

const pageOf = ({ body }: { body: string }): { total: number; ids: string[] } => {
  const { orders, total } = JSON.parse(body) as { orders: { id: string }[]; total: number };
  return { total, ids: orders.map(({ id }) => id) };
};

async function expectPages(
  store: HealthDataSource,
  stored: ReadonlyMap<string, Plain>,
  pages: readonly { readonly page: number; readonly size: number }[],
): Promise<void> {
  for (const key of keys) {
    for (const direction of directions) {
      const all = sorted(stored.values(), { key, direction });
      for (const { page, size } of pages) {
        const found = await store.listOrders(teamA, { key, direction, page, size });
        const { total, ids } = pageOf(found);
        const label = `${key} ${direction}, page ${page} of ${size}`;
        const expected = all.slice((page - 1) * size, page * size);
        expect([label, total, ids]).toEqual([label, stored.size, expected]);
      }
    }
  }
}

onEachEngine((withStore) => {
  describe('a page of all orders', () => {
    it('equals that of a sorted array, in every order, also after changes', async () => {
      await withStore(async ({ store, writer }) => {
        const stored = new Map<string, Plain>();
        const past = { page: 2 ** 40, size: 1 };
        const pages = [
          { page: 1, size: 100 },
          { page: 4, size: 100 },
          { page: 257, size: 1 },
          past,
        ];
        await importRound(writer, stored, { from: 0, count: 350, seed: 1 });
        await expectPages(store, stored, pages);
        await importRound(writer, stored, { from: 100, count: 100, seed: 0 });
        await importRound(writer, stored, { from: 350, count: 50, seed: 2 });
        await expectPages(store, stored, pages);
        const query = { key: 'created_at', direction: 'asc', page: 1, size: 10 } as const;
        expect(await store.listOrders(teamB, query)).toEqual({
          body: '{"orders":[],"total":0,"page":1,"size":10}',
          userIds: [],
        });
      });
    });
  });

  describe('a page of the orders that match', () => {
    it('equals that of a sorted array', async () => {
      await withStore(async ({ store, writer }) => {
        const stored = new Map<string, Plain>();
        await importRound(writer, stored, { from: 0, count: 3000, seed: 1 });
        const lost = (): Plain[] => [...stored.values()].filter(({ status }) => status === 'lost');
        for (const [key, direction, page] of [
          ...[['created_at', 'desc', 1] as const, ['patient_name', 'asc', 7] as const],
          ...[['last_status', 'desc', 15] as const, ['patient_name', 'desc', 99] as const],
        ]) {
          const query = { key, direction, page, size: 100, statuses: ['lost'] };
          const { total, ids } = pageOf(await store.listOrders(teamA, query));
          const expected = sorted(lost(), query).slice((page - 1) * 100, page * 100);
          expect([key, total, ids]).toEqual([key, lost().length, expected]);
        }
        // One user has all orders, another one has none.
        for (const [user, count] of [[userId(1), 3000] as const, [at(1), 0] as const]) {
          const query = { key: 'patient_name', direction: 'asc', page: 1, size: 10 } as const;
          const { total, ids } = pageOf(await store.listOrders(teamA, { ...query, userId: user }));
          const expected = count === 0 ? [] : sorted(stored.values(), query).slice(0, 10);
          expect([total, ids]).toEqual([count, expected]);
        }
      });
    });
  });
});
