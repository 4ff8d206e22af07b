import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import type { ReadAnswer, ReadParams } from '../../../shared/channels.ts';
import { usePaged, type Paged } from '../../api/read.ts';
import { callService } from '../../api/service-call.ts';
import { useText, type MessageKey } from '../../i18n/text.tsx';
import { Button } from '../../ui/controls.tsx';
import { Loading } from '../../ui/loading.tsx';
import { ProblemNote } from '../../ui/problem.tsx';

type PagedRead = 'listAuditEvents' | 'listBreakGlass';

interface Pages<Page = unknown> extends Paged {
  readonly pages: readonly Page[] | undefined;
}

export function usePages<R extends PagedRead>(
  operation: R,
  params: Omit<ReadParams<R>, 'cursor'>,
  enabled = true,
): Pages<ReadAnswer<R>['value']> {
  const queryKey = [operation, params];
  const query = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam, signal }) => {
      const page = { ...params, ...(pageParam !== undefined && { cursor: pageParam }) };
      return (await callService(operation, page as ReadParams<R>, signal)).value;
    },
    enabled,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => ('rows' in page ? page.nextCursor : page.next_cursor),
  });
  return { ...usePaged(query, queryKey), pages: query.data?.pages };
}

/** Reads all emergency accesses to review, oldest first. All pages are read, since the oldest may be on the last one. */
export function useOpenGrants() {
  const query = usePages('listBreakGlass', {});
  const { pages, hasMore, isFetching, problem, loadMore } = query;
  const isToRead = hasMore && !isFetching && problem === undefined;
  useEffect(() => {
    if (isToRead) loadMore();
  });
  const grants = pages?.flatMap((page) => page.grants) ?? [];
  return { query, grants: grants.toSorted((a, b) => (a.granted_at < b.granted_at ? -1 : 1)) };
}

export function Listing(props: {
  readonly of: Pages;
  readonly what: MessageKey;
  readonly isEmpty: boolean;
  readonly empty: ReactNode;
  readonly children: ReactNode;
}) {
  const { pages, problem, isFetching, hasMore, loadMore, retry, cancel } = props.of;
  const text = useText();
  return (
    <>
      {problem !== undefined && <ProblemNote problem={problem} onRetry={retry} />}
      {pages === undefined && isFetching && <Loading what={props.what} onCancel={cancel} />}
      {pages !== undefined && (props.isEmpty ? props.empty : props.children)}
      {hasMore && (
        <div>
          <Button onPress={loadMore}>
            {text(isFetching ? 'state.loading' : 'find.moreFound')}
          </Button>
        </div>
      )}
    </>
  );
}
