import { X } from 'lucide-react';
import { useEffect } from 'react';
import type { ReactElement } from 'react';
import { unsay, useSaid } from '../state/say.ts';
import type { Said } from '../state/say.ts';
import { useText } from '../text/text.tsx';
import { IconButton } from '../components/controls.tsx';
import { Stack } from '../components/layout.tsx';
import { ProblemNote } from '../components/problem.tsx';
import styles from './toast.module.css';

export function Toast(): ReactElement {
  const said = useSaid();
  return (
    // React Aria hides what lies beside a dialog, but for this.
    <div data-react-aria-top-layer="true" className={styles['place']}>
      <div role="status">{said?.kind === 'event' && <Passing said={said} />}</div>
      {said !== undefined && said.kind !== 'event' && <Lasting said={said} />}
    </div>
  );
}

function Passing({ said }: { readonly said: Extract<Said, { kind: 'event' }> }): ReactElement {
  const text = useText();
  useEffect(() => {
    const timer = setTimeout(unsay, 10_000);
    return () => {
      clearTimeout(timer);
    };
  }, [said]);
  return <p className={styles['toast']}>{text(said.key, said.values)}</p>;
}

function Lasting({ said }: { readonly said: Exclude<Said, { kind: 'event' }> }): ReactElement {
  const text = useText();
  return (
    <div className={styles['toast']}>
      {said.kind === 'problem' ? (
        <Stack>
          <p>{text(said.key)}</p>
          <ProblemNote problem={said.problem} />
        </Stack>
      ) : (
        <p role="alert">{text(said.key, said.values)}</p>
      )}
      <IconButton icon={X} label={text('notice.close')} onPress={unsay} />
    </div>
  );
}
