import { describe, expect, it } from '@jest/globals';
import { accessEngines, teamA } from '../access.testing.ts';
import { until } from '../../testing/until.testing.ts';
import type { DeskRow } from './desk.repository.ts';
import { TestDesk } from '../sessions/desk.testing.ts';

// Only on PostgreSQL, since on SQLite two writers would need two processes.
const { openAccess } = accessEngines[1]!;
const here = '192.0.2.7';
const desk = { teamId: teamA, role: 'front_desk', label: 'desk 1' } as const;

describe('PostgreSQL', () => {
  it('answers key look-ups while acts wait for their records', async () => {
    const fixture = await openAccess();
    const { store } = fixture;
    const { key } = await store.keys.create(desk);
    const records: (() => void)[] = [];
    fixture.instead = () => new Promise((resolve) => records.push(resolve));
    const acts = Array.from({ length: 10 }, () => store.keys.create(desk));
    await until(() => records.length === 1);
    const answers = await Promise.all(acts.map(() => store.keys.authenticate(key, here)));
    expect(answers.every((principal) => principal !== undefined)).toBe(true);
    expect(records).toHaveLength(1);
    fixture.instead = undefined;
    records[0]?.();
    expect(await Promise.all(acts)).toHaveLength(10);
  });
});

describe('two instances at once on PostgreSQL', () => {
  it('rotate a key once, and make a team once', async () => {
    const { store, openAnother } = await openAccess();
    const another = await openAnother();
    const created = await Promise.all(
      [store, another, store, another].map(({ keys }) => keys.create(desk)),
    );
    for (const { keyId } of created) {
      const rotated = await Promise.allSettled(
        [store, another].map(({ keys }) => keys.rotate(keyId)),
      );
      expect(rotated.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    }
    expect(await store.keys.list()).toHaveLength(8);
  });

  it('accept a desk key for one desk, and one next key for a desk', async () => {
    const { store, openAnother } = await openAccess();
    const another = await openAnother();
    const enrol = async (of = store, key = new TestDesk()): Promise<DeskRow> => {
      const { code } = await store.desks.makeCode({ teamId: teamA, name: 'desk' });
      const created = await of.desks.enrol({ code, name: undefined, key });
      return created ?? Promise.reject(new Error('refused'));
    };
    const offer = (of: typeof store, row: DeskRow, { thumbprint: next } = new TestDesk()) =>
      of.desks.offerKey(row.desk_id, { by: row.thumbprint, next });
    const oneOf = async (...both: readonly Promise<unknown>[]): Promise<void> => {
      const ended = await Promise.allSettled(both);
      expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    };
    const desks = [await enrol(), await enrol(), await enrol(), await enrol()] as const;
    const [shared, enrolled] = [new TestDesk(), new TestDesk()];
    await oneOf(offer(store, desks[0], shared), offer(another, desks[1], shared));
    await oneOf(offer(store, desks[2]), offer(another, desks[2]));
    await oneOf(offer(store, desks[3], enrolled), enrol(another, enrolled));
  });
});
