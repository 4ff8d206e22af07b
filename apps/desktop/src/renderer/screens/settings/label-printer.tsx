import type { ReactElement } from 'react';
import { Button } from '../../components/controls.tsx';
import { useSettings } from '../../state/app-state.ts';
import { unwrap } from '../../state/service-call.ts';
import { useText } from '../../text/text.tsx';
import styles from './settings.module.css';

/** Where labels go by their key; it is chosen with the first label, and again once it is forgotten here. */
export function LabelPrinter(): ReactElement {
  const text = useText();
  const settings = useSettings();
  const { label, documents } = settings.prints;
  const forget = (): void => {
    const prints = { documents };
    void unwrap(window.caregate.saveSettings({ ...settings, prints })).catch(() => undefined);
  };
  return (
    <section aria-label={text('settings.labels')} className={styles['group']}>
      <h2 className={styles['label']}>{text('settings.labels')}</h2>
      <p className={styles['quiet']}>
        {label === undefined
          ? text('settings.labelsNone')
          : text('settings.labelsNow', {
              printer: label.printer,
              size: label.size.replace('x', ' × '),
              copies: label.copies,
            })}
      </p>
      {label !== undefined && (
        <div>
          <Button onPress={forget}>{text('settings.forget')}</Button>
        </div>
      )}
    </section>
  );
}
