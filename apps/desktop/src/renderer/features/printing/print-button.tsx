import { Printer } from 'lucide-react';
import { lazy, Suspense } from 'react';
import type { ReactElement } from 'react';
import { Button, KeyCap } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Loading } from '../../ui/loading.tsx';
import { InHeader } from '../../app/header-slot.tsx';
import { formatKeys } from '../../app/keyboard.ts';
import type { LabelPerson, PrintableDocument } from './print-panel.tsx';
import { usePanel, usePrintKey } from './use-print.ts';

const PrintPanel = lazy(async () => ({
  default: (await import('./print-panel.tsx')).PrintPanel,
}));

/** Opens the print panel of a document. */
export function PrintButton(
  props: PrintableDocument & {
    readonly name: string;
    /** The patient whose label can be printed instead. */
    readonly label?: LabelPerson | undefined;
  },
): ReactElement {
  const { name, label, ...document } = props;
  const { isOpen, open, close } = usePanel();
  usePrintKey(open);
  return (
    <>
      <PrintKeyButton name={name} onPress={open} />
      {isOpen && (
        <Suspense fallback={<Loading />}>
          <PrintPanel document={document} label={label} onClose={close} />
        </Suspense>
      )}
    </>
  );
}

export function PrintKeyButton(props: {
  readonly name: string;
  readonly onPress: () => void;
}): ReactElement {
  const { name, onPress } = props;
  return (
    <InHeader slot="print">
      <Button kind="quiet" onPress={onPress}>
        <Icon of={Printer} />
        <span>{name}</span>
        <KeyCap keys={formatKeys('print')} />
      </Button>
    </InHeader>
  );
}
