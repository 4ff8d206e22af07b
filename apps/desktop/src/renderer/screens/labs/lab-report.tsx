import { useCallback, useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import type { LabOrderResult } from '@caregate/domain';
import { SegmentedControl } from '../../components/segmented-control.tsx';
import { AnyValue, OtherFields } from '../../components/key-values.tsx';
import { useShown } from '../../state/shown-records.ts';
import { useText } from '../../text/text.tsx';
import { useCopyGuard } from './identity/copy-guard.ts';
import { IdentityBanner } from './identity/identity-banner.tsx';
import type { IdentityGate } from './identity/identity-gate.ts';
import { LabHeader } from './lab-header.tsx';
import { MissingResults } from './results/missing-results.tsx';
import { OrderTimeline } from './order-timeline.tsx';
import { groupOf, readResults, sorted, summaryOf } from './results/result-order.ts';
import type { Group, SortOrder } from './results/result-order.ts';
import { reportNoticesOf } from './report-status/report-status.ts';
import { ResultTable } from './results/result-table.tsx';
import { ReportStatusBanner } from './report-status/report-status-banner.tsx';
import { Summary } from './results/summary.tsx';
import styles from './labs.module.css';

const known = ['metadata', 'results', 'missing_results', 'sample_information', 'order_transaction'];

/** One order's result, whole: nothing of it is left out, and nothing is said that it doesn't say. */
export function LabReport(props: {
  readonly result: LabOrderResult;
  readonly orderId: string;
  readonly gate: IdentityGate;
  readonly masked: boolean;
}): ReactElement {
  const { result, orderId, gate, masked } = props;
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
  const notices = reportNoticesOf(result, orderId);
  const missing = result.missing_results ?? [];
  const information = result.sample_information;
  const { isBlocked, onAttempt } = gate;
  const shownNow = useShown();
  const refuse = useCallback(() => {
    onAttempt('copy');
  }, [onAttempt]);
  const copy = useCallback(
    (copied: string) => {
      if (isBlocked) refuse();
      else void window.caregate.copyText({ text: copied, from: shownNow() });
    },
    [isBlocked, refuse, shownNow],
  );
  useCopyGuard(isBlocked ? refuse : undefined);
  return (
    <div className={styles['report']}>
      {/* What was typed for one pair of dates isn't for another. */}
      <IdentityBanner key={JSON.stringify(gate.check)} gate={gate} masked={masked} />
      <ReportStatusBanner notices={notices} />
      <LabHeader metadata={result.metadata} notices={notices} masked={masked} />
      <div className={styles['bar']}>
        <Summary counts={summaryOf(all, missing)} only={only} onOnly={setOnly} />
        <SegmentedControl
          label={text('labs.order')}
          value={order}
          onChange={setOrder}
          options={[
            ['urgent', text('labs.order.urgent')],
            ['laboratory', text('labs.order.laboratory')],
          ]}
        />
      </div>
      <div className={styles['beside']}>
        <div className={styles['report']}>
          {missing.length > 0 && (only === undefined || only === 'missing') && (
            <MissingResults missing={missing} />
          )}
          {all.length === 0 && missing.length === 0 && <p>{text('labs.noResults')}</p>}
          {shown.length > 0 && <ResultTable results={shown} onCopy={copy} />}
        </div>
        {result.order_transaction ? (
          <OrderTimeline transaction={result.order_transaction} orderId={orderId} />
        ) : null}
      </div>
      {information && Object.keys(information).length > 0 ? (
        <section aria-label={text('labs.sample')} className={styles['panel']}>
          <h2>{text('labs.sample')}</h2>
          <AnyValue value={information} />
        </section>
      ) : null}
      <OtherFields of={result} known={known} />
    </div>
  );
}
