import {
  FileDown,
  Info,
  LockKeyhole,
  Printer,
  RefreshCw,
  Search,
  ShieldAlert,
  ShieldCheck,
  Siren,
  X,
} from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useState } from 'react';
import type { ReactElement, SyntheticEvent } from 'react';
import { useIntl } from 'react-intl';
import type { AuditRow } from '../../../shared/audit.ts';
import { Button, IconButton, Select } from '../../ui/controls.tsx';
import { Entry } from '../../ui/entry.tsx';
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
import { unwrap } from '../../api/service-call.ts';
import { useFormatRole, useText } from '../../i18n/text.tsx';
import { getDaysUntil } from '../patient/use-sessions.ts';
import { AccessList } from './access-list.tsx';
import styles from './access-log.module.css';
import { Disclosures } from './disclosures.tsx';
import { OpenGrants } from './reviews.tsx';
import { Listing, useLogState, usePages } from './use-audit.tsx';
import { getActor, findMark, useActorName } from './words.ts';

type Shown = 'all' | 'emergency' | 'refused' | 'printed';
const SHOWN: readonly (readonly [Shown, LucideIcon?])[] = [
  ['all'],
  ['emergency', Siren],
  ['refused', LockKeyhole],
  ['printed', Printer],
];
const PERIODS = ['7', '30', '90', 'all'] as const;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu;

export function AccessLogScreen(): ReactElement {
  const text = useText();
  const intl = useIntl();
  const { subject } = useAuditSubject();
  const [period, setPeriod] = useState<(typeof PERIODS)[number]>('30');
  const [shown, setShown] = useState<Shown>('all');
  const [only, setOnly] = useState<string>();
  const request = {
    ...(subject !== undefined && { patient: subject }),
    ...(period !== 'all' && { from: getDaysUntil(getToday(intl), Number(period) + 1).first }),
  };
  const query = usePages('listAuditEvents', request, subject !== undefined);
  const rows = query.pages?.flatMap((page) => page.rows);
  const filterRows = (which: Shown): readonly AuditRow[] =>
    rows?.filter((row) => which === 'all' || findMark(row) === which) ?? [];
  const formatCount = (which: Shown): string => {
    const { length } = filterRows(which);
    if (rows === undefined || (length === 0 && query.hasMore)) return '';
    return `${intl.formatNumber(length)}${query.hasMore ? '+' : ''}`;
  };
  const ofShown = filterRows(shown);
  const listed = ofShown.filter((row) => only === undefined || getActor(row) === only);
  const isRecord = subject !== undefined && rows?.at(-1)?.recordId === subject.toLowerCase();
  // The service names the user only where an MRN was requested.
  const typed = subject !== undefined && uuid.test(subject) ? subject.toLowerCase() : undefined;
  const userId = query.pages?.[0]?.userId ?? typed;
  return (
    <div className={`column gap3 ${styles['screen'] ?? ''}`}>
      <Row gap="gap3" className={styles['head']}>
        <h1>{text('screen.accesses')}</h1>
        {subject !== undefined && !isRecord && <ExportButton request={request} />}
        {userId !== undefined && (
          <Disclosures key={`${userId} ${period}`} userId={userId} from={request.from} />
        )}
      </Row>
      {/* A code that is scanned elsewhere appears in the field too. */}
      <SubjectForm key={subject} />
      {subject !== undefined && (
        <Row gap="gap3">
          <SegmentedControl
            quiet
            label={text('audit.showOnly')}
            value={shown}
            options={SHOWN.map(([which, icon]) => [
              which,
              text(`audit.shown.${which}`, { count: formatCount(which) }),
              icon,
            ])}
            onChange={(which) => {
              setShown(which);
              setOnly(undefined);
            }}
          />
          <Select
            label={text('audit.period')}
            className="medium end"
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
        <section
          aria-label={text('audit.accesses')}
          className={`stack gap3 ${styles['list'] ?? ''}`}
        >
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
          <p className="line gap2 quiet meta">
            <Icon of={Info} />
            {text('audit.idsOnly')}
          </p>
        </section>
        <aside aria-label={text('screen.reviews')} className={`stack gap4 ${styles['rail'] ?? ''}`}>
          <section aria-label={text('screen.reviews')} className={styles['pane']}>
            <h2>{text('review.title')}</h2>
            <OpenGrants />
          </section>
          {ofShown.length > 0 && <Who rows={ofShown} only={only} onOnly={setOnly} />}
        </aside>
      </div>
      <LogLine />
    </div>
  );
}

function SubjectForm(): ReactElement {
  const text = useText();
  const { subject, setSubject } = useAuditSubject();
  const [typed, setTyped] = useState(subject ?? '');
  const field = useAutoFocus<HTMLInputElement>();
  const onSubmit = (event: SyntheticEvent): void => {
    event.preventDefault();
    setSubject(typed.trim() === '' ? undefined : typed.trim());
  };
  return (
    <Row as="form" onSubmit={onSubmit}>
      <span className={`line gap2 framed ringed ${styles['field'] ?? ''}`}>
        <Icon of={Search} />
        <input
          ref={field}
          dir="ltr"
          spellCheck={false}
          autoComplete="off"
          maxLength={200}
          aria-label={text('audit.patientId')}
          placeholder={text('audit.patientId')}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
          }}
        />
        {subject !== undefined && (
          <IconButton
            icon={X}
            label={text('find.keyClear')}
            onPress={() => {
              setSubject(undefined);
            }}
          />
        )}
      </span>
      <Button type="submit">{text('labs.submit')}</Button>
    </Row>
  );
}

