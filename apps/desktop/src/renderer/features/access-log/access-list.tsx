import { CircleAlert, Eye, LockKeyhole, Printer, Search, Siren } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import type { AuditRow } from '../../../shared/audit.ts';
import { Code } from '../../ui/controls.tsx';
import { formatTime, formatWeekdayDate } from '../../ui/values/dates.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Quiet } from '../../ui/layout.tsx';
import { PlainCopy } from '../../ui/copy-button.tsx';
import { Chip } from '../../ui/surfaces.tsx';
import { formatIsoDay } from '../../../shared/time-zone.ts';
import { useText } from '../../i18n/text.tsx';
import styles from './access-log.module.css';
import { useOpenGrants } from './use-audit.tsx';
import { findMark, useActorName, useAuditWords } from './words.ts';
import type { Mark } from './words.ts';

const icons: Readonly<Record<Mark, LucideIcon>> = {
  emergency: Siren,
  refused: LockKeyhole,
  printed: Printer,
  failed: CircleAlert,
};

/** Records by day; at the newest record of an emergency access, why it was asked for, until it is reviewed. */
export function AccessList(props: {
  readonly rows: readonly AuditRow[];
  readonly isPatient: boolean;
}): ReactElement {
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
  return (
    <div className={styles['days']}>
      {[...days].map(([day, ofDay]) => (
        <section key={day} aria-label={formatWeekdayDate(intl, day)}>
          <h2>{formatWeekdayDate(intl, day)}</h2>
          <ol>
            {foldSearches(ofDay).map(({ row, count }) => {
              const grant = grants.find(({ breakGlassId: id }) => newest.get(id) === row.recordId);
              return (
                <li key={row.recordId}>
                  <Record row={row} count={count} isPatient={isPatient} />
                  {grant !== undefined && (
                    <p className={styles['reason']}>
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
}): ReactElement {
  const { row, count, isPatient } = props;
  const { occurredAt, actor, desk, patients, recordId } = row;
  const text = useText();
  const intl = useIntl();
  const words = useAuditWords();
  const shown = useActorName()(actor);
  const mark = findMark(row);
  // A command's record names the account that ran it.
  const isService = actor.role === 'integration' || actor.type === 'system';
  const place = desk ?? (actor.type === 'system' ? actor.id : undefined);
  const others = isPatient ? patients.length > 1 : patients.length > 0;
  return (
    <div className={styles['entry']}>
      <time dateTime={occurredAt} title={occurredAt} className={styles['number']}>
        {formatTime(intl, occurredAt, { seconds: true })}
      </time>
      <span className={`center ${styles['mark'] ?? ''}`} data-mark={mark}>
        <Icon of={mark === undefined ? (isSearch(row) ? Search : Eye) : icons[mark]} />
      </span>
      <p className="wrap">
        {actor.type !== 'system' && (
          <b>
            <bdi>{shown}</bdi>
          </b>
        )}{' '}
        {count === 1 ? words.formatSentence(row) : text('audit.searches', { count })}
        {others && (
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
        <bdi>{place ?? text(isService ? 'audit.system' : 'audit.noDesk')}</bdi>
      </Quiet>
      <PlainCopy isIcon value={recordId} label={text('audit.copyRecord')} />
    </div>
  );
}

interface Folded {
  readonly row: AuditRow;
  readonly count: number;
}

const isSearch = ({ operation, decision }: AuditRow): boolean =>
  operation === 'searchPeople' && decision === 'allowed';

const getMinute = ({ occurredAt }: AuditRow): number => Math.floor(Date.parse(occurredAt) / 60_000);

/** Counts searches of one person within one minute, with nothing between them, as one entry. */
export function foldSearches(rows: readonly AuditRow[]): readonly Folded[] {
  const folded: Folded[] = [];
  for (const row of rows) {
    const last = folded.at(-1);
    if (last !== undefined && isSameMinute(last.row, row)) {
      folded[folded.length - 1] = { row: last.row, count: last.count + 1 };
    } else folded.push({ row, count: 1 });
  }
  return folded;
}

function isSameMinute(one: AuditRow, other: AuditRow): boolean {
  return (
    isSearch(one) &&
    isSearch(other) &&
    one.actor.id === other.actor.id &&
    one.desk === other.desk &&
    getMinute(one) === getMinute(other)
  );
}
