import { CircleAlert, LockKeyhole, Printer, Siren } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { Fragment } from 'react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import { recordNumber } from '../../../bridge/audit.ts';
import type { AuditRow } from '../../../bridge/audit.ts';
import { Button, Code } from '../../components/controls.tsx';
import { dayOf, timeText } from '../../components/dates.tsx';
import { Quiet } from '../../components/layout.tsx';
import { PlainCopy } from '../../components/plain-copy.tsx';
import { Chip } from '../../components/surfaces.tsx';
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

export function AccessTable({ rows }: { rows: readonly AuditRow[] }): ReactElement {
  const text = useText();
  const intl = useIntl();
  const days = Map.groupBy(rows, ({ occurredAt }) => dayOf(intl, occurredAt) ?? occurredAt);
  const zone = intl
    .formatDateToParts(new Date(), { timeZoneName: 'short' })
    .find(({ type }) => type === 'timeZoneName')?.value;
  return (
    <div
      className={`inset ${styles['table'] ?? ''}`}
      tabIndex={0}
      role="region"
      aria-label={text('audit.records')}
    >
      <table>
        <thead>
          <tr>
            <th scope="col">{text('audit.time', { zone: zone ?? '' })}</th>
            {(['who', 'what', 'ground', 'where', 'record'] as const).map((column) => (
              <th key={column} scope="col">
                {text(`audit.${column}`)}
              </th>
            ))}
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
      <td>
        <Quiet>{desk ?? text('audit.noDesk')}</Quiet>
      </td>
      <td>
        <PlainCopy isIcon value={recordId} label={text('audit.copyRecord')} />
      </td>
    </tr>
  );
}

function Actor({ row: { actor } }: { row: AuditRow }): ReactElement {
  const text = useText();
  const roleText = useRoleText();
  const { setSubject } = useAuditSubject();
  const { id, name, role, type } = actor;
  const shown = name ?? id ?? text(type === 'system' ? 'audit.system' : 'audit.nobody');
  return (
    <span className={`inline ${styles['actor'] ?? ''}`}>
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
      {role !== undefined && <Quiet>{roleText(role)}</Quiet>}
    </span>
  );
}

/** Whose data it was, unless that is the subject of the whole list. */
function Whose({ row: { patients } }: { row: AuditRow }): ReactElement | null {
  const text = useText();
  const { subject } = useAuditSubject();
  const isSubject = subject?.kind === 'patient' && !recordNumber.test(subject.id);
  const [id] = patients;
  if (id === undefined || (isSubject && patients.length === 1)) return null;
  return (
    <Quiet as="div">
      {patients.length === 1 ? <Code>{id}</Code> : text('audit.people', { count: patients.length })}
    </Quiet>
  );
}

function Ground({ row }: { row: AuditRow }): ReactElement {
  const text = useText();
  const mark = markOf(row);
  if (mark === undefined || mark === 'printed') {
    return (
      <Quiet>{text(row.actor.role === 'integration' ? 'audit.byScope' : 'audit.byRole')}</Quiet>
    );
  }
  return (
    <Chip kind={mark === 'emergency' ? 'notice' : undefined} icon={icons[mark]}>
      {text(`audit.mark.${mark}`)}
    </Chip>
  );
}
