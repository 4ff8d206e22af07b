import { Copy } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { copyText, useCopy } from '../app/clipboard.ts';
import { Button } from './controls.tsx';
import { Icon } from './icon.tsx';

/** Copies a value that identifies a patient. */
export function CopyButton(props: {
  readonly value: string;
  readonly label?: string;
  readonly children?: ReactNode;
}): ReactElement {
  const { value, label, children } = props;
  const copy = useCopy(value);
  return (
    <Button
      kind={label === undefined ? 'quiet' : 'icon'}
      onPress={copy}
      {...(label !== undefined && { 'aria-label': label })}
    >
      <Icon of={Copy} />
      {children}
    </Button>
  );
}

/** Copies a value that identifies no patient (a request id, a checkpoint). */
export function PlainCopy(props: { readonly value: string; readonly label: string }): ReactElement {
  const { value, label } = props;
  return (
    <Button
      onPress={() => {
        copyText({ text: value });
      }}
    >
      {label}
    </Button>
  );
}
