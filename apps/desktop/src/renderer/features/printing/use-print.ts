import { useCallback, useState } from 'react';
import { useCommand } from '../../app/keyboard.ts';
import { useNavigation } from '../../app/navigation.tsx';

/** The state of a panel, which closes when the user goes to another screen. */
export function usePanel(): {
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly close: () => void;
} {
  const { visit } = useNavigation();
  const [openedAt, setOpenedAt] = useState<number>();
  const open = useCallback(() => {
    setOpenedAt(visit);
  }, [visit]);
  const close = useCallback(() => {
    setOpenedAt(undefined);
  }, []);
  return { isOpen: openedAt === visit, open, close };
}

/** Opens the print panel by Ctrl+P. The key also counts if it was pressed while the screen was loading. */
export function usePrintKey(open: () => void): void {
  useCommand('print', open, { isEarly: true });
}
