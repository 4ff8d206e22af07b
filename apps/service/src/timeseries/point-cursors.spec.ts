import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { CursorSeal } from '../crypto/cursor-seal.ts';
import { PointCursors, type CursorScope } from './point-cursors.ts';

const sealedWith = (byte: number): PointCursors => {
  const secrets = [{ secret: Buffer.alloc(32, byte), untilMs: Infinity }];
  const cursorSeal = new CursorSeal(() => Promise.resolve(secrets), Date.now);
  return new PointCursors({ cursorSeal }, { pageSize: 10 });
};
const cursors = sealedWith(7);

const positions = fc.record({
  startUs: fc.maxSafeInteger(),
  provider: fc.string({ unit: 'grapheme' }),
  type: fc.string({ unit: 'grapheme' }),
  endUs: fc.maxSafeInteger(),
});
const scopes: fc.Arbitrary<CursorScope> = fc.record({
  teamId: fc.uuid(),
  userId: fc.uuid(),
  fromUs: fc.maxSafeInteger(),
  untilUs: fc.option(fc.maxSafeInteger(), { nil: undefined }),
  provider: fc.option(fc.string({ unit: 'grapheme' }), { nil: undefined }),
});

describe('a cursor', () => {
  it('does not open for any other team, user or query', async () => {
    const same = ({ provider, ...scope }: CursorScope): string =>
      JSON.stringify({ ...scope, untilUs: scope.untilUs ?? null, provider: provider ?? '' });
    await fc.assert(
      fc.asyncProperty(
        positions,
        scopes,
        scopes,
        fc.constantFrom(...scopeFields),
        async (position, a, b, field) => {
          const other = { ...a, [field]: b[field] };
          fc.pre(same(other) !== same(a));
          expect(await cursors.open(await cursors.seal(position, a), other)).toBeUndefined();
        },
      ),
    );
  });

  it('does not open when any character is changed, cut off or added', async () => {
    await fc.assert(
      fc.asyncProperty(
        positions,
        scopes,
        fc.nat(),
        fc.base64String({ minLength: 4 }),
        async (position, scope, at, more) => {
          const cursor = await cursors.seal(position, scope);
          const place = at % cursor.length;
          const changed = cursor[place] === 'A' ? 'B' : 'A';
          for (const altered of [
            cursor.slice(0, place) + changed + cursor.slice(place + 1),
            cursor.slice(0, place),
            cursor + more,
            `${cursor}=`,
            ` ${cursor}`,
          ]) {
            expect(await cursors.open(altered, scope)).toBeUndefined();
          }
        },
      ),
    );
  });

  it('cannot be made up, and does not open under another secret', async () => {
    const others = sealedWith(8);
    const created = fc.oneof(fc.string(), fc.base64String({ maxLength: 400 }));
    await fc.assert(
      fc.asyncProperty(created, positions, scopes, async (text, position, scope) => {
        expect(await cursors.open(text, scope)).toBeUndefined();
        expect(await others.open(await cursors.seal(position, scope), scope)).toBeUndefined();
      }),
    );
  });
});

const scopeFields = ['teamId', 'userId', 'fromUs', 'untilUs', 'provider'] as const;
