import type { RequestOf, ResponseOf } from '../../../bridge/channels.ts';
import { callService, ServiceProblem } from '../../state/service-call.ts';

type Query = Omit<RequestOf<'mindfulnessMinutes'>, 'call' | 'nextCursor'>;

/**
 * The pages of a person's mindfulness minutes, each asked for when the loop gets there. A cursor that comes again ends
 * in a ServiceProblem and never in an endless loop.
 */
export async function* mindfulnessPages(
  query: Query,
  signal: AbortSignal,
): AsyncGenerator<ResponseOf<'mindfulnessMinutes'>, void, undefined> {
  const seen = new Set<string>();
  let nextCursor: string | undefined;
  for (;;) {
    const page = await callService(
      'mindfulnessMinutes',
      { ...query, ...(nextCursor !== undefined && { nextCursor }) },
      signal,
    );
    yield page;
    nextCursor = page.value.next_cursor ?? undefined;
    if (nextCursor === undefined) return;
    if (seen.has(nextCursor)) {
      throw new ServiceProblem({ kind: 'serverBroken', operation: 'mindfulnessMinutes' });
    }
    seen.add(nextCursor);
  }
}
