import { throwIfAborted } from '../deadline.ts';
import { InvalidResponseError } from '../errors/call-errors.ts';
import type { CallOptions } from '../call.ts';

/** A page with the cursor of the next one. */
export interface CursorPage<Item> {
  readonly items: readonly Item[];
  /** Missing or null on the last page. */
  readonly next: string | null | undefined;
}

/**
 * All items of all pages; pages are requested on demand. Throws InvalidResponseError if a cursor repeats, instead of
 * repeating items for ever.
 */
export async function* eachItem<Item>(
  route: string,
  page: (cursor: string | undefined) => Promise<CursorPage<Item>>,
  options: CallOptions | undefined,
): AsyncGenerator<Item, void, undefined> {
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (;;) {
    const { items, next } = await page(cursor);
    for (const item of items) {
      throwIfAborted(options?.signal, route);
      yield item;
    }
    if (next === null || next === undefined) return;
    if (seen.has(next)) throw new InvalidResponseError(route, 'response repeats a cursor', 200);
    seen.add(next);
    cursor = next;
  }
}
