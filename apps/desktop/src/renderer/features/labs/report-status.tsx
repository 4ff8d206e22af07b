import { Pencil, TriangleAlert } from 'lucide-react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import { momentText } from '../../ui/values/dates.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Banner } from '../../ui/surfaces.tsx';
import { useText } from '../../i18n/text.tsx';
import styles from './labs.module.css';
import {
  LOW_LEVEL_STATUSES,
  METADATA_STATUSES,
  ORDER_ORIGINS,
  TRANSACTION_STATUSES,
} from '@caregate/domain';
import type { LabOrderResult, OrderTransactionOrder } from '@caregate/domain';
import type { MessageKey, Text } from '../../i18n/text.tsx';
import { isSameId } from './order-facts.ts';
import { unknownOf } from './results/result-reading.ts';

export function ReportStatusBanner(props: {
  readonly notices: readonly ReportNotice[];
  readonly changes?: readonly string[];
}): ReactElement | null {
  const { notices, changes = [] } = props;
  const text = useText();
  const said = useNoticeTexts(notices);
  if (said.length === 0 && changes.length === 0) return null;
  const isCorrected = changes.length > 0 || notices.some(({ kind }) => kind === 'corrected');
  return (
    <Banner
      kind="notice"
      role="alert"
      aria-label={text('reportStatus.title')}
      className={styles['reportStatus']}
    >
      <Icon of={isCorrected ? Pencil : TriangleAlert} />
      <div>
        {said.length === 0 && <h2>{text('changes.title')}</h2>}
        <ul>
          {said.map(({ sentence }) => (
            <li key={sentence}>{sentence}</li>
          ))}
          {changes.map((sentence) => (
            <li key={sentence} className="bold">
              {sentence}
            </li>
          ))}
        </ul>
      </div>
    </Banner>
  );
}

function useNoticeTexts(notices: readonly ReportNotice[]): readonly NoticeText[] {
  const text = useText();
  const intl = useIntl();
  const moment = (at: string): string => momentText(intl, at);
  return notices.map((notice) => noticeText(notice, { text, moment }));
}

/** Who says so: the report or its own order, the transaction, or another order of it. */
type NoticeSource = 'report' | 'transaction' | 'other';

export type ReportNotice =
  | { readonly kind: 'corrected' | 'partial' | 'cancelled'; readonly source: NoticeSource }
  | { readonly kind: 'replaced'; readonly by: OrderTransactionOrder }
  /** `dates` are equal, unreadable or contradictory; `unnamed`: the order is not in its transaction. */
  | { readonly kind: 'latestUnknown'; readonly why: 'dates' | 'unnamed' }
  | { readonly kind: 'unrecognised'; readonly words: readonly string[] };

type Report = Pick<LabOrderResult, 'metadata' | 'order_transaction'>;

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

const sources: readonly NoticeSource[] = ['report', 'transaction', 'other'];
const alarms = [
  { kind: 'corrected', statuses: new Set<unknown>(['corrected']) },
  { kind: 'partial', statuses: new Set<unknown>(['partial', 'partial_results']) },
  { kind: 'cancelled', statuses: new Set<unknown>(['cancelled']) },
] as const;
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

/** By creation date, and by the first order being the first; unknown if these disagree or say nothing. */
function placeOf(
  order: OrderTransactionOrder,
  opened: OrderTransactionOrder,
): 'earlier' | 'later' | 'unknown' {
  const byDate = Math.sign(Date.parse(order.created_at) - Date.parse(opened.created_at));
  const byOrigin = rankOf(order) - rankOf(opened);
  // NaN for an unreadable date, like 0, decides nothing.
  const step = byDate || Math.sign(byOrigin);
  if (byDate * byOrigin < 0 || !step) return 'unknown';
  return step > 0 ? 'later' : 'earlier';
}

function rankOf({ origin }: OrderTransactionOrder): number {
  if (origin === 'initial') return 0;
  return origin === 'redraw' || origin === 'recreation' ? 1 : Number.NaN;
}

interface NoticeFormat {
  readonly text: Text;
  readonly moment: (at: string) => string;
}

export interface NoticeText {
  readonly short: string;
  readonly sentence: string;
}

export function noticeText(notice: ReportNotice, words: NoticeFormat): NoticeText {
  const { text, moment } = words;
  switch (notice.kind) {
    case 'corrected':
    case 'partial':
    case 'cancelled': {
      const { kind, source } = notice;
      const word = text(`reportStatus.${kind}`);
      return {
        short: source === 'report' ? word : text(`reportStatus.of.${source}`, { word }),
        sentence: text(`reportStatus.${kind}.${source}`),
      };
    }
    case 'replaced': {
      const { by } = notice;
      const values = {
        origin: originText(by, words),
        date: moment(by.created_at),
        status: statusText(by, words),
      };
      return {
        short: text('reportStatus.replaced'),
        sentence: text('reportStatus.replaced.by', values),
      };
    }
    case 'latestUnknown':
      return {
        short: text('reportStatus.latestUnknown'),
        sentence: text(`reportStatus.latestUnknown.${notice.why}`),
      };
    case 'unrecognised': {
      const said = notice.words.map((value) => text('value.quoted', { value })).join(', ');
      return {
        short: `${said} ${text('value.unrecognised')}`,
        sentence: text('reportStatus.unrecognised', { words: said }),
      };
    }
  }
}

function originText({ origin }: OrderTransactionOrder, { text }: NoticeFormat): string {
  if (origin === null || origin === undefined) return text('value.none');
  const isKnown = (Object.values(ORDER_ORIGINS) as readonly string[]).includes(origin);
  return isKnown
    ? text(`labs.origin.${origin}` as MessageKey)
    : text('value.quoted', { value: origin });
}

function statusText(order: OrderTransactionOrder, { text }: NoticeFormat): string {
  const status = order.low_level_status;
  return status ? text('value.quoted', { value: status.replaceAll('_', ' ') }) : text('value.none');
}
