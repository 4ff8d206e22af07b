import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import type { Insurance } from '@caregate/domain';
import type { Problem } from '../../../bridge/problem.ts';
import { SegmentedControl } from '../../components/segmented-control.tsx';
import { Button } from '../../components/controls.tsx';
import { ProblemNote } from '../../components/problem.tsx';
import { Loading } from '../../components/loading.tsx';
import { useOnline } from '../../state/app-state.ts';
import { callService, problemOf } from '../../state/service-call.ts';
import type { Received } from '../../../bridge/channels.ts';
import type { Person } from '../../state/person.ts';
import { usePerson } from '../../state/selection.tsx';
import { useText } from '../../text/text.tsx';
import { Facts, useFactText } from './facts.tsx';
import { insuranceDocument } from './insurance-document.ts';
import { PAPERS } from '../../../bridge/print.ts';
import { PrintButton } from '../../print/print-button.tsx';
import { usePrintFrame } from '../../print/print-document.ts';
import type { PrintChoice } from '../../print/print-document.ts';
import { cardFacts, insuredFacts, insuredHeading } from './insurance-facts.ts';
import styles from './insurance.module.css';

const cancelled: Problem = { kind: 'cancelled' };

type Which = 'primary' | 'secondary';

/** What the desk is asked for: the numbers of the insurance, and in whose name it is. */
export function InsuranceScreen(): ReactElement | null {
  const { person } = usePerson();
  return person === undefined ? null : <PersonInsurance person={person} />;
}

function PersonInsurance({ person }: { person: Person }): ReactElement {
  const text = useText();
  const online = useOnline();
  const [which, setWhich] = useState<Which>('primary');
  const { data, error, isFetching, refetch, cancel } = useInsurance(person.value.user_id, which);
  // Given up, there is neither an answer nor an error.
  const stopped = data === undefined && error === null && !isFetching;
  const problem = stopped ? cancelled : error === null ? undefined : problemOf(error);
  return (
    <div className={styles['screen']}>
      <h1>{text('insurance.title')}</h1>
      <div className={styles['bar']}>
        <SegmentedControl
          label={text('insurance.which')}
          value={which}
          options={[
            ['primary', text('insurance.primary')],
            ['secondary', text('insurance.secondary')],
          ]}
          onChange={setWhich}
        />
        {data !== undefined && (problem !== undefined || !online) && (
          <strong>{text('state.asOf', { time: new Date(data.receivedAt) })}</strong>
        )}
      </div>
      {problem !== undefined && !isFetching && (
        <InsuranceProblem problem={problem} which={which} onRetry={refetch} onOther={setWhich} />
      )}
      {isFetching && data === undefined && <Loading onCancel={cancel} />}
      {data !== undefined && (
        <InsuranceDetails insurance={data.value}>
          <Print read={data} clientUserId={person.value.client_user_id} />
        </InsuranceDetails>
      )}
    </div>
  );
}

/** The answer is kept while the service can't be reached, and dropped once it says that there is none, or not for us. */
function useInsurance(userId: string, which: Which) {
  const primary = which === 'primary';
  const queryKey = ['insurance', userId, which];
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => callService('insurance', { userId, primary }, signal),
  });
  const kind = query.error === null ? undefined : problemOf(query.error).kind;
  const keep = kind === undefined || kind === 'offline' || kind === 'timeout' || kind === 'busy';
  const queries = useQueryClient();
  return {
    data: keep ? query.data : undefined,
    error: query.error,
    isFetching: query.isFetching,
    refetch: () => void query.refetch(),
    cancel: () => void queries.cancelQueries({ queryKey }),
  };
}

/** An insurance as the screen has it; under its numbers, what can be done with it. */
export function InsuranceDetails(props: {
  readonly insurance: Insurance;
  readonly children?: ReactNode;
}): ReactElement {
  const { insurance, children } = props;
  const text = useText();
  return (
    <div className={styles['columns']}>
      <div className={styles['first']}>
        <section aria-label={text('insurance.card')} className={styles['card']}>
          <h2>{text('insurance.card')}</h2>
          <Facts facts={cardFacts(insurance)} large />
        </section>
        <p className={styles['notice']}>{text('insurance.notCard')}</p>
        {children}
      </div>
      <section aria-label={text('insurance.details')} className={styles['details']}>
        <h2>{text(insuredHeading(insurance))}</h2>
        <Facts facts={insuredFacts(insurance)} />
      </section>
    </div>
  );
}

function Print(props: {
  readonly read: Received<Insurance>;
  readonly clientUserId: string;
}): ReactElement {
  const { read, clientUserId } = props;
  const text = useText();
  const show = useFactText();
  const frameOf = usePrintFrame();
  const build = useCallback(
    (choice: PrintChoice) =>
      insuranceDocument({
        insurance: read.value,
        clientUserId,
        masked: choice.masked,
        frame: frameOf(choice, read),
        text,
        show,
      }),
    [read, clientUserId, frameOf, text, show],
  );
  return (
    <div>
      <PrintButton main label={text('insurance.print')} papers={PAPERS} build={build} />
    </div>
  );
}

function InsuranceProblem(props: {
  readonly problem: Problem;
  readonly which: Which;
  readonly onRetry: () => void;
  readonly onOther: (which: Which) => void;
}): ReactElement {
  const { problem, which, onRetry, onOther } = props;
  const text = useText();
  if (problem.missing !== 'insurance') return <ProblemNote problem={problem} onRetry={onRetry} />;
  const other = which === 'primary' ? 'secondary' : 'primary';
  return (
    <div role="status" className={styles['empty']}>
      <strong>
        {text(which === 'primary' ? 'insurance.nonePrimary' : 'insurance.noneSecondary')}
      </strong>
      <p>{text('insurance.noneNext')}</p>
      <div className={styles['bar']}>
        <Button
          onPress={() => {
            onOther(other);
          }}
        >
          {text(`insurance.${other}`)}
        </Button>
        <Button onPress={onRetry}>{text('insurance.refresh')}</Button>
      </div>
    </div>
  );
}
