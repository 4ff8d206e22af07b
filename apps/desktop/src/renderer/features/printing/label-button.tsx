import { Tag } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Button, KeyCap } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Loading } from '../../ui/loading.tsx';
import { useMasked } from '../../app/mask.tsx';
import { toast } from '../../app/toasts.ts';
import { formatKeys, useCommand } from '../../app/keyboard.ts';
import { useText } from '../../i18n/text.tsx';
import { useIdentity, useUserInfo } from '../patient/identity.ts';
import type { Person } from '../patient/person.ts';
import { PrintPanel, usePanel } from './print-button.tsx';
import type { LabelPerson } from './print-panel.tsx';

/** Returns the label of the open patient; undefined while the name is loading. */
export function useLabelPerson(person: Person | undefined): LabelPerson | undefined {
  const { name, birthDate, isPending } = useIdentity(person);
  const { data: info } = useUserInfo(person, { isStored: true });
  if (person === undefined || isPending) return undefined;
  const recordIds = [person.auditId, info?.auditId].flatMap((id) => id ?? []);
  return { clientUserId: person.value.client_user_id, name, birthDate, recordIds };
}

export function PersonLabel({ person }: { readonly person: Person }) {
  const label = useLabelPerson(person);
  return label === undefined ? null : <LabelButton label={label} />;
}

/** Opens the print panel with the patient's label. */
function LabelButton({ label }: { readonly label: LabelPerson }) {
  const text = useText();
  const { open, panel } = useLabelPanel();
  const openLabel = (): void => open(label);
  useCommand('printLabel', openLabel, { isEarly: true });
  return (
    <>
      <Button kind="quiet" onPress={openLabel}>
        <Icon of={Tag} />
        <span>{text('label.word')}</span>
        <KeyCap keys={formatKeys('printLabel')} />
      </Button>
      {panel}
    </>
  );
}

/** A label names the patient, so it can't be printed while the mask is on. */
export function useLabelPanel() {
  const masked = useMasked();
  const { isOpen, open, close } = usePanel();
  const [label, setLabel] = useState<LabelPerson>();
  return {
    open: (person: LabelPerson) => {
      if (masked) toast.warn('label.masked');
      else {
        setLabel(person);
        open();
      }
    },
    panel: isOpen && !masked && label !== undefined && (
      <Suspense fallback={<Loading />}>
        <PrintPanel label={label} onClose={close} />
      </Suspense>
    ),
  };
}
