import { checkRange } from '../errors/check-arguments.ts';

/**
 * The first `limit` items of an iterator, such as `client.users.iterate()`; asks for no page beyond them. The limit has no
 * default, so that nobody holds a million users by accident. Throws `InvalidArgumentError`.
 */
export async function toArray<T>(
  items: AsyncIterable<T>,
  { limit }: { readonly limit: number },
): Promise<T[]> {
  checkRange('limit', limit, 1);
  const found: T[] = [];
  for await (const item of items) {
    found.push(item);
    if (found.length >= limit) break;
  }
  return found;
}
