import type { ReactElement } from 'react';
import type { MessageKey } from '../../i18n/text.tsx';
import { useText } from '../../i18n/text.tsx';

/** A value of an open enum; an unknown one is shown unchanged and marked. */
export function OpenValue(props: {
  readonly value: string | null | undefined;
  readonly known: readonly string[];
  readonly words: (value: string) => MessageKey;
}): ReactElement {
  const { value, known, words } = props;
  const text = useText();
  if (value === null || value === undefined) return <>{text('value.none')}</>;
  if (known.includes(value)) return <>{text(words(value))}</>;
  return (
    <strong className="noticed wrap">
      <bdi>{text('value.quoted', { value })}</bdi> {text('value.unrecognised')}
    </strong>
  );
}
