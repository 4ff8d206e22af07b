import { useText } from '../../text/text.tsx';
import type { MessageKey } from '../../text/text.tsx';

const known: readonly string[] = ['info', 'insurance', 'lab_report', 'order', 'user'];

/** Where a name comes from, in words; a source that no catalogue has stands in quotation marks, as it came. */
export function useSourceText(): (source: string) => string {
  const text = useText();
  return (source) =>
    known.includes(source)
      ? text(`find.source.${source}` as MessageKey)
      : text('value.quoted', { value: source });
}

/** The same in a row: "Name in insurance". */
export function useNameFromText(): (source: string) => string {
  const text = useText();
  return (source) =>
    known.includes(source)
      ? text(`find.nameFrom.${source}` as MessageKey)
      : text('value.quoted', { value: source });
}

const matches: readonly string[] = ['sound', 'phone', 'birth_date', 'id'];

/** What of a person matched, other than the name. */
export function useMatchText(): (matched: string) => string {
  const text = useText();
  return (matched) =>
    matches.includes(matched)
      ? text(`find.by.${matched}` as MessageKey)
      : text('value.quoted', { value: matched });
}
