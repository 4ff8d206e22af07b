import type { ReactElement } from 'react';
import { Button } from '../../components/controls.tsx';
import { ProblemNote } from '../../components/problem.tsx';
import { Waiting } from '../../components/waiting.tsx';
import { useDesk } from '../../shell/desk.tsx';
import type { Person } from '../../shell/desk.tsx';
import { useArrival } from '../../shell/use-arrival.ts';
import { usePerson } from '../../shell/use-person.ts';
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
  const { go } = useDesk();
  const next = useArrival<HTMLButtonElement>();
  const { held, problem, mayShow, isFetching, askAgain, cancel } = usePerson(person);
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
        <Button isDisabled={isFetching} onPress={askAgain}>
          {text('labs.refresh')}
        </Button>
      </div>
      {isFetching && <Waiting onCancel={cancel} />}
      {!isFetching && problem !== undefined && <ProblemNote problem={problem} onRetry={askAgain} />}
      {mayShow && <PersonFacts user={held.value} />}
    </div>
  );
}
