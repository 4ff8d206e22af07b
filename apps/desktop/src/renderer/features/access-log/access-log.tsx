import { Eye, FileDown, ShieldAlert, ShieldCheck, UserRound, type LucideIcon } from 'lucide-react';
import { useState, type SyntheticEvent } from 'react';
import { useIntl } from 'react-intl';
import type { AuditRow } from '../../../shared/audit.ts';
import { Button, Select } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Quiet, Row } from '../../ui/layout.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Empty } from '../../ui/surfaces.tsx';
import { getToday } from '../../ui/values/age.ts';
import { formatDateTime } from '../../ui/values/dates.tsx';
import { useAttempt } from '../../ui/use-attempt.ts';
import { useAuditSubject } from '../../app/selection.tsx';
import { useAutoFocus } from '../../app/navigation.tsx';
import { toast } from '../../app/toasts.ts';
import { useRead } from '../../api/read.ts';
import { callService, unwrap } from '../../api/service-call.ts';
import { useFormatRole, useText } from '../../i18n/text.tsx';
import { getDaysUntil } from '../patient/use-mindfulness.ts';
import { AccessList, MARK_ICONS } from './access-list.tsx';
import styles from './access-log.module.css';
import { Disclosures } from './disclosures.tsx';
import { OpenGrants } from './reviews.tsx';
import { Listing, usePages } from './use-audit.tsx';
import { getActorKey, findMark, formatActor } from './words.ts';

type Shown = 'all' | 'views' | 'printed' | 'emergency' | 'refused';
const SHOWN: readonly (readonly [Shown, LucideIcon?])[] = [
  ['all'],
  ['views', Eye],
  ['printed', MARK_ICONS.printed],
  ['emergency', MARK_ICONS.emergency],
  ['refused', MARK_ICONS.refused],
];
const PERIODS = ['7', '30', '90', 'all'] as const;
const EVERYONE = '';

export default function AccessLogScreen() {
  const text = useText();
  const intl = useIntl();
  const { subject } = useAuditSubject();
  const [period, setPeriod] = useState<(typeof PERIODS)[number]>('30');
  const [shown, setShown] = useState<Shown>('all');
  const [who, setWho] = useState(EVERYONE);
  const request = {
    ...(subject !== undefined && { patient: subject }),
    ...(period !== 'all' && { from: getDaysUntil(getToday(intl), Number(period) + 1).first }),
  };
  const query = usePages('listAuditEvents', request, subject !== undefined);
  const rows = query.pages?.flatMap((page) => page.rows) ?? [];
  const filterRows = (which: Shown): readonly AuditRow[] =>
    rows.filter((row) => which === 'all' || (findMark(row) ?? 'views') === which);
  const formatCount = (which: Shown): string => {
    const { length } = filterRows(which);
    if (query.pages === undefined || (length === 0 && query.hasMore)) return '';
    return `${intl.formatNumber(length)}${query.hasMore ? '+' : ''}`;
  };
  const people = countPeople(rows);
  const isKnown = people.some(({ key }) => key === who);
  const listed = filterRows(shown).filter((row) => !isKnown || getActorKey(row) === who);
  const isRecord = subject !== undefined && rows.at(-1)?.recordId === subject.toLowerCase();
  const userId = query.pages?.[0]?.userId;
  return (
    <div className={`column gap3 ${styles['screen'] ?? ''}`}>
      <Row gap="gap3" className={styles['head']}>
        <h1>{text('screen.accesses')}</h1>
        {subject !== undefined && !isRecord && <ExportButton request={request} />}
        {userId !== undefined && (
          <Disclosures key={`${userId} ${period}`} userId={userId} from={request.from} />
        )}
      </Row>
      {/* The key updates the field after a scan. */}
      <SubjectForm key={subject} />
      {subject !== undefined && (
        <Row>
          <SegmentedControl
            quiet
            label={text('audit.showOnly')}
            value={shown}
            options={SHOWN.map(([which, icon]) => [
              which,
              text(`audit.shown.${which}`, { count: formatCount(which) }),
              icon,
            ])}
            onChange={setShown}
          />
          <Select
            label={text('audit.who')}
            className={`medium end ${styles['who'] ?? ''}`}
            value={isKnown ? who : EVERYONE}
            options={[
              [EVERYONE, text('audit.everyone')],
              ...people.map(({ key, newest }) => [key, formatActor(text, newest.actor)] as const),
            ]}
            onChange={setWho}
          />
          <Select
            label={text('audit.period')}
            className="medium"
            value={period}
            options={PERIODS.map((one) => [
              one,
              one === 'all' ? text('audit.periodAll') : text('audit.periodDays', { days: one }),
            ])}
            onChange={setPeriod}
          />
        </Row>
      )}
      <div className={styles['split']}>
        <section aria-label={text('audit.accesses')} className={styles['list']}>
          {subject === undefined ? (
            <Empty title={text('audit.nobodyChosen')} help={text('audit.nobodyChosenHelp')} />
          ) : (
            <Listing
              of={query}
              what="screen.accesses"
              isEmpty={listed.length === 0}
              empty={<Empty title={text('audit.none')} help={text('audit.noneHelp')} />}
            >
              <AccessList rows={listed} isPatient={!isRecord} />
            </Listing>
          )}
        </section>
        <aside aria-label={text('screen.reviews')} className={`stack gap4 ${styles['rail'] ?? ''}`}>
          <section className="stack one gap2">
            <h2>{text('review.title')}</h2>
            <OpenGrants />
          </section>
          {people.length > 0 && <PeopleWhoSaw people={people} total={rows.length} />}
        </aside>
      </div>
      <LogLine />
    </div>
  );
}

