import { RefreshCw } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import type { Insurance } from '@caregate/domain';
import type { Received } from '../../../bridge/channels.ts';
import { PAPERS } from '../../../bridge/print-kinds.ts';
import { Button } from '../../components/controls.tsx';
import { dayText, useAsOf } from '../../components/dates.tsx';
import { Icon } from '../../components/icon.tsx';
import { Loading } from '../../components/loading.tsx';
import { ProblemNote } from '../../components/problem.tsx';
import { PrintButton } from '../../print/print-button.tsx';
import { usePrintFrame } from '../../print/print-document.ts';
import type { PrintChoice } from '../../print/print-document.ts';
import { useOnline } from '../../state/app-state.ts';
import { useIdentity } from '../../state/people/identity.ts';
import type { Person } from '../../state/person.ts';
import { usePerson } from '../../state/selection.tsx';
import { useText } from '../../text/text.tsx';
import { useFactText } from './facts.tsx';
import { insuranceDocument } from './insurance-document.ts';
import type { Which } from './insurance-document.ts';
import { CopyAll, InsuranceDetails } from './insurance-details.tsx';
import { useInsurance } from './use-insurance.ts';
import type { InsuranceRead } from './use-insurance.ts';
import styles from './insurance.module.css';

/** What the desk is asked for: the numbers of both insurances, and in whose name they are. */
export function InsuranceScreen(): ReactElement | null {
  const { person } = usePerson();
  return person === undefined ? null : <PersonInsurance person={person} />;
}

interface Held {
  readonly which: Which;
  readonly read: Received<Insurance>;
}

function PersonInsurance({ person }: { person: Person }): ReactElement {
  const text = useText();
  const asOf = useAsOf();
  const online = useOnline();
  const { user_id: userId } = person.value;
  const primary = useInsurance(userId, 'primary');
  const secondary = useInsurance(userId, 'secondary');
  const reads = [primary, secondary];
  const held = useMemo(
    (): readonly Held[] => [
      ...(primary.data === undefined ? [] : [{ which: 'primary', read: primary.data } as const]),
      ...(secondary.data === undefined
        ? []
        : [{ which: 'secondary', read: secondary.data } as const]),
    ],
    [primary.data, secondary.data],
  );
  // What is wrong with one is wrong with the other: it is said once. That there is none is no fault.
  const problem = reads
    .map((one) => one.problem)
    .find((one) => one !== undefined && one.missing !== 'insurance');
  const isFetching = reads.some((one) => one.isFetching);
  const refetch = (): void => {
    for (const one of reads) one.refetch();
  };
  const [oldest] = held.map(({ read }) => read.receivedAt).toSorted();
  return (
    <div className={styles['screen']}>
      <h1>{text('insurance.title')}</h1>
      <div className={styles['bar']}>
        {held.length > 0 && <Print held={held} person={person} />}
        {!isFetching && problem === undefined && (
          <Button kind="quiet" onPress={refetch}>
            <Icon of={RefreshCw} />
            {text('insurance.refresh')}
          </Button>
        )}
        {oldest !== undefined && (problem !== undefined || !online) && (
          <strong>{asOf(oldest)}</strong>
        )}
        {held.length > 0 && <span className={styles['notice']}>{text('insurance.notCard')}</span>}
      </div>
      {problem !== undefined && !isFetching && <ProblemNote problem={problem} onRetry={refetch} />}
      {isFetching && held.length === 0 && (
        <Loading
          onCancel={() => {
            for (const one of reads) one.cancel();
          }}
        />
      )}
      <div className={styles['columns']}>
        <Coverage which="primary" read={primary} />
        <Coverage which="secondary" read={secondary} />
      </div>
      {reads.every((one) => one.problem?.missing === 'insurance') && (
        <p className={styles['notice']}>{text('insurance.noneNext')}</p>
      )}
    </div>
  );
}

/** One of the two, or that there is none. */
function Coverage({ which, read }: { which: Which; read: InsuranceRead }): ReactElement | null {
  const text = useText();
  const { data, problem } = read;
  if (data === undefined && problem?.missing !== 'insurance') return null;
  return (
    <section aria-label={text(`insurance.${which}`)} className={styles['card']}>
      {data === undefined ? (
        <>
          <h2>{text(`insurance.${which}`)}</h2>
          <p role="status" className={styles['empty']}>
            {text(which === 'primary' ? 'insurance.nonePrimary' : 'insurance.noneSecondary')}
          </p>
        </>
      ) : (
        <InsuranceDetails insurance={data.value}>
          <div className={styles['head']}>
            <h2>{text(`insurance.${which}`)}</h2>
            <CopyAll insurance={data.value} />
          </div>
        </InsuranceDetails>
      )}
    </section>
  );
}

function Print(props: {
  readonly held: readonly Held[];
  readonly person: Person;
}): ReactElement | null {
  const { held, person } = props;
  const { name, birthDate, isPending } = useIdentity(person);
  const { client_user_id: clientUserId } = person.value;
  const intl = useIntl();
  const text = useText();
  const show = useFactText();
  const frameOf = usePrintFrame();
  const build = useCallback(
    (choice: PrintChoice) => {
      const chosen = held.filter(({ which }) => choice.part === 'both' || which === choice.part);
      const printed = chosen.length > 0 ? chosen : held.slice(0, 1);
      const records = printed.flatMap(({ read }) => read.auditId ?? []);
      const [first] = printed;
      if (first === undefined) throw new RangeError('Nothing to print.');
      return insuranceDocument({
        coverages: printed.map(({ which, read }) => ({ which, insurance: read.value })),
        patient: { name, born: birthDate && (dayText(intl, birthDate) ?? birthDate), clientUserId },
        masked: choice.masked,
        frame: frameOf(choice, first.read, records),
        text,
        show,
      });
    },
    [held, name, birthDate, clientUserId, frameOf, text, show, intl],
  );
  const parts = useMemo(
    () =>
      held.length < 2
        ? []
        : (['primary', 'secondary', 'both'] as const).map(
            (one) => [one, text(`insurance.${one}`)] as const,
          ),
    [held.length, text],
  );
  // No paper without a name that is about to be known.
  if (isPending) return null;
  return (
    <PrintButton main label={text('insurance.print')} papers={PAPERS} parts={parts} build={build} />
  );
}
