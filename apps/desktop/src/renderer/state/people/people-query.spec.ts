import { describe, expect, it } from '@jest/globals';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import fc from '@caregate/seeded';
import type { FoundPeople } from '@caregate/domain';
import type { Received } from '../../../bridge/channels.ts';
import { FEW, isAskable, peopleQuery, searchedText } from './people-query.ts';

interface Request {
  readonly text: string;
  readonly signal: AbortSignal;
  readonly answer: (found: Received<FoundPeople>) => void;
}

/** Found by a text: somebody so called. */
function foundBy(name: string): Received<FoundPeople> {
  const people = [{ user_id: '11111111-1111-4111-8111-111111111111', name, matched: 'name' }];
  return {
    value: { people, searched: 'people', total: 1, more: false },
    receivedAt: '2026-01-01T00:00:00Z',
  };
}

/** As the field does: each text replaces the one before. */
function typing() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const requests: Request[] = [];
  const options = (text: string) =>
    peopleQuery(
      text,
      FEW,
      (request, signal) =>
        new Promise((answer) => {
          requests.push({ text: request.text, signal, answer });
        }),
    );
  const observer = new QueryObserver<Received<FoundPeople>>(client, options(''));
  const stop = observer.subscribe(() => undefined);
  return {
    requests,
    type: (text: string): void => {
      observer.setOptions(options(text));
    },
    shown: () => observer.getCurrentResult(),
    stop: () => {
      stop();
      client.clear();
    },
  };
}

const settled = (): Promise<void> => new Promise((done) => setTimeout(done));

describe('what is searched while somebody types', () => {
  it('is of the text that stands there, in whatever order the answers come; one request at a time', async () => {
    const texts = fc.array(fc.constantFrom('okon', 'okonk', 'okonkwo', 'lind', 'ab', ''), {
      minLength: 1,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(texts, fc.infiniteStream(fc.nat()), async (typed, order) => {
        const field = typing();
        try {
          for (const text of typed) {
            field.type(text);
            await settled();
            expect(
              field.requests.filter(({ signal }) => !signal.aborted).length,
            ).toBeLessThanOrEqual(typed.length);
            const waiting = field.requests.filter((one) => !one.signal.aborted);
            // Only the last can still be waited for.
            expect(new Set(waiting.map((one) => one.text)).size).toBe(waiting.length);
          }
          const left = [...field.requests];
          while (left.length > 0) {
            const [next] = order;
            const [one] = left.splice((next ?? 0) % left.length, 1);
            one!.answer(foundBy(`of ${one!.text}`));
            await settled();
            const { data, isPlaceholderData } = field.shown();
            const name = data?.value.people[0]?.name;
            if (name !== undefined && !isPlaceholderData) expect(name).toBe(`of ${typed.at(-1)!}`);
          }
        } finally {
          field.stop();
        }
      }),
      { numRuns: 60 },
    );
  });

  it('takes the request of the text before back, and asks for no text that is too short', async () => {
    const field = typing();
    field.type('ok');
    await settled();
    expect(field.requests).toEqual([]);
    field.type('okon');
    await settled();
    field.type('okonk');
    await settled();
    expect(field.requests.map(({ text, signal }) => [text, signal.aborted])).toEqual([
      ['okon', true],
      ['okonk', false],
    ]);
    field.type('');
    await settled();
    expect(field.requests.map(({ signal }) => signal.aborted)).toEqual([true, true]);
    expect(field.shown().data).toBeUndefined();
    field.stop();
  });
});

describe('isAskable', () => {
  it.each(['ab', "a'b", '12', '  ', '王', '-- --'])('not %j', (text) => {
    expect(isAskable(text)).toBe(false);
  });

  it.each(["o'n e", 'abc', '王芳', '김철', 'みか', '7 3 85', 'ليلى', 'e\u0301ab'])('%j', (text) => {
    expect(isAskable(text)).toBe(true);
  });
});

describe('searchedText', () => {
  it('has at most 200 characters, none of them cut in half', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (typed) => {
        const text = searchedText(typed);
        expect(Array.from(text).length).toBeLessThanOrEqual(200);
        expect(text).not.toMatch(/\p{Surrogate}/u);
      }),
    );
  });
});
