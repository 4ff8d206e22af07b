import { useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import type { Paper, PrintKind } from '../../bridge/print-kinds.ts';
import type { PrintDocument } from '../../bridge/print.ts';
import { SegmentedControl } from '../components/segmented-control.tsx';
import { useMasked } from '../state/mask.tsx';
import { useText } from '../text/text.tsx';
import type { Parts } from './print-button.tsx';
import { PrintActions } from './print-actions.tsx';
import { PrintAside } from './print-aside.tsx';
import type { PrintChoice } from './print-document.ts';
import { PrintPreview } from './print-preview.tsx';
import { rememberDocument, usePaper, useRemembered } from './remembered.ts';
import { usePdf } from './use-pdf.ts';
import { usePrint } from './use-print.ts';
import styles from './print-panel.module.css';

/** The print panel: preview, paper, masking, printing and saving. It begins as the last print of this kind was. */
export function PrintPanel(props: {
  readonly kind: PrintKind;
  /** The papers that it fits on. */
  readonly papers: readonly Paper[];
  readonly parts: Parts;
  /** Builds the document of a choice; the same function as long as the data is the same. */
  readonly build: (choice: PrintChoice) => PrintDocument;
  /** Why a quick print opened it. */
  readonly note?: string | undefined;
  readonly onClose: () => void;
}): ReactElement {
  const { kind, papers, parts, build, note, onClose } = props;
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
  const { made, problem, again } = usePrint(document);
  const { pages, failed = false } = usePdf(made?.id);
  return (
    <PrintAside title={text('print.title')} note={note} problem={problem} onClose={onClose}>
      <div className={styles['choices']}>
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
      </div>
      <PrintPreview pages={pages} failed={failed || problem !== undefined} />
      <PrintActions
        made={made}
        again={again}
        printer={remembered?.printer}
        onSent={({ printer = remembered?.printer }) =>
          rememberDocument({ kind, paper, ...(printer !== undefined && { printer }) })
        }
      />
    </PrintAside>
  );
}
