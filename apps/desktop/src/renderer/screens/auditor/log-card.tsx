import { RefreshCw, ScrollText, ShieldAlert, ShieldCheck } from 'lucide-react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import type { LogState } from '../../../bridge/audit.ts';
import { Button } from '../../components/controls.tsx';
import { Moment } from '../../components/dates.tsx';
import { Icon } from '../../components/icon.tsx';
import { Loading } from '../../components/loading.tsx';
import { ProblemNote } from '../../components/problem.tsx';
import { useWitness } from '../../state/app-state.ts';
import { useNavigation } from '../../state/navigation.tsx';
import { useText } from '../../text/text.tsx';
import styles from './auditor.module.css';
import { useLogState } from './use-audit.ts';

/** Whether the log is whole, in a card beside the records. */
export function LogCard(): ReactElement {
  const text = useText();
  const { go, screen } = useNavigation();
  const { state, problem, isFetching, retry } = useLogState();
  return (
    <section aria-label={text('screen.log')} className={styles['pane']}>
      {screen !== 'log' && (
        <h2>
          <Icon of={ScrollText} />
          {text('screen.log')}
        </h2>
      )}
      {problem !== undefined && <ProblemNote problem={problem} onRetry={retry} />}
      {state === undefined && isFetching && <Loading />}
      {state !== undefined && (
        <div className={styles['grant']}>
          <Verdict state={state} />
          <Facts state={state} />
          <div className={styles['line']}>
            <Button onPress={retry}>
              <Icon of={RefreshCw} />
              {text(isFetching ? 'log.checking' : 'log.check')}
            </Button>
            {screen !== 'log' && (
              <Button
                kind="quiet"
                onPress={() => {
                  go('log');
                }}
              >
                {text('log.proof')}
              </Button>
            )}
          </div>
        </div>
      )}
    </section>
  );
}

/** What the service proved for this answer, and what this desk has seen of the log before. */
function Verdict({ state }: { state: LogState }): ReactElement {
  const text = useText();
  const witness = useWitness();
  const isWhole = state.consistent && witness?.kind !== 'broken';
  return (
    <p
      role="status"
      className={`${styles['verdict'] ?? ''} ${(isWhole ? styles['good'] : styles['bad']) ?? ''}`}
    >
      <Icon of={isWhole ? ShieldCheck : ShieldAlert} />
      {text(isWhole ? 'log.whole' : 'log.broken')}
    </p>
  );
}

function Facts({ state }: { state: LogState }): ReactElement {
  const text = useText();
  const intl = useIntl();
  const { size, checkedAt, from, acceptsRecords, witnessing } = state;
  return (
    <dl className={styles['facts']}>
      <div>
        <dt>{text('log.records')}</dt>
        <dd>{intl.formatNumber(size)}</dd>
      </div>
      <div>
        <dt>{text('log.checked')}</dt>
        <dd>
          <Moment plain at={checkedAt} />
        </dd>
      </div>
      <div>
        <dt>{text('log.grewFrom')}</dt>
        <dd>{intl.formatNumber(from)}</dd>
      </div>
      <div>
        <dt>{text('log.witnesses')}</dt>
        <dd>
          {witnessing === undefined
            ? text('log.noWitnesses')
            : text(witnessing.quorumMet ? 'log.quorum' : 'log.noQuorum', {
                signed: witnessing.witnesses.filter((one) => one.cosignedAt !== undefined).length,
                count: witnessing.witnesses.length,
              })}
        </dd>
      </div>
      {!acceptsRecords && (
        <div>
          <dt>{text('log.state')}</dt>
          <dd>{text('log.stopped')}</dd>
        </div>
      )}
    </dl>
  );
}
