import { CircleAlert, LockKeyhole, Printer, Siren } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { Fragment } from 'react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import { recordNumber } from '../../../bridge/audit.ts';
import type { AuditRow } from '../../../bridge/audit.ts';
import { Button, Code } from '../../components/controls.tsx';
import { dayOf, timeText } from '../../components/dates.tsx';
import { Icon } from '../../components/icon.tsx';
import { PlainCopy } from '../../components/plain-copy.tsx';
import { useAuditSubject } from '../../state/audit-subject.tsx';
import { useRoleText, useText } from '../../text/text.tsx';
import styles from './auditor.module.css';
import { markOf, useAuditWords } from './words.ts';
import type { Mark } from './words.ts';

const icons: Readonly<Record<Exclude<Mark, undefined>, LucideIcon>> = {
  emergency: Siren,
  refused: LockKeyhole,
  printed: Printer,
  failed: CircleAlert,
};

/** Records by day: when, who, what, on what ground, where, and the record itself. */
export function AccessTable({ rows }: { rows: readonly AuditRow[] }): ReactElement {
  const text = useText();
  const intl = useIntl();
  const days = byDay(rows, ({ occurredAt }) => dayOf(intl, occurredAt) ?? occurredAt);
  const zone = intl
    .formatDateToParts(new Date(), { timeZoneName: 'short' })
    .find(({ type }) => type === 'timeZoneName')?.value;
  return (
    <div className={styles['table']} tabIndex={0} role="region" aria-label={text('audit.records')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{text('audit.time', { zone: zone ?? '' })}</th>
            <th scope="col">{text('audit.who')}</th>
            <th scope="col">{text('audit.what')}</th>
            <th scope="col">{text('audit.ground')}</th>
            <th scope="col">{text('audit.where')}</th>
            <th scope="col">{text('audit.record')}</th>
          </tr>
        </thead>
        <tbody>
          {[...days].map(([day, ofDay]) => (
            <Fragment key={day}>
              <tr className={styles['day']}>
                <th colSpan={6} scope="rowgroup">
                  {day}
                </th>
              </tr>
              {ofDay.map((row) => (
                <Row key={row.recordId} row={row} />
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** In the order of the records: the newest day first. */
function byDay(
  rows: readonly AuditRow[],
  day: (row: AuditRow) => string,
): ReadonlyMap<string, readonly AuditRow[]> {
  const days = new Map<string, AuditRow[]>();
  for (const row of rows) {
    const ofDay = days.get(day(row));
    if (ofDay === undefined) days.set(day(row), [row]);
    else ofDay.push(row);
  }
  return days;
}

function Row({ row }: { row: AuditRow }): ReactElement {
  const text = useText();
  const intl = useIntl();
  const words = useAuditWords();
  const { occurredAt, desk, recordId } = row;
  return (
    <tr>
      <td className={styles['number']}>
        <time dateTime={occurredAt}>{timeText(intl, occurredAt, { seconds: true })}</time>
      </td>
      <td>
        <Actor row={row} />
      </td>
      <td>
        {words.act(row)}
        <Whose row={row} />
      </td>
      <td>
        <Ground row={row} />
      </td>
      <td className={styles['quiet']}>{desk ?? text('audit.noDesk')}</td>
      <td className={styles['quiet']}>
        <PlainCopy isIcon value={recordId} label={text('audit.copyRecord')} />
      </td>
    </tr>
  );
}

/** The name leads to what this member of staff saw. */
function Actor({ row: { actor } }: { row: AuditRow }): ReactElement {
  const text = useText();
  const roleText = useRoleText();
  const { setSubject } = useAuditSubject();
  const { id, name, role, type } = actor;
  const shown = name ?? id ?? text(type === 'system' ? 'audit.system' : 'audit.nobody');
  return (
    <span className={styles['actor']}>
      {id === undefined ? (
        <b>{shown}</b>
      ) : (
        <Button
          kind="quiet"
          onPress={() => {
            setSubject({ kind: 'actor', id, name });
          }}
        >
          <b>{shown}</b>
        </Button>
      )}
      {role !== undefined && <span className={styles['quiet']}>{roleText(role)}</span>}
    </span>
  );
}

/** Whose data it was, where that is not what was asked for. */
function Whose({ row: { patients } }: { row: AuditRow }): ReactElement | null {
  const text = useText();
  const { subject } = useAuditSubject();
  const isAsked = subject?.kind === 'patient' && !recordNumber.test(subject.id);
  const [id] = patients;
  if (id === undefined || (isAsked && patients.length === 1)) return null;
  return (
    <div className={styles['quiet']}>
      {patients.length === 1 ? <Code>{id}</Code> : text('audit.people', { count: patients.length })}
    </div>
  );
}

function Ground({ row }: { row: AuditRow }): ReactElement {
  const text = useText();
  const mark = markOf(row);
  if (mark === undefined || mark === 'printed') {
    return (
      <span className={styles['quiet']}>
        {text(row.actor.role === 'integration' ? 'audit.byScope' : 'audit.byRole')}
      </span>
    );
  }
  return (
    <span
      className={`${styles['chip'] ?? ''} ${mark === 'emergency' ? (styles['notice'] ?? '') : (styles['plain'] ?? '')}`}
    >
      <Icon of={icons[mark]} />
      {text(`audit.mark.${mark}`)}
    </span>
  );
}
