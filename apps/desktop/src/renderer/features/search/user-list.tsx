import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
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
  const shown = useMemo(() => found.slice(0, maxRows), [found]);
  const row = `stack gap3 ${styles['row'] ?? ''}`;
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
        {hasNextPage && (
          <Button isDisabled={isFetchingNextPage} onPress={() => void fetchNextPage()}>
            {text('find.more')}
          </Button>
        )}
      </Row>
      {error !== null && (
        <ProblemNote problem={problemOf(error)} onRetry={() => void fetchNextPage()} />
      )}
      <div aria-hidden="true" className={`${row} quiet help ${styles['head'] ?? ''}`}>
        <span>{text('patient.clientId')}</span>
        <span>{text('column.created')}</span>
      </div>
      <Virtualizer layout={ListLayout} layoutOptions={{ rowSize }}>
        <GridList
          aria-label={text('find.list')}
          items={shown}
          // Rows are cached: render them anew when these change.
          dependencies={[masked]}
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
              <Cells user={user} />
            </GridListItem>
          )}
        </GridList>
      </Virtualizer>
    </section>
  );
}

function Cells({ user }: { readonly user: ListedUser }): ReactElement {
  const intl = useIntl();
  const mask = useMask();
  return (
    <>
      <strong>
        <Code>{mask(user.client_user_id)}</Code>
      </strong>
      <span>{dayOf(intl, user.created_on)}</span>
    </>
  );
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
