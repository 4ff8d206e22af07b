import type { ReactElement } from 'react';
import type { ZoomStep } from '../../../bridge/app-state.ts';
import { Button } from '../../components/controls.tsx';
import { Row, Stack } from '../../components/layout.tsx';
import { useText } from '../../text/text.tsx';
import type { MessageKey } from '../../text/text.tsx';
import styles from './settings.module.css';

const steps: readonly (readonly [ZoomStep, MessageKey])[] = [
  ['out', 'keys.zoomOut'],
  ['in', 'keys.zoomIn'],
  ['reset', 'keys.zoomReset'],
];

/** The zoom of every window, in per cent, by the steps that Ctrl+Plus, Minus and 0 have. */
export function Zoom(props: { readonly zoom: number; readonly isDisabled: boolean }): ReactElement {
  const { zoom, isDisabled } = props;
  const text = useText();
  return (
    <Stack gap="gap1" role="group" aria-label={text('settings.zoom')}>
      <span className={styles['label']}>{text('settings.zoom')}</span>
      <Row>
        <span role="status">{text('settings.zoomNow', { zoom: zoom / 100 })}</span>
        {steps.map(([step, label]) => (
          <Button
            key={step}
            isDisabled={isDisabled}
            onPress={() => void window.caregate.zoom({ step })}
          >
            {text(label)}
          </Button>
        ))}
      </Row>
    </Stack>
  );
}
