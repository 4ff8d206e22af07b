import type { ReactElement } from 'react';
import { Quiet } from '../../ui/layout.tsx';
import { useStatus } from '../../api/app-state.ts';
import { useText } from '../../i18n/text.tsx';

/** Says the PIN of the demo's made-up staff; nothing at a real clinic. */
export function DemoPin(): ReactElement | null {
  const text = useText();
  const { demo } = useStatus();
  if (demo === undefined) return null;
  return (
    <Quiet as="p" size="meta">
      {text('signIn.demoPin', { pin: demo.pin })}
    </Quiet>
  );
}
