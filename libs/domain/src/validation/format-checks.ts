import {
  isCalendarDate,
  isDateTime,
  isPhoneNumber,
  isQueryDate,
  isTimeZoneId,
  isUuid,
} from './formats.ts';
import type { FormatName } from './messages.ts';

/** The check behind each named format, for the class decorators and the compiled validators alike. */
export const FORMAT_CHECKS: Readonly<Record<FormatName, (text: string) => boolean>> = {
  uuid: isUuid,
  'date-time': isDateTime,
  date: isCalendarDate,
  'time-zone-id': isTimeZoneId,
  'phone-number': isPhoneNumber,
  'query-date': isQueryDate,
};
