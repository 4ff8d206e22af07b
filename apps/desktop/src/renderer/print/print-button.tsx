import { lazy, Suspense, useCallback, useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import type { Paper } from '../../bridge/print-kinds.ts';
import type { PrintDocument } from '../../bridge/print.ts';
import { Button, KeyCap } from '../components/controls.tsx';
import { Loading } from '../components/loading.tsx';
import { ProblemNote } from '../components/problem.tsx';
import { useMasked } from '../state/mask.tsx';
import { useNavigation } from '../state/navigation.tsx';
import { useText } from '../text/text.tsx';
import type { PrintChoice } from './print-document.ts';
import { usePaper, useRemembered } from './remembered.ts';
import { useAbortOnUnmount, usePrintKey } from './use-print.ts';
import { useQuickPrint } from './use-quick-print.ts';
import styles from './print-button.module.css';

/** A part's name for the program, and for people. */
export type Parts = readonly (readonly [part: string, name: string])[];
const noParts: Parts = [];

const PrintPanel = lazy(async () => ({
  default: (await import('./print-panel.tsx')).PrintPanel,
}));

/**
 * Opens the print panel, also by Ctrl+P; the panel is loaded when it is first opened. Ctrl+Shift+P prints at once, to
 * the printer and on the paper of the last print of this kind, and says where it went.
 */
export function PrintButton(props: {
  readonly label: string;
  readonly main?: boolean;
  /** The papers that it fits on. */
  readonly papers: readonly Paper[];
  /** What of it may be printed by itself, each with its name; the first unless somebody chooses. */
  readonly parts?: Parts;
  /** Builds the document of a choice; the same function as long as the data is the same. */
  readonly build: (choice: PrintChoice) => PrintDocument;
}): ReactElement {
  const { label, main = false, papers, parts = noParts, build } = props;
  const text = useText();
  const masked = useMasked();
  const { visit } = useNavigation();
  const kind = useMemo(
    () => build({ paper: papers[0] ?? 'a4', masked }).kind,
    [build, papers, masked],
  );
  const paper = usePaper(kind, papers);
  const printer = useRemembered(kind)?.printer;
  // Going to a screen by its key, even to this one, closes the panel.
  const [opened, setOpened] = useState<{ readonly at: number; readonly note?: string }>();
  const open = useCallback(
    (note?: string) => {
      setOpened({ at: visit, ...(note !== undefined && { note }) });
    },
    [visit],
  );
  const openPlain = useCallback(() => {
    open();
  }, [open]);
  const close = useCallback(() => {
    setOpened(undefined);
  }, []);
  const gone = useAbortOnUnmount();
  const { start, told, problem } = useQuickPrint(gone.signal);
  const quick = useCallback(() => {
    start({
      printer,
      copies: 1,
      make: () => window.caregate.makePrint(build({ paper, masked })),
      openPanel: open,
    });
  }, [start, printer, build, paper, masked, open]);
  usePrintKey(openPlain, quick);
  const isOpen = opened?.at === visit;
  return (
    <>
      <PrintKeyButton label={label} main={main} onPress={openPlain} />
      <span role="status" className={styles['told']}>
        {told === undefined || isOpen ? '' : text(told.key, told.values)}
      </span>
      {problem !== undefined && !isOpen && <ProblemNote problem={problem} />}
      {isOpen && (
        <Suspense fallback={<Loading />}>
          <PrintPanel
            kind={kind}
            papers={papers}
            parts={parts}
            build={build}
            note={opened.note}
            onClose={close}
          />
        </Suspense>
      )}
    </>
  );
}

/** A button that Ctrl+P presses too, and says so. */
export function PrintKeyButton(props: {
  readonly label: string;
  readonly main?: boolean;
  readonly onPress: () => void;
}): ReactElement {
  const { label, main = false, onPress } = props;
  return (
    <Button kind={main ? 'main' : 'plain'} onPress={onPress}>
      {label} <KeyCap keys="Ctrl P" />
    </Button>
  );
}
