import { Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import { copyText, useCopy } from '../app/clipboard.ts';
import { Button, IconButton } from './controls.tsx';
import { Icon } from './icon.tsx';

/** Copies a value that identifies a patient. With a label instead of text, the button shows only an icon. */
export function CopyButton(props: {
  readonly value: string;
  readonly label?: string;
  readonly children?: ReactNode;
}) {
  const { value, label, children } = props;
  const copy = useCopy(value);
  if (label !== undefined) return <IconButton icon={Copy} label={label} onPress={copy} />;
  return (
    <Button kind="quiet" onPress={copy}>
      <Icon of={Copy} />
      {children}
    </Button>
  );
}

/** Copies a value that identifies no patient, such as a request ID. */
export function PlainCopy(props: { readonly value: string; readonly label: string }) {
  const { value, label } = props;
  return <Button onPress={() => copyText({ text: value })}>{label}</Button>;
}
