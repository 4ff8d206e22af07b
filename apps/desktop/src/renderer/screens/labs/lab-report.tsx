import { useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import type { Insurance, LabOrderResult, User } from '@caregate/domain';
import { Choice } from '../../components/choice.tsx';
import { AnyValue, OtherFields } from '../../components/key-values.tsx';
import { useText } from '../../text/text.tsx';
import { checkIdentity } from './identity-check.ts';
import { IdentityBanner } from './identity-banner.tsx';
import { LabHeader } from './lab-header.tsx';
import { MissingResults } from './missing-results.tsx';
import { OrderTimeline } from './order-timeline.tsx';
import { groupOf, readResults, sorted, summaryOf } from './result-order.ts';
import type { Group, SortOrder } from './result-order.ts';
import { ResultTable } from './result-table.tsx';
import { Summary } from './summary.tsx';
import styles from './labs.module.css';

const known = ['metadata', 'results', 'missing_results', 'sample_information', 'order_transaction'];

/** One order's result, whole: nothing of it is left out, and nothing is said that it doesn't say. */
export function LabReport(props: {
  readonly result: LabOrderResult;
  readonly orderId: string;
  readonly person: User | undefined;
  readonly insurance: Insurance | undefined;
  readonly masked: boolean;
}): ReactElement {
  const { result, orderId, person, insurance, masked } = props;
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
  const check = checkIdentity({ result, person, insurance });
  const missing = result.missing_results ?? [];
  const information = result.sample_information;
  return (
    <div className={styles['report']}>
      {/* What was dismissed for one pair of dates isn't for another. */}
      <IdentityBanner key={JSON.stringify(check)} check={check} masked={masked} />
      <LabHeader metadata={result.metadata} masked={masked} />
      <div className={styles['bar']}>
        <Summary counts={summaryOf(all, missing)} only={only} onOnly={setOnly} />
        <Choice
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
          {shown.length > 0 && <ResultTable results={shown} />}
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
