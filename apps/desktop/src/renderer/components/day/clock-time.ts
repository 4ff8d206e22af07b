import type { IntlShape } from 'react-intl';
import { latinDigits } from '../../text/text.tsx';

/** "940", "9:40" or "9" as "09:40" or "09:00"; undefined where it is no time of a day. */
export function clockTimeOf(typed: string): string | undefined {
  const found = /^(?<hour>\d{1,2}?)\D?(?<minute>\d{2})?$/u.exec(latinDigits(typed).trim())?.groups;
  const [hour, minute] = [Number(found?.['hour']), Number(found?.['minute'] ?? 0)];
  if (found === undefined || hour > 23 || minute > 59) return undefined;
  return [hour, minute].map((part) => String(part).padStart(2, '0')).join(':');
}

export function clockText(intl: IntlShape, time: string): string {
  return intl.formatTime(new Date(`1970-01-01T${time}:00Z`), {
    ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC' },
  });
}

/** HH:MM in the page's time zone. */
export function clockOf({ timeZone }: Pick<IntlShape, 'timeZone'>, at: Date): string {
  const parts = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  return new Intl.DateTimeFormat('en', { ...parts, timeZone }).format(at);
}
