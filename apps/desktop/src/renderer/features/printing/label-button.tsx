import { Tag } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useIntl } from 'react-intl';
import type { Label } from '../../../shared/print.ts';
import { Button, KeyCap } from '../../ui/controls.tsx';
import { formatDate } from '../../ui/values/dates.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Loading } from '../../ui/loading.tsx';
import { useMasked } from '../../app/mask.tsx';
import { toast } from '../../app/toasts.ts';
import { formatKeys, useCommand } from '../../app/keyboard.ts';
import { useText } from '../../i18n/text.tsx';
import { useRememberedLabel } from './remembered.ts';
import { usePanel } from './use-print.ts';
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
  const { print, setUp, panel } = useLabelPrint();
  const printLabel = (): void => {
    print(person);
  };
  useCommand('printLabel', printLabel, { isEarly: true });
  useCommand('setUpLabel', () => {
    setUp(person);
  });
  return (
    <>
      <Button kind="quiet" aria-label={text('label.button')} onPress={printLabel}>
        <Icon of={Tag} />
        <span>{text('label.word')}</span>
        <KeyCap isSilent keys={formatKeys('printLabel')} />
      </Button>
      {panel}
    </>
  );
}

interface LabelPrint {
  /** Prints with the printer, size and copies of the last label; opens the panel if none was printed yet. */
  readonly print: (person: LabelPerson) => void;
  readonly setUp: (person: LabelPerson) => void;
  readonly panel: ReactNode;
}

export function useLabelPrint(): LabelPrint {
  const masked = useMasked();
  const remembered = useRememberedLabel();
  const buildFor = useBuildLabel();
  const { isOpen, note, open, close } = usePanel();
  const [build, setBuild] = useState<(size: string) => Label>();
  const start = useQuickPrint();
  const openPanel = (person: LabelPerson, why?: string): void => {
    setBuild(() => buildFor(person));
    open(why);
  };
  const print = (person: LabelPerson): void => {
    if (masked) toast.warn('label.masked');
    else if (remembered === undefined) openPanel(person);
    else {
      const { printer, size, copies } = remembered;
      start({
        ...{ printer, copies, document: buildFor(person)(size) },
        openPanel: (why) => {
          openPanel(person, why);
        },
      });
    }
  };
  return {
    print,
    setUp: (person) => {
      if (masked) toast.warn('label.masked');
      else openPanel(person);
    },
    panel: isOpen && !masked && build !== undefined && (
      <Suspense fallback={<Loading />}>
        <LabelPanel build={build} note={note} onClose={close} />
      </Suspense>
    ),
  };
}

function useBuildLabel(): (person: LabelPerson) => (size: string) => Label {
  const text = useText();
  const intl = useIntl();
  return ({ clientUserId, name, birthDate, recordIds }) =>
    (size) => ({
      kind: 'label',
      size,
      language: intl.locale,
      direction: document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr',
      name: name ?? '',
      born:
        birthDate === undefined ? '' : text('label.born', { date: formatDate(intl, birthDate) }),
      clientUserId,
      recordIds: [...recordIds],
    });
}
