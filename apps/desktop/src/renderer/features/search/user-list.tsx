import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { GridList, GridListItem } from 'react-aria-components/GridList';
import { useIntl } from 'react-intl';
import { Button, Code } from '../../ui/controls.tsx';
import { formatDay } from '../../ui/values/dates.tsx';
import { Quiet, Row } from '../../ui/layout.tsx';
import { useMask } from '../../app/mask.tsx';
import { ProblemNote } from '../../ui/problem.tsx';
import { Loading } from '../../ui/loading.tsx';
import { callService, toProblem } from '../../api/service-call.ts';
import { useText } from '../../i18n/text.tsx';
import styles from './search.module.css';

const pageSize = 500;
/** Nobody reads more. */
const maxRows = 50;

/** Patients by MRN, where there is no search. */
export function UserList(props: {
  readonly filter: string;
  readonly onChoose: (clientUserId: string) => void;
}): ReactElement {
  const { filter, onChoose } = props;
  const text = useText();
  const intl = useIntl();
  const mask = useMask();
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } =
    useUsers();
  if (isPending) return <Loading what="find.list" />;
  if (data === undefined) {
    return <ProblemNote problem={toProblem(error)} onRetry={() => void refetch()} />;
  }
  const users = data.pages.flatMap(({ value }) => value.users);
  const query = filter.toLowerCase();
  const found = users.filter(({ client_user_id: id }) => id.toLowerCase().includes(query));
  const shown = found.slice(0, maxRows);
  const total = data.pages.at(-1)?.value.total ?? 0;
  const columns = `${styles['columns'] ?? ''} ${styles['user'] ?? ''}`;
  return (
    <section aria-label={text('find.list')} className={`column gap2 ${styles['byId'] ?? ''}`}>
      <Row gap="gap3">
        <Quiet role="status">
          {text(found.length > shown.length ? 'find.first' : 'find.searched', {
            ...{ shown: shown.length, found: found.length, searched: users.length, total },
          })}
        </Quiet>
        {hasNextPage && (
          <Button isDisabled={isFetchingNextPage} onPress={() => void fetchNextPage()}>
            {text('find.more')}
          </Button>
        )}
      </Row>
      {error !== null && (
        <ProblemNote problem={toProblem(error)} onRetry={() => void fetchNextPage()} />
      )}
      <div aria-hidden="true" className={`quiet meta medium ${columns}`}>
        <span>{text('patient.clientId')}</span>
        <span>{text('column.created')}</span>
      </div>
      <GridList
        aria-label={text('find.list')}
        className={`framed ${styles['rows'] ?? ''}`}
        renderEmptyState={() => (
          <p className={styles['empty']}>{text(total === 0 ? 'find.empty' : 'find.none')}</p>
        )}
      >
        {shown.map(({ user_id: userId, client_user_id: id, created_on: created }) => (
          <GridListItem
            key={userId}
            id={userId}
            textValue={mask(id)}
            className={columns}
            onAction={() => {
              onChoose(id);
            }}
          >
            <b className="wrap">
              <Code>{mask(id)}</Code>
            </b>
            <span>{formatDay(intl, created)}</span>
          </GridListItem>
        ))}
      </GridList>
    </section>
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
