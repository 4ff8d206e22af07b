import { ArrowDownUp, Info } from 'lucide-react';
import { useCallback, useId, useMemo, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import type { LabOrderResult, User } from '@caregate/domain';
import { Button } from '../../components/controls.tsx';
import { Icon } from '../../components/icon.tsx';
import { AnyValue, OtherFields } from '../../components/key-values.tsx';
import { useShown } from '../../state/shown-records.ts';
import { useText } from '../../text/text.tsx';
import { changeSentences } from './history/change-text.ts';
import { earlierValuesIn } from './history/earlier-values.ts';
import { HistoryNote } from './history/history-note.tsx';
import { useCorrection } from './history/use-correction.ts';
import type { History } from './history/use-history.ts';
import { useCopyGuard } from './identity/copy-guard.ts';
import { IdentityBanner } from './identity/identity-banner.tsx';
import { needsLook } from './identity/identity-check.ts';
import type { IdentityGate } from './identity/identity-gate.ts';
import { LabHeader, LabHeaderDetails } from './lab-header.tsx';
import { OrderTimeline } from './order-timeline.tsx';
import { groupOf, readResults, sorted, summaryOf } from './results/result-order.ts';
import type { Group, SortOrder } from './results/result-order.ts';
import { reportNoticesOf } from './report-status/report-status.ts';
import { ResultTable } from './results/result-table.tsx';
import { ReportStatusBanner } from './report-status/report-status-banner.tsx';
import { Summary } from './results/summary.tsx';
import styles from './labs.module.css';

const known = ['metadata', 'results', 'missing_results', 'sample_information', 'order_transaction'];

export interface LabReportProps {
  readonly result: LabOrderResult;
  readonly orderId: string;
  readonly gate: IdentityGate;
  readonly masked: boolean;
  readonly person?: User | undefined;
  /** Undefined where nobody asks for it. */
  readonly history?: History | undefined;
  /** That it names somebody else than the person who is open. */
  readonly nameNote?: ReactNode;
  /** In place of the results, while it is compared with another. */
  readonly comparison?: ReactNode;
  /** Opens the comparison with the version before. */
  readonly onCompare?: (() => void) | undefined;
  /** What else can be done with it, and when it came. */
  readonly actions?: ReactNode;
  readonly stamp?: ReactNode;
}

/** One order's result, whole: nothing of it is left out, and nothing is said that it doesn't say. */
export function LabReport(props: LabReportProps): ReactElement {
  const { result, orderId, gate, masked, person, history, comparison, onCompare } = props;
  const text = useText();
  const [areDetailsOpen, setDetailsOpen] = useState(false);
  const detailsId = useId();
  const notices = reportNoticesOf(result, orderId);
  const correction = useCorrection(result, history, person);
  const { replaced, changes, isOfAnother, wasOf } = correction;
  const isReplaced = replaced !== undefined;
  const isCorrected = notices.some(({ kind }) => kind === 'corrected');
  const sentences = useMemo(() => {
    if (isOfAnother) return [text('changes.otherPerson')];
    return isReplaced && (changes.length > 0 || isCorrected) ? changeSentences(changes, text) : [];
  }, [isOfAnother, isReplaced, isCorrected, changes, text]);
  const { isBlocked, onAttempt } = gate;
  const refuse = useCallback(() => {
    onAttempt('copy');
  }, [onAttempt]);
  useCopyGuard(isBlocked ? refuse : undefined);
  return (
    <>
      <LabHeader metadata={result.metadata} notices={notices} masked={masked}>
        <Button
          kind="quiet"
          aria-expanded={areDetailsOpen}
          aria-controls={detailsId}
          onPress={() => {
            setDetailsOpen(!areDetailsOpen);
          }}
        >
          <Icon of={Info} />
          {text('labs.more')}
        </Button>
        {props.actions}
      </LabHeader>
      <div className={styles['banners']}>
        {/* What was typed for one pair of dates isn't for another. */}
        {needsLook(gate.check) && (
          <IdentityBanner key={JSON.stringify(gate.check)} gate={gate} masked={masked} />
        )}
        {props.nameNote}
        <ReportStatusBanner
          notices={notices}
          changes={sentences}
          onCompare={isReplaced && comparison === undefined ? onCompare : undefined}
        />
      </div>
      <div id={detailsId} hidden={!areDetailsOpen} className={styles['more']}>
        <LabHeaderDetails metadata={result.metadata} notices={notices} masked={masked} />
        {result.order_transaction ? (
          <OrderTimeline transaction={result.order_transaction} orderId={orderId} />
        ) : null}
        <SampleInformation value={result.sample_information} />
        <OtherFields of={result} known={known} />
      </div>
      {comparison ?? (
        <Results
          result={result}
          history={history}
          wasOf={wasOf}
          isBlocked={isBlocked}
          refuse={refuse}
        />
      )}
      <footer className={styles['foot']}>
        {!needsLook(gate.check) && <IdentityBanner gate={gate} masked={masked} />}
        {history !== undefined && <HistoryNote history={history} />}
        {props.stamp}
        <span>{text('labs.print.title')}</span>
      </footer>
    </>
  );
}

function SampleInformation(props: {
  readonly value: LabOrderResult['sample_information'];
}): ReactElement | null {
  const text = useText();
  const { value } = props;
  if (!value || Object.keys(value).length === 0) return null;
  return (
    <section aria-label={text('labs.sample')} className={styles['panel']}>
      <h2>{text('labs.sample')}</h2>
      <AnyValue value={value} />
    </section>
  );
}

/** The filters and the rows. */
function Results(props: {
  readonly result: LabOrderResult;
  readonly history: History | undefined;
  readonly wasOf: ReturnType<typeof useCorrection>['wasOf'];
  readonly isBlocked: boolean;
  readonly refuse: () => void;
}): ReactElement {
  const { result, history, wasOf, isBlocked, refuse } = props;
  const text = useText();
  const [only, setOnly] = useState<Group>();
  const [order, setOrder] = useState<SortOrder>('urgent');
  const all = useMemo(() => readResults(result.results), [result]);
  const shown = useMemo(
    () =>
      sorted(
        all.filter(({ reading }) => only === undefined || groupOf(reading) === only),
        order,
      ),
    [all, only, order],
  );
  const missing = useMemo(() => result.missing_results ?? [], [result]);
  const earlier = history?.value;
  const beside = useMemo(
    () => ({
      earlierOf: earlier === undefined ? undefined : earlierValuesIn(earlier),
      date: dateOf(result),
      wasOf,
    }),
    [earlier, result, wasOf],
  );
  const shownNow = useShown();
  const copy = useCallback(
    (copied: string) => {
      if (isBlocked) refuse();
      else void window.caregate.copyText({ text: copied, from: shownNow() });
    },
    [isBlocked, refuse, shownNow],
  );
  if (all.length === 0 && missing.length === 0) {
    return <p className={styles['state']}>{text('labs.noResults')}</p>;
  }
  return (
    <>
      <div className={styles['bar']}>
        <Summary counts={summaryOf(all, missing)} only={only} onOnly={setOnly} />
        <Button
          kind="quiet"
          onPress={() => {
            setOrder(order === 'urgent' ? 'laboratory' : 'urgent');
          }}
        >
          <Icon of={ArrowDownUp} />
          {text(`labs.order.${order}`)}
        </Button>
      </div>
      <ResultTable
        missing={only === undefined || only === 'missing' ? missing : nothing}
        results={shown}
        beside={beside}
        onCopy={copy}
      />
    </>
  );
}

const nothing: NonNullable<LabOrderResult['missing_results']> = [];

/** Day of the specimen, else of the report; the end of a trend. */
function dateOf({ metadata }: LabOrderResult): string {
  return metadata.date_collected ?? metadata.date_received ?? metadata.date_reported ?? '';
}
