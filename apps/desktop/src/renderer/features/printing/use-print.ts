import { useCallback, useState } from 'react';
import { useCommand } from '../../app/keyboard.ts';
import { useNavigation } from '../../app/navigation.tsx';

/** Open only during the visit of a screen that opened it. */
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

/** Ctrl+P, also a moment before the part that prints is shown. */
export function usePrintKey(open: () => void): void {
  useCommand('print', open, { isEarly: true });
}
