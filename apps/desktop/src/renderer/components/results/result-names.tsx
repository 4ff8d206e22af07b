import { type BiomarkerResult, hasSubIds, subIdOf } from '@caregate/domain';
import type { ReactElement } from 'react';
import type { Text } from '../../text/text.tsx';

export type NameOf = (result: BiomarkerResult) => string;

/** What a result is called among others: where they have several sub-ids, with its own. */
export function namesIn(results: readonly BiomarkerResult[], text: Text): NameOf {
  const isTold = hasSubIds(results);
  return (result) => {
    const id = isTold ? subIdOf(result) : undefined;
    return id === undefined
      ? result.name
      : text('labs.inGroup', { name: `\u2068${result.name}\u2069`, id: `\u2068${id}\u2069` });
  };
}

/** A plain name reads in its own direction, one with a group in the page's. */
export function Name({ of: name }: { of: string }): ReactElement {
  return name.startsWith('\u2068') ? <span>{name}</span> : <bdi>{name}</bdi>;
}
