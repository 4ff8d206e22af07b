import { FileDown, Info, LockKeyhole, Printer, Search, Siren, X } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useState } from 'react';
import type { ReactElement, SyntheticEvent } from 'react';
import { useIntl } from 'react-intl';
import { AUDIT_FORMATS } from '../../../shared/audit.ts';
import { Button, IconButton, Select } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Quiet, Row } from '../../ui/layout.tsx';
import { ProblemNote } from '../../ui/problem.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Empty } from '../../ui/surfaces.tsx';
import { today } from '../../ui/values/age.ts';
import { useAttempt } from '../../ui/use-attempt.ts';
import { useAuditSubject } from '../../app/audit-subject.tsx';
import type { Subject } from '../../app/audit-subject.tsx';
import { useAutoFocus, useNavigation } from '../../app/navigation.tsx';
import { complain, say } from '../../app/say.ts';
import { callService } from '../../api/service-call.ts';
import { useText } from '../../i18n/text.tsx';
import { AccessList } from './access-list.tsx';
import styles from './auditor.module.css';
import { Disclosures } from './disclosures.tsx';
import { Listing } from './listing.tsx';
import { LogLine } from './log.tsx';
import { useOpenGrants, usePages } from './use-audit.ts';
import { actorOf, Who } from './who.tsx';
import { markOf, sinceDays } from './words.ts';

type Shown = 'all' | 'emergency' | 'refused' | 'printed';
const SHOWN: readonly (readonly [Shown, LucideIcon?])[] = [
  ['all'],
  ['emergency', Siren],
  ['refused', LockKeyhole],
  ['printed', Printer],
];
const PERIODS = ['week', 'month', 'quarter', 'all'] as const;
type Period = (typeof PERIODS)[number];
const days: Readonly<Record<Period, number | undefined>> = {
  week: 7,
  month: 30,
  quarter: 90,
  all: undefined,
};

