import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { Button } from '../../components/controls.tsx';
import { ProblemNote } from '../../components/problem.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { ask, problemOf, ServiceProblem } from '../../service/ask.ts';
import { useDesk } from '../../shell/desk.tsx';
import type { Person } from '../../shell/desk.tsx';
import { useText } from '../../text/text.tsx';
import { PersonFacts } from './person-facts.tsx';
import styles from './person.module.css';

/** What the service knows about the person chosen, and the way to the rest. */
export function PersonScreen(): ReactElement | null {
  const { person } = useDesk();
  return person === undefined ? null : <Chosen person={person} />;
}

function Chosen({ person }: { person: Person }): ReactElement {
  const text = useText();
  const { masked, go } = useDesk();
  const queries = useQueryClient();
  const queryKey = ['person', person.value.user_id];
  const { data, error, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => again(person, signal),
    initialData: person,
    // The person was looked up to get here; asked again only by a person.
    enabled: false,
    staleTime: Infinity,
  });
  const problem = error === null ? undefined : problemOf(error);
  const mayShow = problem === undefined || !['forbidden', 'notFound'].includes(problem.kind);
  return (
    <div className={styles['person']}>
      <h1>{text('person.title')}</h1>
      <div className={styles['actions']}>
        <Button
          kind="main"
          autoFocus
          onPress={() => {
            go('insurance');
          }}
        >
          {text('screen.insurance')}
        </Button>
        <Button
          onPress={() => {
            go('labs');
          }}
        >
          {text('screen.labs')}
        </Button>
        <Button
          onPress={() => {
            go('activity');
          }}
        >
          {text('screen.activity')}
        </Button>
        <span className={styles['stamp']}>
          {text('state.asOf', { time: new Date(data.receivedAt) })}
        </span>
        <Button isDisabled={isFetching} onPress={() => void refetch()}>
          {text('labs.refresh')}
        </Button>
      </div>
      {isFetching && <Waiting onCancel={() => void queries.cancelQueries({ queryKey })} />}
      {!isFetching && problem !== undefined && (
        <ProblemNote problem={problem} onRetry={() => void refetch()} />
      )}
      {mayShow && <PersonFacts user={data.value} masked={masked} />}
    </div>
  );
}

/** The same person again; anyone else under the same client id is no answer. */
async function again(person: Person, signal: AbortSignal): Promise<Person> {
  const { client_user_id: clientUserId, user_id: userId } = person.value;
  const found = await ask('resolveUser', { clientUserId }, signal);
  if (found.value.user_id === userId && found.value.client_user_id === clientUserId) return found;
  throw new ServiceProblem({
    kind: 'serverBroken',
    operation: 'resolveUser',
    ...(found.requestId !== undefined && { requestId: found.requestId }),
  });
}
