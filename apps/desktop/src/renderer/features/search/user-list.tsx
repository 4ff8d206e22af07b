import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import { GridList, GridListItem } from 'react-aria-components/GridList';
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer';
import { useIntl } from 'react-intl';
import type { ListedUser } from '@caregate/domain';
import { Button, Code } from '../../ui/controls.tsx';
import { dayOf } from '../../ui/values/dates.tsx';
import { Quiet, Row } from '../../ui/layout.tsx';
import { useMask, useMasked } from '../../app/mask.tsx';
import { ProblemNote } from '../../ui/problem.tsx';
import { Loading } from '../../ui/loading.tsx';
import { callService, problemOf } from '../../api/service-call.ts';
import { useText } from '../../i18n/text.tsx';
import styles from './find.module.css';

const pageSize = 500;
const rowSize = 44;
/** 10,000 rows take a third of a second, and nobody reads them. */
const maxRows = 200;

export function UserList(props: {
  readonly filter: string;
  readonly onChoose: (clientUserId: string) => void;
}): ReactElement {
  const { filter, onChoose } = props;
  const text = useText();
  const mask = useMask();
  const masked = useMasked();
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } =
    useUsers();
  const users = useMemo(() => data?.pages.flatMap(({ value }) => value.users) ?? [], [data]);
  const found = useMemo(() => matching(users, filter), [users, filter]);
  // Some roles don't receive sources: hide the column.
  const hasSources = useMemo(
    () => users.some(({ connected_sources }) => connected_sources.length > 0),
    [users],
  );
  const shown = useMemo(() => found.slice(0, maxRows), [found]);
  const [searchesAll, setSearchesAll] = useState(false);
  const asksNext = searchesAll && hasNextPage && !isFetchingNextPage && error === null;
  useEffect(() => {
    if (asksNext) void fetchNextPage();
  }, [asksNext, fetchNextPage]);
  const row = `stack gap3 ${styles['row'] ?? ''} ${hasSources ? '' : (styles['fewer'] ?? '')}`;
  if (isPending) return <Loading what="find.list" />;
  if (data === undefined) {
    return <ProblemNote problem={problemOf(error)} onRetry={() => void refetch()} />;
  }
  const total = data.pages.at(-1)?.value.total ?? 0;
  return (
    <section aria-label={text('find.list')} className={`column gap2 ${styles['list'] ?? ''}`}>
      <Row gap="gap3">
        <Quiet role="status">
          {text(found.length > shown.length ? 'find.first' : 'find.searched', {
            shown: shown.length,
            found: found.length,
            searched: users.length,
            total,
          })}
        </Quiet>
        {hasNextPage && !searchesAll && (
          <Button isDisabled={isFetchingNextPage} onPress={() => void fetchNextPage()}>
            {text('find.more')}
          </Button>
        )}
        {hasNextPage && (
          <Button
            onPress={() => {
              setSearchesAll(!searchesAll);
            }}
          >
            {text(searchesAll ? 'find.stop' : 'find.all')}
          </Button>
        )}
      </Row>
      {error !== null && (
        <ProblemNote problem={problemOf(error)} onRetry={() => void fetchNextPage()} />
      )}
      <div aria-hidden="true" className={`${row} quiet help ${styles['head'] ?? ''}`}>
        <span>{text('column.clientId')}</span>
        <span>{text('column.created')}</span>
        {hasSources && <span>{text('column.sources')}</span>}
        <span>{text('column.ingestion')}</span>
      </div>
      <Virtualizer layout={ListLayout} layoutOptions={{ rowSize }}>
        <GridList
          aria-label={text('find.list')}
          items={shown}
          // Rows are cached: render them anew when these change.
          dependencies={[masked, hasSources]}
          className={`framed ${styles['rows'] ?? ''}`}
          renderEmptyState={() => (
            <p className={styles['empty']}>{text(total === 0 ? 'find.empty' : 'find.none')}</p>
          )}
          onAction={(key) => {
            const chosen = shown.find(({ user_id }) => user_id === key);
            if (chosen !== undefined) onChoose(chosen.client_user_id);
          }}
        >
          {(user) => (
            // Must be the item itself: the list finds items by id.
            <GridListItem id={user.user_id} textValue={mask(user.client_user_id)} className={row}>
              <Cells user={user} hasSources={hasSources} />
            </GridListItem>
          )}
        </GridList>
      </Virtualizer>
    </section>
  );
}

function Cells(props: { readonly user: ListedUser; readonly hasSources: boolean }): ReactElement {
  const { user, hasSources } = props;
  const mask = useMask();
  return (
    <>
      <strong>
        <Code>{mask(user.client_user_id)}</Code>
      </strong>
      <span>
        <Day at={user.created_on} />
      </span>
      {hasSources && (
        <span>{user.connected_sources.map(({ source }) => source.name).join(', ')}</span>
      )}
      <span>
        <Day at={user.ingestion_start} />
        {(user.ingestion_start ?? user.ingestion_end) != null && ' – '}
        <Day at={user.ingestion_end} />
      </span>
    </>
  );
}

function Day({ at }: { at: string | null | undefined }): ReactElement {
  const intl = useIntl();
  return <>{at == null ? '' : dayOf(intl, at)}</>;
}

function useUsers() {
  return useInfiniteQuery({
    queryKey: ['users'],
    queryFn: ({ pageParam, signal }) =>
      callService('listUsers', { offset: pageParam, limit: pageSize }, signal),
    initialPageParam: 0,
    getNextPageParam: ({ value: { offset, users, total } }) => {
      const next = offset + users.length;
      return users.length > 0 && next < total ? next : undefined;
    },
  });
}

function matching(users: readonly ListedUser[], filter: string): readonly ListedUser[] {
  if (filter === '') return users;
  const wanted = filter.toLowerCase();
  return users.filter(({ client_user_id }) => client_user_id.toLowerCase().includes(wanted));
}
