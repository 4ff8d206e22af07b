import { Printer } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Button, KeyCap } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Loading } from '../../ui/loading.tsx';
import { InHeader } from '../../app/header-slot.tsx';
import { formatKeys, useCommand } from '../../app/keyboard.ts';
import { useNavigation } from '../../app/navigation.tsx';
import type { LabelPerson, PrintableDocument } from './print-panel.tsx';

export const PrintPanel = lazy(() => import('./print-panel.tsx'));

/** Opens the print panel of a document. */
export function PrintButton(
  props: PrintableDocument & {
    readonly name: string;
    /** The patient whose label can be printed instead. */
    readonly label?: LabelPerson | undefined;
  },
) {
  const { name, label, ...document } = props;
  const { isOpen, open, close } = usePanel();
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

export function PrintKeyButton(props: { readonly name: string; readonly onPress: () => void }) {
  const { name, onPress } = props;
  useCommand('print', onPress, { isEarly: true });
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

/** The state of a panel, which closes when the user goes to another screen. */
export function usePanel() {
  const { visit } = useNavigation();
  const [openedAt, setOpenedAt] = useState<number>();
  return {
    isOpen: openedAt === visit,
    open: () => setOpenedAt(visit),
    close: () => setOpenedAt(undefined),
  };
}
