import { X } from 'lucide-react';
import { useEffect } from 'react';
import { usePageState } from '../api/app-state.ts';
import { useText } from '../i18n/text.tsx';
import { IconButton } from '../ui/controls.tsx';
import { Stack } from '../ui/layout.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import styles from './toast.module.css';
import { toast, type Toast } from './toasts.ts';

const toastClass = `line gap2 framed row13 bold wrap ${styles['toast'] ?? ''}`;

/** Shows all toasts, the newest last. */
export function Toasts() {
  const toasts = usePageState('toasts');
  return (
    // While a dialog is open, React Aria hides everything outside it except this layer.
    <div data-react-aria-top-layer="true" className={`stack gap2 ${styles['place'] ?? ''}`}>
      <div role="status" className={`stack gap2 ${styles['passing'] ?? ''}`}>
        {toasts.map((one) => one.kind === 'info' && <Info key={one.key} shown={one} />)}
      </div>
      {toasts.map((one) => one.kind !== 'info' && <Lasting key={one.key} shown={one} />)}
    </div>
  );
}

function Info({ shown }: { readonly shown: Extract<Toast, { kind: 'info' }> }) {
  const text = useText();
  useEffect(() => {
    const timer = setTimeout(() => toast.dismiss(shown.key), 10_000);
    return () => clearTimeout(timer);
  }, [shown]);
  return <p className={toastClass}>{text(shown.key, shown.values)}</p>;
}

function Lasting({ shown }: { readonly shown: Exclude<Toast, { kind: 'info' }> }) {
  const text = useText();
  return (
    <div className={toastClass}>
      {shown.kind === 'error' ? (
        <Stack>
          <p>{text(shown.key)}</p>
          <ProblemNote problem={shown.problem} />
        </Stack>
      ) : (
        <p role="alert">{text(shown.key, shown.values)}</p>
      )}
      <IconButton icon={X} label={text('notice.close')} onPress={() => toast.dismiss(shown.key)} />
    </div>
  );
}
