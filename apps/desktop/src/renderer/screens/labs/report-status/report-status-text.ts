import { ORDER_ORIGINS } from '@caregate/domain';
import type { OrderTransactionOrder } from '@caregate/domain';
import type { MessageKey, Text } from '../../../text/text.tsx';
import type { ReportNotice } from './report-status.ts';

interface NoticeFormat {
  readonly text: Text;
  readonly moment: (at: string) => string;
}

export interface SaidNotice {
  readonly short: string;
  readonly sentence: string;
}

export function noticeText(notice: ReportNotice, words: NoticeFormat): SaidNotice {
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
