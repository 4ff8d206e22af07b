import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import type { AuditRow } from '../../../shared/audit.ts';
import { momentText } from '../../ui/values/dates.tsx';
import { Entry } from '../../ui/entry.tsx';
import { Quiet } from '../../ui/layout.tsx';
import { useRoleText, useText } from '../../i18n/text.tsx';
import styles from './auditor.module.css';
import { useActorName } from './words.ts';

export const actorOf = ({ actor }: AuditRow): string => actor.id ?? actor.type;

export function Who(props: {
  readonly rows: readonly AuditRow[];
  readonly only: string | undefined;
  readonly onOnly: (actor: string | undefined) => void;
}): ReactElement {
  const { rows, only, onOnly } = props;
  const text = useText();
  const intl = useIntl();
  const roleText = useRoleText();
  const nameOf = useActorName();
  const people = [...Map.groupBy(rows, actorOf)].toSorted(([, a], [, b]) => b.length - a.length);
  return (
    <section aria-label={text('audit.who')} className={styles['pane']}>
      <h2>{text('audit.who')}</h2>
      <ul>
        {people.map(([id, theirs]) => {
          const [newest] = theirs;
          if (newest === undefined) return null;
          const { actor, occurredAt } = newest;
          return (
            <li key={id}>
              <Entry
                current={id === only && 'true'}
                aria-pressed={id === only}
                className={styles['person']}
                onPress={() => {
                  onOnly(id === only ? undefined : id);
                }}
              >
                <b className="wrap">
                  <bdi>{nameOf(actor)}</bdi>
                </b>
                <b>{intl.formatNumber(theirs.length)}</b>
                <Quiet size="meta">{actor.role === undefined ? '' : roleText(actor.role)}</Quiet>
                <Quiet size="meta">{momentText(intl, occurredAt)}</Quiet>
                <span aria-hidden="true" className={styles['share']}>
                  <meter value={theirs.length} max={rows.length} />
                </span>
              </Entry>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
