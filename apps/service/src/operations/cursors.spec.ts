import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { Cursors, type CursorScope } from './cursors.ts';

const cursors = new Cursors(Buffer.alloc(32, 7), 10);

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
  it('opens to the place it was made of', () => {
    fc.assert(
      fc.property(positions, scopes, (position, scope) => {
        expect(cursors.open(cursors.seal(position, scope), scope)).toEqual(position);
      }),
    );
  });

  it('does not open for any other team, user or query', () => {
    const same = ({ provider, ...scope }: CursorScope): string =>
      JSON.stringify({ ...scope, untilUs: scope.untilUs ?? null, provider: provider ?? '' });
    fc.assert(
      fc.property(
        positions,
        scopes,
        scopes,
        fc.constantFrom(...scopeFields),
        (position, a, b, field) => {
          const other = { ...a, [field]: b[field] };
          fc.pre(same(other) !== same(a));
          expect(cursors.open(cursors.seal(position, a), other)).toBeUndefined();
        },
      ),
    );
  });

  it('does not open when any character is changed, cut off or added', () => {
    fc.assert(
      fc.property(
        positions,
        scopes,
        fc.nat(),
        fc.base64String({ minLength: 4 }),
        (position, scope, at, more) => {
          const cursor = cursors.seal(position, scope);
          const place = at % cursor.length;
          const changed = cursor[place] === 'A' ? 'B' : 'A';
          for (const altered of [
            cursor.slice(0, place) + changed + cursor.slice(place + 1),
            cursor.slice(0, place),
            cursor + more,
            `${cursor}=`,
            ` ${cursor}`,
          ]) {
            expect(cursors.open(altered, scope)).toBeUndefined();
          }
        },
      ),
    );
  });

  it('cannot be made up, and does not open under another secret', () => {
    const others = new Cursors(Buffer.alloc(32, 8), 10);
    const made = fc.oneof(fc.string(), fc.base64String({ maxLength: 400 }));
    fc.assert(
      fc.property(made, positions, scopes, (text, position, scope) => {
        expect(cursors.open(text, scope)).toBeUndefined();
        expect(others.open(cursors.seal(position, scope), scope)).toBeUndefined();
      }),
    );
  });
});

const scopeFields = ['teamId', 'userId', 'fromUs', 'untilUs', 'provider'] as const;