export function AccessesScreen(): ReactElement {
  const text = useText();
  const intl = useIntl();
  const { subject } = useAuditSubject();
  const [period, setPeriod] = useState<Period>('month');
  const [shown, setShown] = useState<Shown>('all');
  const from = sinceDays(days[period], today(intl));
  const request = {
    ...(subject !== undefined && { [subject.kind]: subject.id }),
    ...(from !== undefined && { from }),
  };
  const query = usePages('listAuditEvents', request);
  const rows = query.pages?.flatMap((page) => page.rows);
  const rowsOf = (which: Shown): NonNullable<typeof rows> =>
    rows?.filter((row) => which === 'all' || markOf(row) === which) ?? [];
  const countOf = (which: Shown): string => {
    const { length } = rowsOf(which);
    if (rows === undefined || (length === 0 && query.hasMore)) return '';
    return `${intl.formatNumber(length)}${query.hasMore ? '+' : ''}`;
  };
  const [only, setOnly] = useState<string>();
  const ofShown = rowsOf(shown);
  const listed = ofShown.filter((row) => only === undefined || actorOf(row) === only);
  const isRecord = subject !== undefined && rows?.at(-1)?.recordId === subject.id.toLowerCase();
  // The service names the user only where a client id was requested.
  const typed = subject?.kind === 'patient' && uuid.test(subject.id) ? subject.id : undefined;
  const userId = query.pages?.[0]?.userId ?? typed?.toLowerCase();
  return (
    <div className={`column gap3 ${styles['screen'] ?? ''}`}>
      <Row gap="gap3" className={styles['head']}>
        <h1>{text(subject?.kind === 'actor' ? 'audit.seenBy' : 'screen.accesses')}</h1>
        {!isRecord && <ExportButtons request={request} />}
      </Row>
      {/* A code that is scanned elsewhere appears in the field too. */}
      <SubjectForm key={`${subject?.kind ?? ''} ${subject?.id ?? ''}`} />
      <Row gap="gap3">
        <SegmentedControl
          quiet
          label={text('audit.showOnly')}
          value={shown}
          options={SHOWN.map(([which, icon]) => [
            which,
            text(`audit.shown.${which}`, { count: countOf(which) }),
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
          options={PERIODS.map((one) => [one, text(`audit.period.${one}`)])}
          onChange={setPeriod}
        />
      </Row>
      {userId !== undefined && <Disclosures key={userId} userId={userId} from={from} />}
      <div className={styles['split']}>
        <section
          aria-label={text('audit.accesses')}
          className={`stack gap3 ${styles['list'] ?? ''}`}
        >
          <Listing
            of={query}
            what="screen.accesses"
            isEmpty={listed.length === 0}
            empty={
              <Empty
                title={text(subject === undefined ? 'audit.none' : 'audit.noneOf')}
                help={text('audit.noneHelp')}
              />
            }
          >
            <AccessList rows={listed} />
          </Listing>
          <p className="line gap2 quiet meta">
            <Icon of={Info} />
            {text('audit.idsOnly')}
          </p>
        </section>
        <aside aria-label={text('audit.rail')} className={`stack gap4 ${styles['rail'] ?? ''}`}>
          <ToReview />
          {ofShown.length > 0 && <Who rows={ofShown} only={only} onOnly={setOnly} />}
        </aside>
      </div>
      <LogLine />
    </div>
  );
}

function ToReview(): ReactElement {
  const text = useText();
  const { go } = useNavigation();
  const { query, grants } = useOpenGrants();
  if (query.problem !== undefined) {
    return <ProblemNote problem={query.problem} onRetry={query.retry} />;
  }
  if (grants.length === 0) return <Quiet as="p">{text('review.none')}</Quiet>;
  return (
    <Row>
      <Button
        onPress={() => {
          go('reviews');
        }}
      >
        <Icon of={Siren} />
        {text('review.waiting', { count: grants.length })}
      </Button>
    </Row>
  );
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu;

function SubjectForm(): ReactElement {
  const text = useText();
  const { subject, setSubject } = useAuditSubject();
  const [kind, setKind] = useState<Subject['kind']>(subject?.kind ?? 'patient');
  const [typed, setTyped] = useState(subject?.name ?? subject?.id ?? '');
  const field = useAutoFocus<HTMLInputElement>();
  const onSubmit = (event: SyntheticEvent): void => {
    event.preventDefault();
    const id = typed.trim();
    if (id === subject?.name) return;
    setSubject(id === '' ? undefined : { kind, id });
  };
  return (
    <Row as="form" onSubmit={onSubmit}>
      <SegmentedControl
        quiet
        label={text('audit.about')}
        value={kind}
        options={[
          ['patient', text('audit.patient')],
          ['actor', text('audit.actor')],
        ]}
        onChange={setKind}
      />
      <span className={`line gap2 framed ringed ${styles['field'] ?? ''}`}>
        <Icon of={Search} />
        <input
          ref={field}
          dir="ltr"
          spellCheck={false}
          autoComplete="off"
          maxLength={200}
          aria-label={text(kind === 'patient' ? 'audit.patientId' : 'audit.actorId')}
          placeholder={text(kind === 'patient' ? 'audit.patientHint' : 'audit.actorHint')}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
          }}
        />
        {subject !== undefined && (
          <IconButton
            icon={X}
            label={text('audit.clear')}
            onPress={() => {
              setSubject(undefined);
            }}
          />
        )}
      </span>
      <Button type="submit">{text('audit.show')}</Button>
    </Row>
  );
}

type Format = (typeof AUDIT_FORMATS)[number];

/** Saves all records of the request, beyond the pages that are shown. */
function ExportButtons(props: {
  readonly request: Readonly<Record<string, string>>;
}): ReactElement {
  const text = useText();
  const { run, working } = useAttempt((problem) => {
    complain('print.notSaved', problem);
  });
  const [format, setFormat] = useState<Format>();
  const save = (wanted: Format): void => {
    if (working) return;
    setFormat(wanted);
    run(
      () => callService('exportAuditEvents', { format: wanted, ...props.request }),
      (done) => {
        if (done.saved) say('audit.saved', { count: done.records });
      },
    );
  };
  return (
    <Row>
      {AUDIT_FORMATS.map((one) => (
        <Button
          key={one}
          onPress={() => {
            save(one);
          }}
        >
          <Icon of={FileDown} />
          {text(working && format === one ? 'audit.saving' : `audit.export.${one}`)}
        </Button>
      ))}
    </Row>
  );
}
