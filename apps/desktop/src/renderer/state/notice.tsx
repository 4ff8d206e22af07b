import { useCallback, useMemo, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { workspaceContext } from './context.ts';
import { useNavigation } from './navigation.tsx';

/** An alert about a scan or a command; each has a sentence in the catalogues (`notice.<notice>`). */
export type Notice = 'broken' | 'nothingToPrint';

interface NoticeState {
  /** Of this visit to the screen. */
  readonly notice: Notice | undefined;
  readonly show: (notice: Notice | undefined) => void;
  /** Shows the notice on the next visit as well. */
  readonly carryOver: () => void;
}

const [NoticeContext, useNotice] = workspaceContext<NoticeState>();
export { useNotice };

export function NoticeProvider({ children }: { children: ReactNode }): ReactElement {
  const { visit } = useNavigation();
  const [shown, setShown] = useState<{ readonly notice: Notice; readonly visit: number }>();
  const show = useCallback(
    (notice: Notice | undefined) => {
      setShown(notice && { notice, visit });
    },
    [visit],
  );
  const carryOver = useCallback(() => {
    setShown((before) => before && { ...before, visit: before.visit + 1 });
  }, []);
  const notice = shown?.visit === visit ? shown.notice : undefined;
  const value = useMemo(() => ({ notice, show, carryOver }), [notice, show, carryOver]);
  return <NoticeContext value={value}>{children}</NoticeContext>;
}
