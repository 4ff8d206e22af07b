import { SealedText } from '../../http/sealed-text.ts';
import type { PointKey, PointsQuery } from '../../source/health-data-source.ts';

/** What a cursor belongs to. With anything else it cannot be opened. */
export interface CursorScope extends Pick<
  PointsQuery,
  'userId' | 'fromUs' | 'untilUs' | 'provider'
> {
  readonly teamId: string;
}

/**
 * Cursors: the place where the next page begins, sealed so that nobody can make, alter or read one, and bound to the
 * team, the user and the query. Nothing is kept on the server.
 */
export class Cursors {
  readonly #sealed: SealedText;

  /** @param secret 32 bytes, the same on every process that answers */
  constructor(secret: Buffer) {
    this.#sealed = new SealedText(secret);
  }

  seal(position: PointKey, scope: CursorScope): string {
    const { startUs, provider, type, endUs } = position;
    return this.#sealed.seal(JSON.stringify([startUs, provider, type, endUs]), binding(scope));
  }

  /** The place a cursor stands for; `undefined` for one that was not made here for this team, user and query. */
  open(cursor: string, scope: CursorScope): PointKey | undefined {
    const text = this.#sealed.open(cursor, binding(scope));
    if (text === undefined) {
      return undefined;
    }
    // Authenticated: it is what `seal` wrote.
    const [startUs, provider, type, endUs] = JSON.parse(text) as [number, string, string, number];
    return { startUs, provider, type, endUs };
  }
}

/** JSON keeps the parts apart whatever they hold; the word and number in front make room for another form later. */
function binding({ teamId, userId, fromUs, untilUs, provider }: CursorScope): string {
  return JSON.stringify([
    'mindfulness_minutes 1',
    teamId.toLowerCase(),
    userId.toLowerCase(),
    fromUs,
    untilUs ?? null,
    provider ?? '',
  ]);
}