function SubjectForm() {
  const text = useText();
  const { subject, setSubject } = useAuditSubject();
  const [typed, setTyped] = useState(subject ?? '');
  const field = useAutoFocus<HTMLInputElement>();
  const onSubmit = (event: SyntheticEvent): void => {
    event.preventDefault();
    setSubject(typed.trim() === '' ? undefined : typed.trim());
  };
  return (
    <form onSubmit={onSubmit} className={`line gap2 framed ringed ${styles['field'] ?? ''}`}>
      <Icon of={UserRound} />
      <input
        ref={field}
        className="bare grow narrow row13"
        dir="ltr"
        spellCheck={false}
        autoComplete="off"
        maxLength={200}
        aria-label={text('audit.patientId')}
        placeholder={text('audit.patientId')}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Button kind="quiet" type="submit">
        {text('labs.submit')}
      </Button>
    </form>
  );
}

/** Saves all records of the request, including those that aren't loaded yet. */
function ExportButton(props: { readonly request: Readonly<Record<string, string>> }) {
  const text = useText();
  const { run, working } = useAttempt((problem) => toast.error('print.notSaved', problem));
  return (
    <Button
      onPress={() => {
        run(
          () => unwrap(window.caregate.exportAuditEvents(props.request)),
          (done) => {
            if (done.saved) toast.info('audit.saved', { count: done.records });
          },
        );
      }}
    >
      <Icon of={FileDown} />
      {text(working ? 'state.working' : 'audit.export')}
    </Button>
  );
}

interface PersonWhoSaw {
  readonly key: string;
  readonly newest: AuditRow;
  readonly count: number;
}

function countPeople(rows: readonly AuditRow[]): readonly PersonWhoSaw[] {
  return [...Map.groupBy(rows, getActorKey)]
    .flatMap(([key, [newest, ...others]]) =>
      newest === undefined ? [] : [{ key, newest, count: others.length + 1 }],
    )
    .toSorted((a, b) => b.count - a.count);
}

function PeopleWhoSaw(props: { readonly people: readonly PersonWhoSaw[]; readonly total: number }) {
  const text = useText();
  const intl = useIntl();
  const formatRole = useFormatRole();
  return (
    <section aria-label={text('audit.whoSaw')} className="stack one gap2">
      <h2>{text('audit.whoSaw')}</h2>
      <ul>
        {props.people.map(({ key, newest: { actor, occurredAt }, count }) => (
          <li key={key} className={`stack tight row13 ${styles['person'] ?? ''}`}>
            <b className="wrap">
              <bdi>{formatActor(text, actor)}</bdi>
            </b>
            <span>{intl.formatNumber(count)}</span>
            <Quiet size="meta">{formatRole(actor.role ?? '')}</Quiet>
            <Quiet size="meta">{formatDateTime(intl, occurredAt)}</Quiet>
            <meter aria-hidden="true" value={count} max={props.total} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function LogLine() {
  const text = useText();
  const intl = useIntl();
  const { data, problem, isFetching, refetch } = useRead(['auditLogState'], ({ signal }) =>
    callService('auditLogState', {}, signal),
  );
  const state = data?.value;
  const fullCheck = state?.verified_whole;
  const isWhole = state?.verified.consistent === true && fullCheck?.intact !== false;
  return (
    <Row as="footer" gap="gap3" aria-label={text('log.label')} className={styles['logLine']}>
      {state === undefined ? (
        <Quiet>{text(problem === undefined ? 'state.working' : 'log.unknown')}</Quiet>
      ) : (
        <>
          <Row as="p" role="status" className={`bold ${isWhole ? styles['good'] : 'flagged'}`}>
            <Icon of={isWhole ? ShieldCheck : ShieldAlert} />
            {text(isWhole ? 'log.whole' : 'log.broken')}
          </Row>
          <Quiet>
            {text('log.line', {
              size: state.checkpoint.size,
              time: formatDateTime(intl, state.verified.at),
            })}{' '}
            {fullCheck?.intact === true &&
              text('log.lineWhole', { time: formatDateTime(intl, fullCheck.at) })}{' '}
            {!state.accepts_records && text('log.stopped')}
          </Quiet>
        </>
      )}
      <Button kind="quiet" onPress={refetch}>
        {text(isFetching ? 'state.working' : 'state.checkNow')}
      </Button>
    </Row>
  );
}
