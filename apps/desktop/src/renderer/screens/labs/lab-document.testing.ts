import { createIntl } from 'react-intl';
import type { LabOrderResult, User } from '@caregate/domain';
import type { PrintDocument } from '../../../bridge/print.ts';
import { dayText } from '../../components/values/dates.tsx';
import en from '../../text/en.json' with { type: 'json' };
import { pageNumberParts } from '../../print/print-document.ts';
import { labDocument } from './lab-document.ts';

export const intl = createIntl({ locale: 'en', messages: en, timeZone: 'UTC' });

/** The printed summary of the order `order-1`, in English. */
export function documentOf(
  result: LabOrderResult,
  masked = false,
  person?: User,
  reason?: string,
): PrintDocument {
  return labDocument({
    result,
    orderId: 'order-1',
    person,
    patient: person && { name: 'Known Name', born: 'known day', clientUserId: 'CLIENT-7' },
    insurance: undefined,
    reason,
    masked,
    frame: {
      paper: 'a4',
      language: 'en',
      direction: 'ltr',
      page: pageNumberParts((number, count) => `${number}/${count}`),
      footer: ['by'],
    },
    text: (key, values) => intl.formatMessage({ id: key }, values),
    day: (date) => dayText(intl, date) ?? date,
    moment: (at) => at,
  });
}
