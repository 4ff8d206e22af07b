import { Ban, CircleAlert, Eye, Printer, Search, Siren, type LucideIcon } from 'lucide-react';
import { useIntl } from 'react-intl';
import type { AuditRow } from '../../../shared/audit.ts';
import { Code } from '../../ui/controls.tsx';
import { getToday } from '../../ui/values/age.ts';
import { formatTime, formatWeekdayDate } from '../../ui/values/dates.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Quiet } from '../../ui/layout.tsx';
import { Chip } from '../../ui/surfaces.tsx';
import { formatIsoDay } from '../../../shared/time-zone.ts';
import { useText } from '../../i18n/text.tsx';
import styles from './access-log.module.css';
import { useOpenGrants } from './use-audit.tsx';
import { findMark, formatActor, useAuditWords, type Mark } from './words.ts';

export const MARK_ICONS: Readonly<Record<Mark, LucideIcon>> = {
  emergency: Siren,
  refused: Ban,
  printed: Printer,
  failed: CircleAlert,
};

/** Lists audit records by day. The newest record of an emergency access also shows its reason until the review. */
export function AccessList(props: {
  readonly rows: readonly AuditRow[];
  readonly isPatient: boolean;
}) {
  const { rows, isPatient } = props;
  const text = useText();
  const intl = useIntl();
  const days = Map.groupBy(rows, ({ occurredAt }) =>
    formatIsoDay(intl.timeZone, new Date(occurredAt)),
  );
  const { grants } = useOpenGrants();
  const newest = new Map(
    rows.toReversed().flatMap(({ breakGlassId: id, recordId }) => (id ? [[id, recordId]] : [])),
  );
  const formatHeading = (day: string): string => {
    const written = formatWeekdayDate(intl, day);
    return day === getToday(intl) ? text('audit.today', { day: written }) : written;
  };
  return (
    <div className={styles['days']}>
      {[...days].map(([day, ofDay]) => (
        <section key={day} aria-label={formatHeading(day)}>
          <h2>{formatHeading(day)}</h2>
          <ol>
            {foldSearches(ofDay).map(({ row, count }) => {
              const grant = grants.find((one) => newest.get(one.break_glass_id) === row.recordId);
              return (
                <li key={row.recordId}>
                  <Record row={row} count={count} isPatient={isPatient} />
                  {grant !== undefined && (
                    <p className={`row13 wrap ${styles['reason'] ?? ''}`}>
                      <bdi>{text('value.quoted', { value: grant.text })}</bdi>{' '}
                      <Chip kind="notice" icon={Siren}>
                        {text('review.open')}
                      </Chip>
                    </p>
                  )}
                </li>
              );
            })}
          </ol>
        </section>
      ))}
    </div>
  );
}

function Record(props: {
  readonly row: AuditRow;
  readonly count: number;
  readonly isPatient: boolean;
}) {
  const { row, count, isPatient } = props;
  const { occurredAt, actor, desk, patients } = row;
  const text = useText();
  const intl = useIntl();
  const { formatSentence } = useAuditWords();
  const mark = findMark(row);
  // The record of a command names the operating system account that ran it.
  const isSystem = actor.type === 'system';
  const place = desk ?? (isSystem ? actor.id : undefined);
  return (
    <div className={`stack gap2 row13 ${styles['entry'] ?? ''}`}>
      <time dateTime={occurredAt} title={occurredAt} className="quiet numbers">
        {formatTime(intl, occurredAt)}
      </time>
      <span className={`center ${styles['mark'] ?? ''}`} data-mark={mark}>
        <Icon of={mark === undefined ? (isSearch(row) ? Search : Eye) : MARK_ICONS[mark]} />
      </span>
      <p className="wrap">
        {!isSystem && (
          <b>
            <bdi>{formatActor(text, actor)}</bdi>
          </b>
        )}{' '}
        {count === 1 ? formatSentence(row) : text('audit.searches', { count })}
        {!isPatient && patients.length > 0 && (
          <Quiet size="meta">
            {' · '}
            {patients.length === 1 ? (
              <Code>{patients[0]}</Code>
            ) : (
              text('find.count', { count: patients.length })
            )}
          </Quiet>
        )}
      </p>
      <Quiet size="meta" className={styles['where']}>
        <bdi>
          {place ??
            text(isSystem || actor.role === 'integration' ? 'audit.system' : 'audit.noDesk')}
        </bdi>
      </Quiet>
    </div>
  );
}

const isSearch = ({ operation, decision }: AuditRow): boolean =>
  operation === 'searchPeople' && decision === 'allowed';

const getMinute = ({ occurredAt }: AuditRow): number => Math.floor(Date.parse(occurredAt) / 60_000);

/** Combines consecutive searches by one person within the same minute into one entry. */
export function foldSearches(
  rows: readonly AuditRow[],
): readonly { readonly row: AuditRow; readonly count: number }[] {
  const folded: { readonly row: AuditRow; count: number }[] = [];
  for (const row of rows) {
    const last = folded.at(-1);
    if (last !== undefined && isSameSearch(last.row, row)) last.count += 1;
    else folded.push({ row, count: 1 });
  }
  return folded;
}

function isSameSearch(one: AuditRow, other: AuditRow): boolean {
  return (
    isSearch(one) &&
    isSearch(other) &&
    one.actor.id === other.actor.id &&
    one.desk === other.desk &&
    getMinute(one) === getMinute(other)
  );
}
