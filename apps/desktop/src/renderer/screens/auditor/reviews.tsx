import { useState } from 'react';
import type { ReactElement } from 'react';
import { Button } from '../../components/controls.tsx';
import { Loading } from '../../components/loading.tsx';
import { ProblemNote } from '../../components/problem.tsx';
import { SegmentedControl } from '../../components/segmented-control.tsx';
import { useText } from '../../text/text.tsx';
import styles from './auditor.module.css';
import { GrantCard } from './grant-card.tsx';
import { useGrants } from './use-audit.ts';

/** Emergency accesses: those that wait for their review, or all with what came of it. */
export function ReviewsScreen(): ReactElement {
  const text = useText();
  const [state, setState] = useState<'open' | 'all'>('open');
  const { grants, problem, isFetching, hasMore, more, retry, cancel } = useGrants(state);
  return (
    <div className={styles['desk']}>
      <div className={styles['head']}>
        <h1>{text('screen.reviews')}</h1>
        <SegmentedControl
          quiet
          label={text('audit.showOnly')}
          value={state}
          options={[
            ['open', text('review.open')],
            ['all', text('review.all')],
          ]}
          onChange={setState}
        />
      </div>
      {problem !== undefined && <ProblemNote problem={problem} onRetry={retry} />}
      {grants === undefined && isFetching && <Loading onCancel={cancel} />}
      {grants?.length === 0 && (
        <div className={styles['empty']}>
          <p>
            <b>{text('review.none')}</b>
          </p>
          <p className={styles['quiet']}>{text('review.noneHelp')}</p>
        </div>
      )}
      {grants !== undefined && grants.length > 0 && (
        <ul className={styles['queue']}>
          {grants.map((grant) => (
            <GrantCard key={grant.breakGlassId} grant={grant} />
          ))}
        </ul>
      )}
      {hasMore && (
        <div>
          <Button onPress={more}>{text(isFetching ? 'state.loading' : 'audit.more')}</Button>
        </div>
      )}
    </div>
  );
}
