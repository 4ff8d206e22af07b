import { type BiomarkerResult, hasSubIds, subIdOf } from '@caregate/domain';
import type { Text } from '../../text/text.tsx';

export type NameOf = (result: BiomarkerResult) => string;

/** What a result is called among others: where they have several sub-ids, with its own, in the direction of the page. */
export function namesIn(results: readonly BiomarkerResult[], text: Text): NameOf {
  const isTold = hasSubIds(results);
  return (result) => {
    const id = isTold ? subIdOf(result) : undefined;
    return id === undefined
      ? result.name
      : text('labs.inGroup', { name: `\u2068${result.name}\u2069`, id: `\u2068${id}\u2069` });
  };
}
