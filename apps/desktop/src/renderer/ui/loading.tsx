import { useAfter } from './hooks.ts';
import { useText, type MessageKey } from '../i18n/text.tsx';
import { Button } from './controls.tsx';
import { Stack, VisuallyHidden } from './layout.tsx';
import styles from './states.module.css';

/** Shows a placeholder after 150 ms. After 5 s, it shows what is loading and a Cancel button. */
export function Loading(props: {
  readonly what?: MessageKey;
  readonly rows?: number;
  readonly onCancel?: () => void;
}) {
  const { what, rows = 2, onCancel } = props;
  const text = useText();
  const shown = useAfter(150);
  const slow = useAfter(5000);
  if (!shown) return null;
  return (
    <Stack gap="gap3" role="status" className={styles['waiting']}>
      {slow ? (
        <span>
          {what === undefined ? text('state.slow') : text('state.slowFor', { what: text(what) })}
        </span>
      ) : (
        <VisuallyHidden>{text('state.loading')}</VisuallyHidden>
      )}
      {Array.from({ length: rows }, (_none, row) => (
        <span key={row} aria-hidden="true" className={styles['bar']} />
      ))}
      {slow && onCancel !== undefined && <Button onPress={onCancel}>{text('state.cancel')}</Button>}
    </Stack>
  );
}
