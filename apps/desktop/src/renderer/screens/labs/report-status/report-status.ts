import { LOW_LEVEL_STATUSES, METADATA_STATUSES, TRANSACTION_STATUSES } from '@caregate/domain';
import type { LabOrderResult, OrderTransactionOrder } from '@caregate/domain';
import { unknownOf } from '../results/result-reading.ts';

/** What says so: the report itself (its own status or its order's), the whole transaction, or another order of it. */
type NoticeSource = 'report' | 'transaction' | 'other';

/** Why a report isn't the plain, last word that a final one would be. */
export type ReportNotice =
  | { readonly kind: 'corrected' | 'partial' | 'cancelled'; readonly source: NoticeSource }
  /** A later order of the same transaction. */
  | { readonly kind: 'replaced'; readonly by: OrderTransactionOrder }
  /** Which order is the last can't be told: `dates` are equal, unreadable or contradicted; `unnamed` isn't listed. */
  | { readonly kind: 'latestUnknown'; readonly why: 'dates' | 'unnamed' }
  /** Statuses that this program doesn't know, as they came. */
  | { readonly kind: 'unrecognised'; readonly words: readonly string[] };

type Report = Pick<LabOrderResult, 'metadata' | 'order_transaction'>;

/** What must be known of a report before its results are read; nothing where it is complete, uncorrected and the last. */
export function reportNoticesOf(report: Report, orderId: string): readonly ReportNotice[] {
  const transaction = report.order_transaction;
  const orders = transaction?.orders ?? [];
  const own = orders.filter(({ id }) => isSameId(id, orderId));
  const others = orders.filter(({ id }) => !isSameId(id, orderId));
  const said: readonly (readonly [NoticeSource, string | null | undefined])[] = [
    ['report', report.metadata.status],
    ...own.map((order) => ['report', order.low_level_status] as const),
    ['transaction', transaction?.status],
    ...others.map((order) => ['other', order.low_level_status] as const),
  ];
  const unknown = [
    ...unknownOf(report.metadata.status, metadataStatuses),
    ...unknownOf(transaction?.status, transactionStatuses),
    ...orders.flatMap((order) => unknownOf(order.low_level_status, orderStatuses)),
  ];
  const words = [...new Set(unknown)];
  return [
    ...alarms.flatMap(({ kind, statuses }) =>
      sources
        .filter((source) => said.some(([by, status]) => by === source && statuses.has(status)))
        .map((source) => ({ kind, source })),
    ),
    ...successionOf(own, others),
    ...(words.length === 0 ? [] : [{ kind: 'unrecognised', words } as const]),
  ];
}

/** The notices that a status which is shown as it came doesn't say by itself. */
export function besideStatus(
  notices: readonly ReportNotice[],
  status: string | null | undefined,
): readonly ReportNotice[] {
  return notices.flatMap<ReportNotice>((notice) => {
    if (notice.kind !== 'unrecognised') return [notice];
    const words = notice.words.filter((word) => word !== status);
    return words.length === 0 ? [] : [{ ...notice, words }];
  });
}

export const isSameId = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const sources: readonly NoticeSource[] = ['report', 'transaction', 'other'];
const alarms = [
  { kind: 'corrected', statuses: new Set<unknown>(['corrected']) },
  { kind: 'partial', statuses: new Set<unknown>(['partial', 'partial_results']) },
  { kind: 'cancelled', statuses: new Set<unknown>(['cancelled']) },
] as const;
// A word that alarms is understood wherever it stands.
const alarming = ['corrected', 'partial', 'partial_results', 'cancelled'];
const orderStatuses: readonly string[] = [...LOW_LEVEL_STATUSES, ...alarming];
const metadataStatuses: readonly string[] = [...Object.values(METADATA_STATUSES), ...alarming];
const transactionStatuses: readonly string[] = [
  ...Object.values(TRANSACTION_STATUSES),
  ...alarming,
];

function successionOf(
  own: readonly OrderTransactionOrder[],
  others: readonly OrderTransactionOrder[],
): ReportNotice[] {
  if (others.length === 0) return [];
  const [opened] = own;
  if (opened === undefined) return [{ kind: 'latestUnknown', why: 'unnamed' }];
  const places = others.map((order) => ({ order, place: placeOf(order, opened) }));
  const later = places.filter(({ place }) => place === 'later').map(({ order }) => order);
  const last = later.toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at)).at(-1);
  if (last !== undefined) return [{ kind: 'replaced', by: last }];
  const isTold = places.every(({ place }) => place === 'earlier');
  return isTold ? [] : [{ kind: 'latestUnknown', why: 'dates' }];
}

/**
 * Where an order stands to the opened one: by when each was made, and by the first order's being the first. Where
 * these contradict each other, or say nothing, nobody can tell; a later change of an order doesn't make it the later.
 */
function placeOf(
  order: OrderTransactionOrder,
  opened: OrderTransactionOrder,
): 'earlier' | 'later' | 'unknown' {
  const byDate = Math.sign(Date.parse(order.created_at) - Date.parse(opened.created_at));
  const byOrigin = rankOf(order) - rankOf(opened);
  // NaN, where a date can't be read, says as little as 0.
  const step = byDate || Math.sign(byOrigin);
  if (byDate * byOrigin < 0 || !step) return 'unknown';
  return step > 0 ? 'later' : 'earlier';
}

/** The first order before those made after it; of any other origin it is unknown. */
function rankOf({ origin }: OrderTransactionOrder): number {
  if (origin === 'initial') return 0;
  return origin === 'redraw' || origin === 'recreation' ? 1 : Number.NaN;
}
