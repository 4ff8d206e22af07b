import { Siren } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button } from '../../components/controls.tsx';
import { Icon } from '../../components/icon.tsx';
import { Loading } from '../../components/loading.tsx';
import { ProblemNote } from '../../components/problem.tsx';
import { useText } from '../../text/text.tsx';
import styles from './auditor.module.css';
import { GrantCard } from './grant-card.tsx';
import { useGrants } from './use-audit.ts';

/** The emergency accesses that wait for their review. */
export function ReviewQueue({ compact = false }: { compact?: boolean }): ReactElement {
  const text = useText();
  const { grants, problem, isFetching, hasMore, more, retry, cancel } = useGrants('open');
  return (
    <section aria-label={text('review.title')} className={styles['pane']}>
      {compact && (
        <h2>
          <Icon of={Siren} />
          {text('review.title')}
        </h2>
      )}
      {problem !== undefined && <ProblemNote problem={problem} onRetry={retry} />}
      {grants === undefined && isFetching && <Loading onCancel={cancel} />}
      {grants?.length === 0 && <p className={styles['quiet']}>{text('review.none')}</p>}
      {grants !== undefined && grants.length > 0 && (
        <ul className={styles['grants']}>
          {grants.map((grant) => (
            <GrantCard key={grant.breakGlassId} grant={grant} />
          ))}
        </ul>
      )}
      {hasMore && (
        <Button onPress={more}>{text(isFetching ? 'state.loading' : 'audit.more')}</Button>
      )}
    </section>
  );
}
