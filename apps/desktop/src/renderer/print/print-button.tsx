import { lazy, Suspense, useCallback, useState } from 'react';
import type { ReactElement } from 'react';
import type { Paper, PrintDocument } from '../../bridge/print.ts';
import { Button } from '../components/controls.tsx';
import { Loading } from '../components/loading.tsx';
import { useNavigation } from '../state/navigation.tsx';
import type { PrintChoice } from './print-document.ts';
import { usePrintKey } from './use-print.ts';

const PrintPanel = lazy(async () => ({
  default: (await import('./print-panel.tsx')).PrintPanel,
}));

/** Opens the print panel, also by Ctrl+P; the panel is loaded when it is first opened. */
export function PrintButton(props: {
  readonly label: string;
  readonly main?: boolean;
  /** The papers that it fits on. */
  readonly papers: readonly Paper[];
  /** Builds the document of a choice; the same function as long as the data is the same. */
  readonly build: (choice: PrintChoice) => PrintDocument;
}): ReactElement {
  const { label, main = false, papers, build } = props;
  const { visit } = useNavigation();
  // Going to a screen by its key, even to this one, closes the panel.
  const [openedAt, setOpenedAt] = useState<number>();
  const isOpen = openedAt === visit;
  const open = useCallback(() => {
    setOpenedAt(visit);
  }, [visit]);
  const close = useCallback(() => {
    setOpenedAt(undefined);
  }, []);
  usePrintKey(open);
  return (
    <>
      <Button kind={main ? 'main' : 'plain'} onPress={open}>
        {label}
      </Button>
      {isOpen && (
        <Suspense fallback={<Loading />}>
          <PrintPanel papers={papers} build={build} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
