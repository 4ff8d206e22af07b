import { Ban, CircleAlert, CircleDashed, CircleHelp, Clock, Pencil } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import { readCollectedOn, INTERPRETATIONS } from '@caregate/domain';
import type { Order } from '@caregate/domain';
import { readOrderState } from '../order-facts.ts';
import type { OrderState } from '../order-facts.ts';
import { useLabResult } from '../use-orders.ts';
import { useText } from '../../../i18n/text.tsx';
import { formatDay, formatDate } from '../../../ui/values/dates.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Row } from '../../../ui/layout.tsx';
import { Count } from '../results/flag.tsx';
import { FLAGGED_GROUPS, readResults, countByGroup } from '../results/result-order.ts';
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

export function StateChip({ order }: { order: Order }): ReactElement | null {
  const text = useText();
  const state = readOrderState(order);
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

/** The counts of a report that was read, or else what the list says of the order. */
export function Findings({ order }: { order: Order }): ReactElement {
  const text = useText();
  const { data, problem } = useLabResult(order.user_id, order.id, { isStored: true });
  const name = order.lab_test?.name;
  if (data === undefined || problem !== undefined) {
    return (
      <Row as="span" gap="tight" className="quiet meta wrap">
        {name && <bdi>{name}</bdi>}
        <Interpretation value={order.interpretation} />
        {order.has_missing_results === true && <Count group="missing" />}
      </Row>
    );
  }
  const { results, missing_results: missing, metadata } = data.value;
  const counts = countByGroup(readResults(results), missing);
  const shown = FLAGGED_GROUPS.filter((group) => counts[group] > 0).map((group) => (
    <Count key={group} group={group} count={counts[group]} />
  ));
  return (
    <Row as="span" gap="tight" className="quiet meta wrap">
      {metadata.laboratory && <bdi>{metadata.laboratory}</bdi>}
      {shown.length > 0 || results.length === 0 || counts.inside < results.length ? (
        shown
      ) : (
        <span>{text('orders.allInside')}</span>
      )}
    </Row>
  );
}

function Interpretation({ value }: { value: string | null | undefined }): ReactElement | null {
  const text = useText();
  const { normal, unknown, abnormal, critical } = INTERPRETATIONS;
  if (!value || value === normal || value === unknown) return null;
  const isKnown = value === abnormal || value === critical;
  return (
    <bdi className={styles['read']} data-read={isKnown ? value : 'unknown'}>
      {isKnown ? text(`labs.read.${value}`) : text('value.quoted', { value })}
    </bdi>
  );
}
