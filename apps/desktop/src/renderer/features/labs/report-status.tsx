import { Pencil, TriangleAlert } from 'lucide-react';
import { useIntl } from 'react-intl';
import {
  LOW_LEVEL_STATUSES,
  METADATA_STATUSES,
  ORDER_ORIGINS,
  TRANSACTION_STATUSES,
} from '@caregate/domain';
import type { LabOrderResult, OrderTransactionOrder } from '@caregate/domain';
import { useText, type MessageKey, type Text } from '../../i18n/text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Banner } from '../../ui/surfaces.tsx';
import { formatDateTime } from '../../ui/values/dates.tsx';
import { isSameId } from './order-facts.ts';
import { findUnknown } from './results/result-reading.ts';

/** Warns about the status of a report, and describes what a correction changed. */
export function ReportStatusBanner(props: {
  readonly notices: readonly ReportNotice[];
  readonly changes: readonly string[];
}) {
  const { notices, changes } = props;
  const text = useText();
  const intl = useIntl();
  if (notices.length === 0 && changes.length === 0) return null;
  const isCorrected = changes.length > 0 || notices.some(({ kind }) => kind === 'corrected');
  const format = { text, moment: (at: string) => formatDateTime(intl, at) };
  const sentences = notices.map((notice) => formatNotice(notice, format));
  return (
    <Banner kind="notice" role="alert" aria-label={text('reportStatus.title')}>
      <Icon of={isCorrected ? Pencil : TriangleAlert} />
      <p>
        {sentences.length === 0 ? text('changes.title') : sentences.join(' ')}{' '}
        <b>{changes.join(' ')}</b>
      </p>
    </Banner>
  );
}

/** Where a status comes from: the report or its order, the transaction, or another order of the transaction. */
type NoticeSource = 'report' | 'transaction' | 'other';

export type ReportNotice =
  | { readonly kind: 'corrected' | 'partial' | 'cancelled'; readonly source: NoticeSource }
  | { readonly kind: 'replaced'; readonly by: OrderTransactionOrder }
  /** `dates`: the creation dates are equal, unreadable or contradictory. `unnamed`: the transaction doesn't list the order. */
  | { readonly kind: 'latestUnknown'; readonly why: 'dates' | 'unnamed' }
  | { readonly kind: 'unrecognised'; readonly words: readonly string[] };

type Report = Pick<LabOrderResult, 'metadata' | 'order_transaction'>;

export function findNotices(report: Report, orderId: string): readonly ReportNotice[] {
  const { metadata, order_transaction: transaction } = report;
  const orders = transaction?.orders ?? [];
  const ownOrders = orders.filter(({ id }) => isSameId(id, orderId));
  const otherOrders = orders.filter(({ id }) => !isSameId(id, orderId));
  const statuses: Readonly<Record<NoticeSource, readonly (string | null | undefined)[]>> = {
    report: [metadata.status, ...ownOrders.map((order) => order.low_level_status)],
    transaction: [transaction?.status],
    other: otherOrders.map((order) => order.low_level_status),
  };
  const unknown = [
    ...findUnknown(metadata.status, [...Object.values(METADATA_STATUSES), ...ALARMING]),
    ...findUnknown(transaction?.status, [...Object.values(TRANSACTION_STATUSES), ...ALARMING]),
    ...orders.flatMap((order) =>
      findUnknown(order.low_level_status, [...LOW_LEVEL_STATUSES, ...ALARMING]),
    ),
  ];
  const words = [...new Set(unknown)];
  return [
    ...(['corrected', 'partial', 'cancelled'] as const).flatMap((kind) =>
      (['report', 'transaction', 'other'] as const)
        .filter((source) => statuses[source].some((status) => findAlarm(status) === kind))
        .map((source) => ({ kind, source })),
    ),
    ...findSuccession(ownOrders, otherOrders),
    ...(words.length === 0 ? [] : [{ kind: 'unrecognised', words } as const]),
  ];
}

const ALARMING = ['corrected', 'partial', 'partial_results', 'cancelled'];

function findAlarm(status: string | null | undefined): string | null | undefined {
  return status === 'partial_results' ? 'partial' : status;
}

function findSuccession(
  ownOrders: readonly OrderTransactionOrder[],
  otherOrders: readonly OrderTransactionOrder[],
): ReportNotice[] {
  if (otherOrders.length === 0) return [];
  const [opened] = ownOrders;
  if (opened === undefined) return [{ kind: 'latestUnknown', why: 'unnamed' }];
  const places = otherOrders.map((order) => ({ order, place: findPlace(order, opened) }));
  const later = places.filter(({ place }) => place === 'later').map(({ order }) => order);
  const last = later.toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at)).at(-1);
  if (last !== undefined) return [{ kind: 'replaced', by: last }];
  const isLatest = places.every(({ place }) => place === 'earlier');
  return isLatest ? [] : [{ kind: 'latestUnknown', why: 'dates' }];
}

/** Compares creation dates and origins. Returns `unknown` if they are missing or contradict each other. */
function findPlace(
  order: OrderTransactionOrder,
  opened: OrderTransactionOrder,
): 'earlier' | 'later' | 'unknown' {
  const byDate = Math.sign(Date.parse(order.created_at) - Date.parse(opened.created_at));
  const byOrigin = getRank(order) - getRank(opened);
  // If the dates are equal (0) or unreadable (NaN), the origin decides.
  const step = byDate || Math.sign(byOrigin);
  if (byDate * byOrigin < 0 || !step) return 'unknown';
  return step > 0 ? 'later' : 'earlier';
}

function getRank({ origin }: OrderTransactionOrder): number {
  if (origin === 'initial') return 0;
  return origin === 'redraw' || origin === 'recreation' ? 1 : Number.NaN;
}

interface NoticeFormat {
  readonly text: Text;
  readonly moment: (at: string) => string;
}

export function formatNotice(notice: ReportNotice, { text, moment }: NoticeFormat): string {
  switch (notice.kind) {
    case 'corrected':
    case 'partial':
    case 'cancelled':
      return text(`reportStatus.${notice.kind}.${notice.source}`);
    case 'replaced': {
      const { origin, created_at: created, low_level_status: status } = notice.by;
      const isKnown = (Object.values(ORDER_ORIGINS) as unknown[]).includes(origin);
      return text('reportStatus.replaced.by', {
        origin: isKnown
          ? text(`labs.origin.${origin ?? ''}` as MessageKey)
          : quoteValue(origin, text),
        date: moment(created),
        status: quoteValue(status?.replaceAll('_', ' '), text),
      });
    }
    case 'latestUnknown':
      return text(`reportStatus.latestUnknown.${notice.why}`);
    case 'unrecognised':
      return text('reportStatus.unrecognised', {
        words: notice.words.map((value) => text('value.quoted', { value })).join(', '),
      });
  }
}

function quoteValue(value: string | null | undefined, text: Text): string {
  return value ? text('value.quoted', { value }) : text('value.none');
}