/** Saves all records of the request, beyond the pages that are shown. */
function ExportButton(props: { readonly request: Readonly<Record<string, string>> }): ReactElement {
  const text = useText();
  const { run, working } = useAttempt((problem) => {
    toast.error('print.notSaved', problem);
  });
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

/** Who saw the patient how often; a press shows only that person's records. */
function Who(props: {
  readonly rows: readonly AuditRow[];
  readonly only: string | undefined;
  readonly onOnly: (actor: string | undefined) => void;
}): ReactElement {
  const { rows, only, onOnly } = props;
  const text = useText();
  const intl = useIntl();
  const formatRole = useFormatRole();
  const formatActor = useActorName();
  const people = [...Map.groupBy(rows, getActor)]
    .flatMap(([id, [newest, ...others]]) =>
      newest === undefined ? [] : [{ id, newest, count: others.length + 1 }],
    )
    .toSorted((a, b) => b.count - a.count);
  return (
    <section aria-label={text('audit.whoSaw')} className={styles['pane']}>
      <h2>{text('audit.whoSaw')}</h2>
      <ul>
        {people.map(({ id, newest: { actor, occurredAt }, count }) => (
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
                <bdi>{formatActor(actor)}</bdi>
              </b>
              <b>{intl.formatNumber(count)}</b>
              <Quiet size="meta">{formatRole(actor.role ?? '')}</Quiet>
              <Quiet size="meta">{formatDateTime(intl, occurredAt)}</Quiet>
              <meter aria-hidden="true" value={count} max={rows.length} />
            </Entry>
          </li>
        ))}
      </ul>
    </section>
  );
}

function LogLine(): ReactElement {
  const text = useText();
  const intl = useIntl();
  const { state, problem, isFetching, retry } = useLogState();
  const isWhole = state?.consistent === true && state.whole?.intact !== false;
  return (
    <Row as="footer" gap="gap3" aria-label={text('log.label')} className={styles['logLine']}>
      {state === undefined ? (
        <Quiet>{text(problem === undefined ? 'state.working' : 'log.unknown')}</Quiet>
      ) : (
        <>
          <Row
            as="p"
            role="status"
            className={`bold ${isWhole ? (styles['good'] ?? '') : 'flagged'}`}
          >
            <Icon of={isWhole ? ShieldCheck : ShieldAlert} />
            {text(isWhole ? 'log.whole' : 'log.broken')}
          </Row>
          <Quiet size="row13">
            {text('log.line', { size: state.size, time: formatDateTime(intl, state.checkedAt) })}{' '}
            {state.whole?.intact === true &&
              text('log.lineWhole', { time: formatDateTime(intl, state.whole.at) })}{' '}
            {!state.acceptsRecords && text('log.stopped')}
          </Quiet>
        </>
      )}
      <span className="grow" />
      <Button kind="quiet" onPress={retry}>
        <Icon of={RefreshCw} />
        {text(isFetching ? 'state.working' : 'state.checkNow')}
      </Button>
    </Row>
  );
}
