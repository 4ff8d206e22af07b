import { Quiet, Row, Stack, VisuallyHidden } from '../../ui/layout.tsx';
import { Loading } from '../../ui/loading.tsx';
import { ProblemNote } from '../../ui/problem.tsx';
import { Refresh } from '../../app/refresh.tsx';
import { useSelection } from '../../app/selection.tsx';
import { useText } from '../../i18n/text.tsx';
import type { Person } from '../patient/person.ts';
import { InsuranceCard } from './insurance-card.tsx';
import { InsurancePrint, listPolicies } from './insurance-print.tsx';
import { useInsurance } from './use-insurance.ts';
import styles from './insurance.module.css';

export default function InsuranceScreen() {
  const { person } = useSelection();
  return person === undefined ? null : <PersonInsurance person={person} />;
}

function PersonInsurance({ person }: { person: Person }) {
  const text = useText();
  const { user_id: userId } = person.value;
  const primary = useInsurance(userId, 'primary');
  const secondary = useInsurance(userId, 'secondary');
  const reads = [primary, secondary];
  const policies = listPolicies(primary.data, secondary.data);
  // If both reads fail for the same reason, it is shown once. A patient without insurance isn't a failure.
  const problem = reads
    .map((one) => one.problem)
    .find((one) => one !== undefined && one.missing !== 'insurance');
  const isFetching = reads.some((one) => one.isFetching);
  const refetch = (): void => {
    for (const one of reads) one.refetch();
  };
  const [oldest] = policies.map(([, read]) => read.receivedAt).toSorted();
  return (
    <Stack gap="gap3">
      <VisuallyHidden as="h1">{text('screen.insurance')}</VisuallyHidden>
      <Refresh oldest={oldest} isFetching={isFetching} onRefresh={refetch} />
      {oldest !== undefined && (
        <Row gap="gap3" className="meta">
          <b className="head">{text('insurance.count', { count: policies.length })}</b>
          <Quiet className="grow">{text('insurance.notCard')}</Quiet>
          <Quiet>{text('insurance.cleared')}</Quiet>
          <InsurancePrint primary={primary.data} secondary={secondary.data} person={person} />
        </Row>
      )}
      {problem !== undefined && !isFetching && <ProblemNote problem={problem} onRetry={refetch} />}
      {isFetching && policies.length === 0 && (
        <Loading
          what="screen.insurance"
          onCancel={() => {
            for (const one of reads) one.cancel();
          }}
        />
      )}
      <div className={styles['cards']}>
        {policies.map(([which, read]) => (
          <InsuranceCard key={which} which={which} insurance={read.value} />
        ))}
      </div>
      {primary.problem?.missing === 'insurance' && (
        <p role="status">
          {text(
            reads.every((one) => one.problem?.missing === 'insurance')
              ? 'insurance.none'
              : 'insurance.nonePrimary',
          )}
        </p>
      )}
    </Stack>
  );
}
