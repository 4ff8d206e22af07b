import { Tag } from 'lucide-react';
import { lazy, Suspense, useCallback, useState } from 'react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import type { Label } from '../../bridge/print.ts';
import { Button } from '../components/controls.tsx';
import { dayText } from '../components/dates.tsx';
import { Icon } from '../components/icon.tsx';
import { Loading } from '../components/loading.tsx';
import { ProblemNote } from '../components/problem.tsx';
import { useMasked } from '../state/mask.tsx';
import { useNavigation } from '../state/navigation.tsx';
import { useText } from '../text/text.tsx';
import { useRememberedLabel } from './remembered.ts';
import { useAbortOnUnmount, useKey } from './use-print.ts';
import { useQuickPrint } from './use-quick-print.ts';
import styles from './print-button.module.css';

const LabelPanel = lazy(async () => ({ default: (await import('./label-panel.tsx')).LabelPanel }));

/** Whom a label is for. */
export interface LabelPerson {
  readonly clientUserId: string;
  /** As it came; undefined where none is known. */
  readonly name: string | undefined;
  /** YYYY-MM-DD */
  readonly birthDate: string | undefined;
  /** Of the answers that this comes from. */
  readonly recordIds: readonly string[];
}

/**
 * Prints a person's label, also by Ctrl+B: straight to the label printer once it was set up, which the first time asks
 * for; Ctrl+Shift+B asks again. Under the mask it says why it doesn't.
 */
export function LabelButton({ person }: { person: LabelPerson }): ReactElement {
  const text = useText();
  const masked = useMasked();
  const { visit } = useNavigation();
  const remembered = useRememberedLabel();
  const build = useBuildLabel(person);
  const [opened, setOpened] = useState<{ readonly at: number; readonly note?: string }>();
  const [refusedAt, setRefusedAt] = useState<number>();
  const gone = useAbortOnUnmount();
  const { start, told, problem } = useQuickPrint(gone.signal);
  const open = useCallback(
    (note?: string) => {
      setOpened({ at: visit, ...(note !== undefined && { note }) });
    },
    [visit],
  );
  const close = useCallback(() => {
    setOpened(undefined);
  }, []);
  const act = useCallback(() => {
    setRefusedAt(masked ? visit : undefined);
    if (masked) return;
    if (remembered === undefined) {
      open();
      return;
    }
    const { printer, size, copies } = remembered;
    start({
      ...{ printer, copies, openPanel: open },
      make: () => window.caregate.makeLabel(build(size)),
    });
  }, [masked, visit, remembered, open, start, build]);
  const onKey = useCallback(
    (event: KeyboardEvent) => {
      if (event.repeat) return;
      if (event.shiftKey && !masked) open();
      else act();
    },
    [act, masked, open],
  );
  useKey('b', onKey);
  const isOpen = opened?.at === visit && !masked;
  const said = masked && refusedAt === visit ? text('label.masked') : undefined;
  return (
    <>
      <Button kind="quiet" aria-label={text('label.button')} onPress={act}>
        <Icon of={Tag} />
        {text('label.word')}
      </Button>
      <span role="status" className={styles['told']}>
        {said ?? (told === undefined || isOpen ? '' : text(told.key, told.values))}
      </span>
      {problem !== undefined && !isOpen && <ProblemNote problem={problem} />}
      {isOpen && (
        <Suspense fallback={<Loading />}>
          <LabelPanel build={build} note={opened.note} onClose={close} />
        </Suspense>
      )}
    </>
  );
}

function useBuildLabel({ clientUserId, name, birthDate, recordIds }: LabelPerson) {
  const text = useText();
  const intl = useIntl();
  const records = recordIds.join(' ');
  return useCallback(
    (size: string): Label => ({
      size,
      language: intl.locale,
      direction: document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr',
      name: name ?? '',
      born:
        birthDate === undefined
          ? ''
          : text('label.born', { date: dayText(intl, birthDate) ?? birthDate }),
      clientUserId,
      recordIds: records === '' ? [] : records.split(' '),
    }),
    [intl, text, clientUserId, name, birthDate, records],
  );
}
