import { useCallback, useMemo } from 'react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import type { Insurance } from '@caregate/domain';
import type { Received } from '../../../shared/channels.ts';
import { PAPERS } from '../../../shared/print-kinds.ts';
import { formatDate } from '../../ui/values/dates.tsx';
import { Quiet, Row, Stack } from '../../ui/layout.tsx';
import { Loading } from '../../ui/loading.tsx';
import { ProblemNote } from '../../ui/problem.tsx';
import { PrintButton } from '../printing/print-button.tsx';
import { usePrintFrame } from '../printing/print-document.ts';
import type { PrintChoice } from '../printing/print-document.ts';
import { useIdentity } from '../patient/identity.ts';
import { useInsurance } from './use-insurance.ts';
import type { Person } from '../patient/person.ts';
import type { Read } from '../../api/read.ts';
import { Refresh } from '../../app/refresh.tsx';
import { useSelection } from '../../app/selection.tsx';
import { useText } from '../../i18n/text.tsx';
import { CopyAll, InsuranceFacts, useFormatFact } from './facts.tsx';
import { buildInsuranceDocument } from './insurance-document.ts';
import type { Which } from './insurance-document.ts';
import styles from './insurance.module.css';

export function InsuranceScreen(): ReactElement | null {
  const { person } = useSelection();
  return person === undefined ? null : <PersonInsurance person={person} />;
}

interface Answered {
  readonly which: Which;
  readonly read: Received<Insurance>;
}

function PersonInsurance({ person }: { person: Person }): ReactElement {
  const text = useText();
  const { user_id: userId } = person.value;
  const primary = useInsurance(userId, 'primary');
  const secondary = useInsurance(userId, 'secondary');
  const reads = [primary, secondary];
  const answered = useMemo(
    (): readonly Answered[] =>
      [['primary', primary.data] as const, ['secondary', secondary.data] as const].flatMap(
        ([which, read]) => (read === undefined ? [] : [{ which, read }]),
      ),
    [primary.data, secondary.data],
  );
  // Both fail for the same reason: show it once. No insurance is not a failure.
  const problem = reads
    .map((one) => one.problem)
    .find((one) => one !== undefined && one.missing !== 'insurance');
  const isFetching = reads.some((one) => one.isFetching);
  const refetch = (): void => {
    for (const one of reads) one.refetch();
  };
  const [oldest] = answered.map(({ read }) => read.receivedAt).toSorted();
  return (
    <Stack gap="gap4">
      <h1>{text('screen.insurance')}</h1>
      <Refresh oldest={oldest} isFetching={isFetching} onRefresh={refetch} />
      <Row gap="gap3">
        {answered.length > 0 && <Print answered={answered} person={person} />}
        {answered.length > 0 && <Quiet size="meta">{text('insurance.notCard')}</Quiet>}
      </Row>
      {problem !== undefined && !isFetching && <ProblemNote problem={problem} onRetry={refetch} />}
      {isFetching && answered.length === 0 && (
        <Loading
          what="screen.insurance"
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
        <Quiet as="p" size="meta">
          {text('insurance.noneNext')}
        </Quiet>
      )}
    </Stack>
  );
}

function Coverage(props: {
  readonly which: Which;
  readonly read: Read<Insurance>;
}): ReactElement | null {
  const { which, read } = props;
  const { data, problem } = read;
  const text = useText();
  if (data === undefined && problem?.missing !== 'insurance') return null;
  return (
    <section
      aria-label={text(`insurance.${which}`)}
      className={`stack gap2 narrow ${styles['card'] ?? ''}`}
    >
      {data === undefined ? (
        <>
          <h2>{text(`insurance.${which}`)}</h2>
          <p role="status" className={styles['empty']}>
            {text(which === 'primary' ? 'insurance.nonePrimary' : 'insurance.noneSecondary')}
          </p>
        </>
      ) : (
        <Stack className={styles['coverage']}>
          <Row className={styles['head']}>
            <h2>{text(`insurance.${which}`)}</h2>
            <CopyAll insurance={data.value} />
          </Row>
          <InsuranceFacts insurance={data.value} />
        </Stack>
      )}
    </section>
  );
}

function Print(props: {
  readonly answered: readonly Answered[];
  readonly person: Person;
}): ReactElement | null {
  const { answered, person } = props;
  const { name, birthDate, isPending } = useIdentity(person);
  const { client_user_id: clientUserId } = person.value;
  const intl = useIntl();
  const text = useText();
  const formatFact = useFormatFact();
  const createFrame = usePrintFrame();
  const build = useCallback(
    ({ part, ...choice }: PrintChoice) => {
      const selected = answered.filter(({ which }) => part === 'both' || which === part);
      const printedCoverages = selected.length > 0 ? selected : answered.slice(0, 1);
      const [first] = printedCoverages;
      if (first === undefined) throw new RangeError('Nothing to print.');
      return buildInsuranceDocument({
        coverages: printedCoverages.map(({ which, read }) => ({ which, insurance: read.value })),
        patient: { name, born: birthDate && formatDate(intl, birthDate), clientUserId },
        masked: choice.masked,
        frame: createFrame(
          choice,
          first.read,
          printedCoverages.flatMap(({ read }) => read.auditId ?? []),
        ),
        text,
        show: formatFact,
      });
    },
    [answered, name, birthDate, clientUserId, createFrame, text, formatFact, intl],
  );
  const parts = useMemo(
    () =>
      (answered.length < 2 ? [] : (['primary', 'secondary', 'both'] as const)).map(
        (one) => [one, text(`insurance.${one}`)] as const,
      ),
    [answered.length, text],
  );
  // The printed name may still be on its way.
  if (isPending) return null;
  return (
    <PrintButton
      label={text('print.send')}
      kind="insurance"
      papers={PAPERS}
      parts={parts}
      build={build}
    />
  );
}
