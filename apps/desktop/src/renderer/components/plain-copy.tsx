import { Copy } from 'lucide-react';
import type { ReactElement } from 'react';
import { copyText } from '../state/clipboard.ts';
import { Button, IconButton } from './controls.tsx';

/** Copies a value that identifies no patient (a request id, a checkpoint). */
export function PlainCopy(props: {
  readonly value: string;
  readonly label: string;
  /** A picture alone. */
  readonly isIcon?: boolean;
}): ReactElement {
  const { value, label, isIcon = false } = props;
  const copy = (): void => {
    copyText({ text: value });
  };
  return isIcon ? (
    <IconButton icon={Copy} label={label} onPress={copy} />
  ) : (
    <Button onPress={copy}>{label}</Button>
  );
}
