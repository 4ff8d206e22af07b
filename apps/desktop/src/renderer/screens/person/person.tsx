import type { ReactElement } from 'react';
import { Button } from '../../components/controls.tsx';
import { ProblemNote } from '../../components/problem.tsx';
import { Loading } from '../../components/loading.tsx';
import { useAutoFocus, useNavigation } from '../../state/navigation.tsx';
import { usePersonQuery } from '../../state/person.ts';
import type { Person } from '../../state/person.ts';
import { usePerson } from '../../state/selection.tsx';
import { useText } from '../../text/text.tsx';
import { PersonFacts } from './person-facts.tsx';
import styles from './person.module.css';

/** The selected person's data, with links to the other screens. */
export function PersonScreen(): ReactElement | null {
  const { person } = usePerson();
  return person === undefined ? null : <SelectedPerson person={person} />;
}

function SelectedPerson({ person }: { person: Person }): ReactElement {
  const text = useText();
  const { go } = useNavigation();
  const next = useAutoFocus<HTMLButtonElement>();
  const { held, problem, mayShow, isFetching, refetch, cancel } = usePersonQuery(person);
  return (
    <div className={styles['person']}>
      <h1>{text('person.title')}</h1>
      <div className={styles['actions']}>
        <Button
          kind="main"
          ref={next}
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
          {text('state.asOf', { time: new Date(held.receivedAt) })}
        </span>
        <Button isDisabled={isFetching} onPress={refetch}>
          {text('labs.refresh')}
        </Button>
      </div>
      {isFetching && <Loading onCancel={cancel} />}
      {!isFetching && problem !== undefined && <ProblemNote problem={problem} onRetry={refetch} />}
      {mayShow && <PersonFacts user={held.value} />}
    </div>
  );
}
