import { Tag } from 'lucide-react';
import { lazy, useCallback, useState } from 'react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import type { Label } from '../../bridge/print.ts';
import { Button } from '../components/controls.tsx';
import { dayText } from '../components/dates.tsx';
import { Icon } from '../components/icon.tsx';
import { useMasked } from '../state/mask.tsx';
import { useNavigation } from '../state/navigation.tsx';
import { useText } from '../text/text.tsx';
import { PrintStatus } from './print-button.tsx';
import { useRememberedLabel } from './remembered.ts';
import { useKey, usePanel } from './use-print.ts';
import { useQuickPrint } from './use-quick-print.ts';

const LabelPanel = lazy(async () => ({ default: (await import('./print-panel.tsx')).LabelPanel }));

/** Whom a label is for. */
export interface LabelPerson {
  readonly clientUserId: string;
  readonly name: string | undefined;
  /** YYYY-MM-DD */
  readonly birthDate: string | undefined;
  /** Audit records of the answers that this comes from. */
  readonly recordIds: readonly string[];
}

/** Prints a person's label, also by Ctrl+B; the panel asks the first time, and at Ctrl+Shift+B. Refused under the mask. */
export function LabelButton({ person }: { person: LabelPerson }): ReactElement {
  const text = useText();
  const masked = useMasked();
  const { visit } = useNavigation();
  const remembered = useRememberedLabel();
  const build = useBuildLabel(person);
  const [refusedAt, setRefusedAt] = useState<number>();
  const { isOpen, note, open, close } = usePanel();
  const { start, message, problem } = useQuickPrint();
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
  const isRefused = masked && refusedAt === visit;
  return (
    <>
      <Button kind="quiet" aria-label={text('label.button')} onPress={act}>
        <Icon of={Tag} />
        {text('label.word')}
      </Button>
      <PrintStatus
        message={isRefused ? text('label.masked') : message}
        problem={problem}
        isOpen={isOpen && !masked}
      >
        <LabelPanel build={build} note={note} onClose={close} />
      </PrintStatus>
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
