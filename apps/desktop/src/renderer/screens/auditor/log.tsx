import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import { Code } from '../../components/controls.tsx';
import { Moment, momentText } from '../../components/dates.tsx';
import { PlainCopy } from '../../components/plain-copy.tsx';
import { useWitness } from '../../state/app-state.ts';
import { useText } from '../../text/text.tsx';
import styles from './auditor.module.css';
import { LogCard } from './log-card.tsx';
import { useLogState } from './use-audit.ts';

/** The state of the log and of its witnesses, and what proves it. */
export function LogScreen(): ReactElement {
  const text = useText();
  const { state } = useLogState();
  return (
    <div className={styles['desk']}>
      <div className={styles['head']}>
        <h1>{text('screen.log')}</h1>
      </div>
      <div className={styles['columns']}>
        <LogCard />
        <ThisDesk />
        {state?.witnessing !== undefined && (
          <section className={styles['pane']} aria-label={text('log.witnesses')}>
            <h2>{text('log.witnesses')}</h2>
            <ul className={styles['grant']}>
              {state.witnessing.witnesses.map(({ name, cosignedAt, conflict }) => (
                <li key={name} className={styles['line']}>
                  <span className={styles['grow']}>
                    <Code>{name}</Code>
                  </span>
                  {conflict ? (
                    <b className={styles['bad']}>{text('log.conflict')}</b>
                  ) : cosignedAt === undefined ? (
                    <span className={styles['quiet']}>{text('log.notSigned')}</span>
                  ) : (
                    <span>
                      <Moment plain at={cosignedAt} />
                    </span>
                  )}
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
      {state !== undefined && (
        <section className={styles['pane']} aria-label={text('log.checkpoint')}>
          <h2>{text('log.checkpoint')}</h2>
          <p className={styles['quiet']}>{text('log.checkpointHelp')}</p>
          <pre dir="ltr" tabIndex={0} className={styles['proof']}>
            {state.checkpoint}
          </pre>
          <div>
            <PlainCopy value={state.checkpoint} label={text('log.copy')} />
          </div>
        </section>
      )}
    </div>
  );
}

/** This desk is a witness too: it keeps the last checkpoint that it saw. */
function ThisDesk(): ReactElement {
  const text = useText();
  const intl = useIntl();
  const { kind, size, checkedAt, why, foundAt } = useWitness() ?? { kind: 'nothing' };
  const said =
    kind === 'broken' && why !== undefined
      ? `${text(`witness.${why}`)} ${text('witness.next', { time: momentText(intl, foundAt ?? '') ?? '' })}`
      : size !== undefined && checkedAt !== undefined
        ? text('witness.holds', { size, time: momentText(intl, checkedAt) ?? checkedAt })
        : text('witness.nothing');
  return (
    <section className={styles['pane']} aria-label={text('log.thisDesk')}>
      <h2>{text('log.thisDesk')}</h2>
      <p className={styles['grant']}>{said}</p>
    </section>
  );
}
