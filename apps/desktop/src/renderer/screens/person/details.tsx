import type { ReactElement } from 'react';
import { Button } from '../../components/controls.tsx';
import { ProblemNote } from '../../components/problem.tsx';
import { useAsOf } from '../../components/dates.tsx';
import { Loading } from '../../components/loading.tsx';
import { usePersonQuery } from '../../state/person.ts';
import type { Person } from '../../state/person.ts';
import { usePerson } from '../../state/selection.tsx';
import { useText } from '../../text/text.tsx';
import { PersonFacts } from './person-facts.tsx';
import styles from './person.module.css';

/** Every field of the person: ids, sources, who set what. */
export function DetailsScreen(): ReactElement | null {
  const { person } = usePerson();
  return person === undefined ? null : <Details person={person} />;
}

function Details({ person }: { person: Person }): ReactElement {
  const text = useText();
  const asOf = useAsOf();
  const { data, problem, isFetching, refetch, cancel } = usePersonQuery(person);
  return (
    <div className={styles['person']}>
      <div className={styles['actions']}>
        <h2 className={styles['title']}>{text('person.title')}</h2>
        <span className={styles['stamp']}>{asOf((data ?? person).receivedAt)}</span>
        <Button isDisabled={isFetching} onPress={refetch}>
          {text('labs.refresh')}
        </Button>
      </div>
      {isFetching && <Loading onCancel={cancel} />}
      {!isFetching && problem !== undefined && <ProblemNote problem={problem} onRetry={refetch} />}
      {data !== undefined && <PersonFacts user={data.value} />}
    </div>
  );
}
