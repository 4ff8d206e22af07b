import { Info } from 'lucide-react';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { Button } from '../../components/controls.tsx';
import { Icon } from '../../components/icon.tsx';
import { Loading } from '../../components/loading.tsx';
import { ProblemNote } from '../../components/problem.tsx';
import { useStatus } from '../../state/app-state.ts';
import { useAuditSubject } from '../../state/audit-subject.tsx';
import { useText } from '../../text/text.tsx';
import { AccessTable } from './access-table.tsx';
import styles from './auditor.module.css';
import { Disclosures } from './disclosures.tsx';
import { ExportButtons } from './export-buttons.tsx';
import { Filters } from './filters.tsx';
import type { Period, Shown } from './filters.tsx';
import { LogCard } from './log-card.tsx';
import { ReviewQueue } from './review-queue.tsx';
import { SubjectForm } from './subject-form.tsx';
import { useAuditRows } from './use-audit.ts';
import { markOf, sinceDays } from './words.ts';

const days: Readonly<Record<Period, number | undefined>> = {
  week: 7,
  month: 30,
  quarter: 90,
  all: undefined,
};

/** Who saw this patient; what this member of staff saw; what was done at all. */
export function AccessesScreen(): ReactElement {
  const text = useText();
  const { clinicTimeZone } = useStatus();
  const { subject } = useAuditSubject();
  const [period, setPeriod] = useState<Period>('month');
  const [shown, setShown] = useState<Shown>('all');
  const from = sinceDays(days[period]);
  const asked = {
    ...(subject !== undefined && { [subject.kind]: subject.id }),
    ...(from !== undefined && { from }),
  };
  const {
    userId: found,
    rows,
    problem,
    isFetching,
    hasMore,
    more,
    retry,
    cancel,
  } = useAuditRows('auditEvents', asked);
  const isRecord = subject !== undefined && rows?.at(-1)?.recordId === subject.id.toLowerCase();
  const listed = rows?.filter((row) => shown === 'all' || markOf(row) === shown) ?? [];
  // The service says it of a client id; with the other, it was asked for.
  const typed = subject?.kind === 'patient' && uuid.test(subject.id) ? subject.id : undefined;
  const userId = found ?? typed?.toLowerCase();
  return (
    <div className={styles['desk']}>
      <div className={styles['head']}>
        <h1>{text(subject?.kind === 'actor' ? 'audit.seenBy' : 'screen.accesses')}</h1>
        {!isRecord && <ExportButtons asked={asked} />}
      </div>
      <SubjectForm />
      <div className={styles['filters']}>
        <Filters
          rows={rows}
          hasMore={hasMore}
          shown={shown}
          onShown={setShown}
          period={period}
          onPeriod={setPeriod}
        />
      </div>
      {userId !== undefined && <Disclosures key={userId} userId={userId} from={from} />}
      <div className={styles['split']}>
        <section aria-label={text('audit.accesses')} className={styles['list']}>
          {problem !== undefined && <ProblemNote problem={problem} onRetry={retry} />}
          {rows === undefined && isFetching && <Loading onCancel={cancel} />}
          {rows !== undefined && listed.length === 0 && (
            <div className={styles['empty']}>
              <p>
                <b>{text(subject === undefined ? 'audit.none' : 'audit.noneOf')}</b>
              </p>
              <p className={styles['quiet']}>{text('audit.noneHelp')}</p>
            </div>
          )}
          {listed.length > 0 && <AccessTable rows={listed} />}
          {hasMore && (
            <div>
              <Button onPress={more}>{text(isFetching ? 'state.loading' : 'audit.more')}</Button>
            </div>
          )}
          <p className={styles['note']}>
            <Icon of={Info} />
            {text('audit.idsOnly', { zone: clinicTimeZone === undefined ? 'computer' : 'clinic' })}
          </p>
        </section>
        <aside aria-label={text('audit.rail')} className={styles['rail']}>
          <ReviewQueue compact />
          <LogCard />
        </aside>
      </div>
    </div>
  );
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu;
