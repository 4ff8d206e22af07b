import { Ban, CircleAlert, CircleDashed, CircleHelp, Clock, Pencil } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useIntl } from 'react-intl';
import { readCollectedOn, INTERPRETATIONS } from '@caregate/domain';
import type { LabOrderResult, Order } from '@caregate/domain';
import { readOrderState, type OrderState } from '../order-facts.ts';
import { useLabResult } from '../use-orders.ts';
import { useText } from '../../../i18n/text.tsx';
import { formatDay, formatDate } from '../../../ui/values/dates.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Row } from '../../../ui/layout.tsx';
import { Count, Counts } from '../results/flag.tsx';
import { GROUPS, readResults, countByGroup } from '../results/result-order.ts';
import styles from './order-state.module.css';

const icons: Readonly<Partial<Record<OrderState['kind'], LucideIcon>>> = {
  corrected: Pencil,
  partial: CircleDashed,
  awaited: Clock,
  cancelled: Ban,
  failed: CircleAlert,
  unknown: CircleHelp,
};

export function useOrderDay(): (order: Order | undefined) => string {
  const text = useText();
  const intl = useIntl();
  return (order) => {
    if (order?.created_at) return formatDay(intl, order.created_at);
    const collected = order && readCollectedOn(order);
    return collected === undefined
      ? text('orders.noDate')
      : text('orders.collectedOn', { day: formatDate(intl, collected) });
  };
}

export function StateChip({ order }: { order: Order }) {
  return <StateTag state={readOrderState(order)} />;
}

export function StateTag({ state }: { state: OrderState }) {
  const text = useText();
  const { kind } = state;
  if (kind === 'none') return null;
  const icon = icons[kind];
  return (
    <span className={`inline quiet wrap tag ${styles['state'] ?? ''}`} data-state={kind}>
      {icon !== undefined && <Icon of={icon} />}
      {kind === 'unknown' ? (
        <bdi>{text('value.quoted', { value: state.word })}</bdi>
      ) : (
        text(`orders.state.${kind}`)
      )}
    </span>
  );
}

function useStoredReport(order: Order): LabOrderResult | undefined {
  const { data, problem } = useLabResult(order.user_id, order.id, { isStored: true });
  return problem === undefined ? data?.value : undefined;
}

/** Returns the laboratory if the report is loaded, and otherwise the name of the ordered test. */
export function useOrderName(order: Order): string | undefined {
  const report = useStoredReport(order);
  return report?.metadata.laboratory ?? order.lab_test?.name ?? undefined;
}

/** Shows the counts of a loaded report, or otherwise what the list of orders says. */
export function Findings({ order }: { order: Order }) {
  const text = useText();
  const report = useStoredReport(order);
  const name = useOrderName(order);
  const counts = report && countByGroup(readResults(report.results), report.missing_results);
  const isAllInside =
    counts !== undefined &&
    counts.inside > 0 &&
    GROUPS.every((one) => one === 'inside' || counts[one] === 0);
  return (
    <>
      {name && (
        <bdi className="quiet meta cut" title={name}>
          {name}
        </bdi>
      )}
      <Row as="span" gap="tight" className="quiet meta">
        {counts === undefined ? (
          <>
            <Interpretation value={order.interpretation} />
            {order.has_missing_results === true && <Count group="missing" />}
          </>
        ) : (
          <Counts of={counts} />
        )}
        {isAllInside && <span>{text('orders.allInside')}</span>}
      </Row>
    </>
  );
}

/** Shows the laboratory's interpretation of the report as a whole. */
function Interpretation({ value }: { value: string | null | undefined }) {
  const text = useText();
  const { normal, unknown, abnormal, critical } = INTERPRETATIONS;
  if (!value || value === normal || value === unknown) return null;
  if (value === abnormal) return <Count group="abnormal" />;
  return (
    <bdi className="bold flagged">
      {value === critical ? text('flag.critical') : text('value.quoted', { value })}
    </bdi>
  );
}
