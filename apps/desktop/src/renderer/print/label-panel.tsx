import { useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import type { Label } from '../../bridge/print.ts';
import { SegmentedControl } from '../components/segmented-control.tsx';
import { useText } from '../text/text.tsx';
import { PrintActions } from './print-actions.tsx';
import { PrintAside } from './print-aside.tsx';
import { PrintPreview } from './print-preview.tsx';
import { rememberLabel, useLabelSizes, useRememberedLabel } from './remembered.ts';
import { usePdf } from './use-pdf.ts';
import { useLabel } from './use-print.ts';
import styles from './print-panel.module.css';

/** Where labels go: printer, size and copies, asked for once and kept for the key. */
export function LabelPanel(props: {
  /** Of this size; the same function as long as the person is the same. */
  readonly build: (size: string) => Label;
  readonly note?: string | undefined;
  readonly onClose: () => void;
}): ReactElement {
  const { build, note, onClose } = props;
  const text = useText();
  const sizes = useLabelSizes();
  const remembered = useRememberedLabel();
  const [size, setSize] = useState(remembered?.size ?? sizes[0] ?? '');
  const label = useMemo(() => build(size), [build, size]);
  const { made, problem, again } = useLabel(label);
  const { pages, failed = false } = usePdf(made?.id);
  return (
    <PrintAside title={text('label.title')} note={note} problem={problem} onClose={onClose}>
      <div className={styles['choices']}>
        <SegmentedControl
          label={text('label.size')}
          value={size}
          options={sizes.map((one) => [one, text('label.mm', { size: one.replace('x', ' × ') })])}
          onChange={setSize}
        />
      </div>
      <PrintPreview pages={pages} failed={failed || problem !== undefined} />
      <PrintActions
        made={made}
        again={again}
        printer={remembered?.printer}
        copies={remembered?.copies ?? 1}
        onSent={async ({ printer, copies }) => {
          if (printer !== undefined) await rememberLabel({ printer, size, copies });
        }}
      />
    </PrintAside>
  );
}
