import type { ReactElement } from 'react';
import { Button } from '../../components/controls.tsx';
import { useSettings } from '../../state/app-state.ts';
import { unwrap } from '../../state/service-call.ts';
import { Quiet, Stack } from '../../components/layout.tsx';
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
    <Stack as="section" gap="gap1" aria-label={text('settings.labels')}>
      <h2 className={styles['label']}>{text('settings.labels')}</h2>
      <Quiet as="p" size="help">
        {label === undefined
          ? text('settings.labelsNone')
          : text('settings.labelsNow', {
              printer: label.printer,
              size: label.size.replace('x', ' × '),
              copies: label.copies,
            })}
      </Quiet>
      {label !== undefined && (
        <div>
          <Button onPress={forget}>{text('settings.forget')}</Button>
        </div>
      )}
    </Stack>
  );
}
