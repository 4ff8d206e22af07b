import { BellRing } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button, Code } from '../../components/controls.tsx';
import { Moment } from '../../components/dates.tsx';
import { Icon } from '../../components/icon.tsx';
import { Loading } from '../../components/loading.tsx';
import { ProblemNote } from '../../components/problem.tsx';
import { useText } from '../../text/text.tsx';
import styles from './auditor.module.css';
import { useAuditRows } from './use-audit.ts';
import { useAuditWords } from './words.ts';

/** What the service itself found unusual, newest first. */
export function AlarmsScreen(): ReactElement {
  const text = useText();
  const words = useAuditWords();
  const { rows, problem, isFetching, hasMore, more, retry, cancel } = useAuditRows(
    'auditAlarms',
    {},
  );
  return (
    <div className={styles['desk']}>
      <div className={styles['head']}>
        <h1>{text('screen.alarms')}</h1>
      </div>
      {problem !== undefined && <ProblemNote problem={problem} onRetry={retry} />}
      {rows === undefined && isFetching && <Loading onCancel={cancel} />}
      {rows?.length === 0 && (
        <div className={styles['empty']}>
          <p>
            <b>{text('alarms.none')}</b>
          </p>
          <p className={styles['quiet']}>{text('alarms.noneHelp')}</p>
        </div>
      )}
      {rows !== undefined && rows.length > 0 && (
        <ul className={styles['queue']}>
          {rows.map(({ recordId, occurredAt, operation, actor, details }) => (
            <li key={recordId} className={styles['grant']}>
              <p className={styles['line']}>
                <span className={styles['alarm']}>
                  <Icon of={BellRing} />
                </span>
                <b className={styles['grow']}>{words.operation(operation)}</b>
                <span className={styles['quiet']}>
                  <Moment plain at={occurredAt} />
                </span>
              </p>
              {actor.name !== undefined && <p>{actor.name}</p>}
              <dl className={styles['facts']}>
                {details.map(({ name, value }) => (
                  <div key={name}>
                    <dt>{words.detail(name)}</dt>
                    <dd>{name === 'reason_code' ? words.reason(value) : <Code>{value}</Code>}</dd>
                  </div>
                ))}
                <div>
                  <dt>{text('audit.record')}</dt>
                  <dd>
                    <Code>{recordId}</Code>
                  </dd>
                </div>
              </dl>
            </li>
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
