import { Check, Copy, X } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { ReactElement } from 'react';
import { usePlainCopy } from '../state/clipboard.ts';
import { useText } from '../text/text.tsx';
import type { MessageKey } from '../text/text.tsx';
import { Button } from './controls.tsx';
import { Icon } from './icon.tsx';
import { Quiet, Unseen } from './layout.tsx';

const signs: { readonly [K in MessageKey]?: LucideIcon } = { 'patient.copied': Check };

/** Copies a value that identifies no patient (a request id, a checkpoint), and says for a while whether it worked. */
export function PlainCopy(props: {
  readonly value: string;
  readonly label: string;
  /** A picture alone; so is the result. */
  readonly isIcon?: boolean;
}): ReactElement {
  const { value, label, isIcon = false } = props;
  const text = useText();
  const { message, copy } = usePlainCopy(value);
  return (
    <>
      {isIcon ? (
        <Button kind="icon" aria-label={label} onPress={copy}>
          <Icon of={message === undefined ? Copy : (signs[message] ?? X)} />
        </Button>
      ) : (
        <Button onPress={copy}>{label}</Button>
      )}
      <Quiet size="meta" role="status">
        {message !== undefined && (isIcon ? <Unseen>{text(message)}</Unseen> : text(message))}
      </Quiet>
    </>
  );
}
