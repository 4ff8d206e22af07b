import type { Text } from '../../../text/text.tsx';
import type { ChangedPair } from './versions.ts';

/** The comparison has all of them. */
const mostSaid = 3;

/** A sentence for each of the first changes, and how many more there are. */
export function changeSentences(changes: readonly ChangedPair[], text: Text): readonly string[] {
  if (changes.length === 0) return [text('changes.none')];
  const said = changes.slice(0, mostSaid).map((pair) => sentenceOf(pair, text));
  const more = changes.length - said.length;
  return more === 0 ? said : [...said, text('changes.more', { count: more })];
}

function sentenceOf({ now, before, change }: ChangedPair, text: Text): string {
  return text(`changes.${change}`, {
    // Bidirectional isolation.
    name: `\u2068${now?.name ?? before?.name ?? ''}\u2069`,
    now: now === undefined ? '' : isolated(now.result, now.unit),
    before:
      before === undefined
        ? ''
        : isolated(before.result, before.unit === now?.unit ? undefined : before.unit),
  });
}

function isolated(value: string, unit: string | null | undefined): string {
  return `\u2066${unit ? `${value} ${unit}` : value}\u2069`;
}
