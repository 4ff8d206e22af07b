import { Tag } from 'lucide-react';
import { lazy, Suspense, useCallback } from 'react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import type { Label } from '../../bridge/print.ts';
import { Button } from '../components/controls.tsx';
import { dayText } from '../components/values/dates.tsx';
import { Icon } from '../components/icon.tsx';
import { Loading } from '../components/loading.tsx';
import { useMasked } from '../state/mask.tsx';
import { warn } from '../state/say.ts';
import { useShortcuts } from '../state/shortcuts.ts';
import { useText } from '../text/text.tsx';
import { useRememberedLabel } from './remembered.ts';
import { once, useEarlyShortcut, usePanel } from './use-print.ts';
import { useQuickPrint } from './use-quick-print.ts';

const LabelPanel = lazy(async () => ({ default: (await import('./print-panel.tsx')).LabelPanel }));

export interface LabelPerson {
  readonly clientUserId: string;
  readonly name: string | undefined;
  /** YYYY-MM-DD */
  readonly birthDate: string | undefined;
  /** Audit records of the answers that this comes from. */
  readonly recordIds: readonly string[];
}

/** Prints at once by Ctrl+B; the panel asks the first time, and at Ctrl+Shift+B. Refused under the mask. */
export function LabelButton({ person }: { person: LabelPerson }): ReactElement {
  const text = useText();
  const masked = useMasked();
  const remembered = useRememberedLabel();
  const build = useBuildLabel(person);
  const { isOpen, note, open, close } = usePanel();
  const start = useQuickPrint();
  const act = (): void => {
    if (masked) warn('label.masked');
    else if (remembered === undefined) open();
    else {
      const { printer, size, copies } = remembered;
      const make = () => window.caregate.makeLabel(build(size));
      start({ printer, copies, openPanel: open, make });
    }
  };
  useEarlyShortcut('Ctrl+KeyB', act);
  useShortcuts({ 'Ctrl+Shift+KeyB': once(masked ? act : open) });
  return (
    <>
      <Button kind="quiet" aria-label={text('label.button')} onPress={act}>
        <Icon of={Tag} />
        {text('label.word')}
      </Button>
      {isOpen && !masked && (
        <Suspense fallback={<Loading />}>
          <LabelPanel build={build} note={note} onClose={close} />
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
      born: birthDate === undefined ? '' : text('label.born', { date: dayText(intl, birthDate) }),
      clientUserId,
      recordIds: records === '' ? [] : records.split(' '),
    }),
    [intl, text, clientUserId, name, birthDate, records],
  );
}
