import { useText } from '../../i18n/text.tsx';
import type { MessageKey } from '../../i18n/text.tsx';

const sources: readonly string[] = ['info', 'insurance', 'lab_report', 'order', 'user'];
const known = {
  source: sources,
  by: ['sound', 'phone', 'birth_date', 'id', 'near_id'],
} as const satisfies Record<string, readonly string[]>;

export function useWordFor(): (what: keyof typeof known, value: string) => string {
  const text = useText();
  return (what, value) =>
    (known[what] as readonly string[]).includes(value)
      ? text(`find.${what}.${value}` as MessageKey)
      : text('value.quoted', { value });
}
