import { Copy } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { useCopy } from '../state/clipboard.ts';
import { Button } from './controls.tsx';
import { Icon } from './icon.tsx';

/** Copies a value that tells who somebody is. */
export function CopyButton(props: {
  readonly value: string;
  /** The accessible name of an icon button. */
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
