import { Check, Copy, X } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { ReactElement } from 'react';
import { usePlainCopy } from '../state/clipboard.ts';
import { useText } from '../text/text.tsx';
import type { MessageKey } from '../text/text.tsx';
import { Button } from './controls.tsx';
import { Icon } from './icon.tsx';
import styles from './plain-copy.module.css';
import states from './states.module.css';

const signs: { readonly [K in MessageKey]?: LucideIcon } = { 'patient.copied': Check };

/** Copies what tells of nobody (a request's id, a record's, a checkpoint), and says for a while whether it did. */
export function PlainCopy(props: {
  readonly value: string;
  readonly label: string;
  /** As a sign alone, named by its label; whether it was copied is a sign, too. */
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
      <span role="status" className={isIcon ? states['unseen'] : styles['said']}>
        {message !== undefined && text(message)}
      </span>
    </>
  );
}
