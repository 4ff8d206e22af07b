import { CircleAlert, Eye, LockKeyhole, Printer, Search, Siren } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import { recordNumber } from '../../../shared/audit.ts';
import type { AuditRow } from '../../../shared/audit.ts';
import { Button, Code } from '../../ui/controls.tsx';
import { timeText, weekdayText } from '../../ui/values/dates.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Quiet } from '../../ui/layout.tsx';
import { PlainCopy } from '../../ui/copy-button.tsx';
import { dayIn } from '../../../shared/time-zone.ts';
import { useAuditSubject } from '../../app/audit-subject.tsx';
import { useText } from '../../i18n/text.tsx';
import styles from './auditor.module.css';
import { foldedSearches, isSearch } from './fold.ts';
import { GrantInPlace } from './grant-card.tsx';
import { useOpenGrants } from './use-audit.ts';
import { markOf, useActorName, useAuditWords } from './words.ts';
import type { Mark } from './words.ts';

const icons: Readonly<Record<Exclude<Mark, undefined>, LucideIcon>> = {
  emergency: Siren,
  refused: LockKeyhole,
  printed: Printer,
  failed: CircleAlert,
};

export function AccessList({ rows }: { rows: readonly AuditRow[] }): ReactElement {
  const intl = useIntl();
  const days = Map.groupBy(rows, ({ occurredAt }) => dayIn(intl.timeZone, new Date(occurredAt)));
  const { grants } = useOpenGrants();
  const waiting = new Map(grants.map((grant) => [grant.breakGlassId, grant]));
  // A grant is reviewed at its newest record.
  const newest = new Map(
    rows.toReversed().flatMap(({ breakGlassId: id, recordId }) => (id ? [[id, recordId]] : [])),
  );
  return (
    <div className={styles['days']}>
      {[...days].map(([day, ofDay]) => (
        <section key={day} aria-label={weekdayText(intl, day)}>
          <h2>{weekdayText(intl, day)}</h2>
          <ol>
            {foldedSearches(ofDay).map((group) => {
              const [row] = group;
              const { breakGlassId: id = '', recordId } = row;
              const grant = newest.get(id) === recordId ? waiting.get(id) : undefined;
              return (
                <li key={recordId}>
                  {group.length === 1 ? <Entry row={row} /> : <Searches rows={group} />}
                  {grant !== undefined && <GrantInPlace grant={grant} />}
                </li>
              );
            })}
          </ol>
        </section>
      ))}
    </div>
  );
}

function Entry({ row }: { row: AuditRow }): ReactElement {
  const text = useText();
  const words = useAuditWords();
  return (
    <div className={styles['entry']}>
      <When row={row} />
      <p className={styles['sentence']}>
        {row.actor.type !== 'system' && <Actor row={row} />} {words.sentence(row)}
        <Whose row={row} />
      </p>
      <Where row={row} />
      <PlainCopy isIcon value={row.recordId} label={text('audit.copyRecord')} />
    </div>
  );
}

function Searches({ rows }: { rows: readonly [AuditRow, ...AuditRow[]] }): ReactElement {
  const text = useText();
  const isSubject = useIsAboutPatient();
  const [row] = rows;
  return (
    <details className={styles['fold']}>
      <summary className={styles['entry']}>
        <When row={row} />
        <p className={styles['sentence']}>
          <b>
            <bdi>{useActorName()(row.actor)}</bdi>
          </b>{' '}
          {text(isSubject ? 'audit.searchesOf' : 'audit.searches', { count: rows.length })}
        </p>
        <Where row={row} />
      </summary>
      <ol>
        {rows.map((one) => (
          <li key={one.recordId}>
            <Entry row={one} />
          </li>
        ))}
      </ol>
    </details>
  );
}

function When({ row }: { row: AuditRow }): ReactElement {
  const intl = useIntl();
  const { occurredAt } = row;
  const mark = markOf(row);
  const icon = mark === undefined ? (isSearch(row) ? Search : Eye) : icons[mark];
  return (
    <>
      <time dateTime={occurredAt} title={occurredAt} className={styles['number']}>
        {timeText(intl, occurredAt, { seconds: true })}
      </time>
      <span className={`center ${styles['mark'] ?? ''}`} data-mark={mark}>
        <Icon of={icon} />
      </span>
    </>
  );
}

function Where({ row: { desk, actor } }: { row: AuditRow }): ReactElement {
  const text = useText();
  // A command's record names the account that ran it.
  const program = actor.type === 'system' ? actor.id : undefined;
  const none = actor.role === 'integration' || actor.type === 'system';
  return (
    <Quiet size="meta" className={styles['where']}>
      <bdi>{desk ?? program ?? text(none ? 'audit.system' : 'audit.noDesk')}</bdi>
    </Quiet>
  );
}

function Actor({ row: { actor } }: { row: AuditRow }): ReactElement {
  const { setSubject } = useAuditSubject();
  const { id, name } = actor;
  const shown = useActorName()(actor);
  if (id === undefined) return <b>{shown}</b>;
  return (
    <Button
      kind="quiet"
      onPress={() => {
        setSubject({ kind: 'actor', id, name });
      }}
    >
      <bdi>{shown}</bdi>
    </Button>
  );
}

function useIsAboutPatient(): boolean {
  const { subject } = useAuditSubject();
  return subject?.kind === 'patient' && !recordNumber.test(subject.id);
}

function Whose({ row: { patients } }: { row: AuditRow }): ReactElement | null {
  const text = useText();
  const isSubject = useIsAboutPatient();
  const [id] = patients;
  if (id === undefined || (isSubject && patients.length === 1)) return null;
  return (
    <Quiet size="meta">
      {' · '}
      {patients.length === 1 ? <Code>{id}</Code> : text('audit.people', { count: patients.length })}
    </Quiet>
  );
}
