import { X } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { createPortal } from 'react-dom';
import type { Problem } from '../../bridge/problem.ts';
import { Button } from '../components/controls.tsx';
import { Icon } from '../components/icon.tsx';
import { ProblemNote } from '../components/problem.tsx';
import { useText } from '../text/text.tsx';
import styles from './print-panel.module.css';

/** A panel beside the page, or instead of it in a narrow window. Escape closes it and returns the focus. */
export function PrintAside(props: {
  readonly title: string;
  readonly note: string | undefined;
  readonly problem: Problem | undefined;
  readonly onClose: () => void;
  readonly children: ReactNode;
}): ReactElement {
  const { title, note, problem, onClose, children } = props;
  const text = useText();
  const id = useId();
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    panel.current?.focus();
    return () => {
      const isLost = document.activeElement === null || document.activeElement === document.body;
      if (isLost && before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      // A dialog over it gets the key.
      if (document.querySelector('[role="dialog"]:not([data-print])') !== null) return;
      onClose();
    };
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener('keydown', onKey);
    };
  }, [onClose]);
  return createPortal(
    <section
      ref={panel}
      role="dialog"
      data-print=""
      aria-labelledby={id}
      tabIndex={-1}
      className={styles['panel'] ?? ''}
    >
      <div className={styles['head']}>
        <h2 id={id}>{title}</h2>
        <Button kind="icon" aria-label={text('print.close')} onPress={onClose}>
          <Icon of={X} />
        </Button>
      </div>
      {note !== undefined && (
        <p role="alert" className={styles['note']}>
          {note}
        </p>
      )}
      {problem !== undefined && <ProblemNote problem={problem} />}
      {children}
    </section>,
    document.querySelector('main')?.parentElement ?? document.body,
  );
}
