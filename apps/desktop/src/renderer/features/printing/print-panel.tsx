import { X } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import type { ComponentProps, ReactElement, ReactNode } from 'react';
import { Heading } from 'react-aria-components/Heading';
import { Row } from '../../ui/layout.tsx';
import type { Paper, PrintKind } from '../../../shared/print-kinds.ts';
import type { Label, PrintDocument } from '../../../shared/print.ts';
import { IconButton } from '../../ui/controls.tsx';
import { Overlay } from '../../ui/overlay.tsx';
import { ProblemNote } from '../../ui/problem.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Banner } from '../../ui/surfaces.tsx';
import { useMasked } from '../../app/mask.tsx';
import { useText } from '../../i18n/text.tsx';
import type { Parts } from './print-button.tsx';
import { PrintActions } from './print-actions.tsx';
import type { PrintChoice } from './print-document.ts';
import { PrintPreview } from './print-preview.tsx';
import {
  rememberDocument,
  rememberLabel,
  useLabelSizes,
  usePaper,
  useRemembered,
  useRememberedLabel,
} from './remembered.ts';
import { useMade } from './use-print.ts';
import type { Makeable } from './use-print.ts';
import styles from './print-panel.module.css';

interface PanelProps {
  readonly note: string | undefined;
  readonly onClose: () => void;
}

export function PrintPanel(
  props: PanelProps & {
    readonly kind: PrintKind;
    readonly papers: readonly Paper[];
    readonly parts: Parts;
    readonly build: (choice: PrintChoice) => PrintDocument;
  },
): ReactElement {
  const { kind, papers, parts, build, ...panel } = props;
  const text = useText();
  const screenIsMasked = useMasked();
  const remembered = useRemembered(kind);
  const usual = usePaper(kind, papers);
  const [paper, setPaper] = useState(usual);
  const [masked, setMasked] = useState(screenIsMasked);
  const [part, setPart] = useState(parts[0]?.[0]);
  const document = useMemo(
    () => build({ paper, masked, ...(part !== undefined && { part }) }),
    [build, paper, masked, part],
  );
  return (
    <Panel
      {...panel}
      title={text('print.send')}
      making={useMade(document, window.caregate.makePrint)}
      printer={remembered?.printer}
      onSent={({ printer = remembered?.printer }) =>
        rememberDocument({ kind, paper, ...(printer !== undefined && { printer }) })
      }
    >
      {parts.length > 1 && part !== undefined && (
        <SegmentedControl
          label={text('print.part')}
          value={part}
          options={parts}
          onChange={setPart}
        />
      )}
      <SegmentedControl
        label={text('print.paper')}
        value={paper}
        options={papers.map((one) => [one, text(`print.paper.${one}`)])}
        onChange={setPaper}
      />
      <SegmentedControl
        label={text('print.values')}
        value={masked ? 'masked' : 'shown'}
        options={[
          ['shown', text('print.values.shown')],
          ['masked', text('print.values.masked')],
        ]}
        onChange={(value) => {
          setMasked(value === 'masked');
        }}
      />
    </Panel>
  );
}

export function LabelPanel(
  props: PanelProps & { readonly build: (size: string) => Label },
): ReactElement {
  const { build, ...panel } = props;
  const text = useText();
  const sizes = useLabelSizes();
  const remembered = useRememberedLabel();
  const [size, setSize] = useState(remembered?.size ?? sizes[0] ?? '');
  const label = useMemo(() => build(size), [build, size]);
  return (
    <Panel
      {...panel}
      title={text('label.title')}
      making={useMade(label, window.caregate.makeLabel)}
      printer={remembered?.printer}
      copies={remembered?.copies ?? 1}
      onSent={async ({ printer, copies }) => {
        if (printer !== undefined) await rememberLabel({ printer, size, copies });
      }}
    >
      <SegmentedControl
        label={text('label.size')}
        value={size}
        options={sizes.map((one) => [one, text('label.mm', { size: one.replace('x', ' × ') })])}
        onChange={setSize}
      />
    </Panel>
  );
}

function Panel(
  props: PanelProps &
    Omit<ComponentProps<typeof PrintActions>, keyof Makeable | 'onDone'> & {
      readonly title: string;
      readonly making: Makeable;
      readonly children: ReactNode;
    },
): ReactElement {
  const { title, note, onClose, making, children, ...actions } = props;
  const { made, problem, again } = making;
  const text = useText();
  const close = useRef<HTMLButtonElement>(null);
  return (
    <Overlay place="side" onClose={onClose} className={`column ${styles['panel'] ?? ''}`}>
      <Row className={styles['head']}>
        <Heading slot="title">{title}</Heading>
        <IconButton ref={close} icon={X} label={text('notice.close')} onPress={onClose} />
      </Row>
      {note !== undefined && (
        <Banner kind="notice" role="alert" className={styles['note']}>
          {note}
        </Banner>
      )}
      {problem !== undefined && <ProblemNote problem={problem} />}
      <div className={`stack gap2 ${styles['choices'] ?? ''}`}>{children}</div>
      <PrintPreview id={made?.id} isFailed={problem !== undefined} />
      <PrintActions
        {...actions}
        made={made}
        again={again}
        // One more Enter closes the panel; it neither saves nor prints once more.
        onDone={() => close.current?.focus()}
      />
    </Overlay>
  );
}
