import { Printer } from 'lucide-react';
import { lazy, Suspense } from 'react';
import type { ReactElement } from 'react';
import type { Paper, PrintKind } from '../../../shared/print-kinds.ts';
import type { PrintDocument } from '../../../shared/print.ts';
import { Button, KeyCap } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Loading } from '../../ui/loading.tsx';
import { InHeader } from '../../app/header-slot.tsx';
import { formatKeys } from '../../app/keyboard.ts';
import { useMasked } from '../../app/mask.tsx';
import type { PrintChoice } from './print-document.ts';
import { usePaper, useRemembered } from './remembered.ts';
import { usePanel, usePrintKey } from './use-print.ts';
import { useQuickPrint } from './use-quick-print.ts';

export type Parts = readonly (readonly [part: string, name: string])[];
const noParts: Parts = [];

const PrintPanel = lazy(async () => ({
  default: (await import('./print-panel.tsx')).PrintPanel,
}));

/** Opens the print panel, also by Ctrl+P; Ctrl+Shift+P prints at once as the last print of this kind. */
export function PrintButton(props: {
  readonly label: string;
  readonly kind: PrintKind;
  readonly papers: readonly Paper[];
  /** Parts that can be printed by themselves; the first is the default. */
  readonly parts?: Parts;
  /** Builds the document of a choice; the same function as long as the data is the same. */
  readonly build: (choice: PrintChoice) => PrintDocument;
}): ReactElement {
  const { label, kind, papers, parts = noParts, build } = props;
  const masked = useMasked();
  const paper = usePaper(kind, papers);
  const printer = useRemembered(kind)?.printer;
  const { isOpen, note, open, close } = usePanel();
  const start = useQuickPrint();
  const openPlain = (): void => {
    open();
  };
  usePrintKey(openPlain, () => {
    start({ printer, copies: 1, document: build({ paper, masked }), openPanel: open });
  });
  return (
    <>
      <PrintKeyButton label={label} onPress={openPlain} />
      {isOpen && (
        <Suspense fallback={<Loading />}>
          <PrintPanel
            kind={kind}
            papers={papers}
            parts={parts}
            build={build}
            note={note}
            onClose={close}
          />
        </Suspense>
      )}
    </>
  );
}

export function PrintKeyButton(props: {
  readonly label: string;
  readonly onPress: () => void;
}): ReactElement {
  const { label, onPress } = props;
  return (
    <InHeader slot="print">
      <Button kind="quiet" onPress={onPress}>
        <Icon of={Printer} />
        <span>{label}</span>
        <KeyCap keys={formatKeys('print')} />
      </Button>
    </InHeader>
  );
}
