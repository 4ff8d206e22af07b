import { Tag } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { FoundPerson, UserInfo } from '@caregate/domain';
import type { Received } from '../../../shared/channels.ts';
import { Button, KeyCap } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useAttempt } from '../../ui/use-attempt.ts';
import { useLabelPanel } from '../printing/label-button.tsx';
import type { LabelPerson } from '../printing/print-panel.tsx';
import { useMasked } from '../../app/mask.tsx';
import { isFresh, formatName } from '../patient/identity.ts';
import { resolvePerson, type Person } from '../patient/person.ts';
import { toast } from '../../app/toasts.ts';
import { callService, ServiceProblem, toProblem } from '../../api/service-call.ts';
import { formatKeys, useCommand } from '../../app/keyboard.ts';
import { useWorkspace } from '../../app/workspace.tsx';
import { useText } from '../../i18n/text.tsx';

/**
 * Prints the label of a found patient without leaving the search. It reads the patient, and the contact details only if
 * they are needed.
 */
export function FoundLabel(props: {
  readonly one: FoundPerson;
  readonly clientUserId: string;
  readonly searchedAt: string;
}) {
  const { one, clientUserId, searchedAt } = props;
  const text = useText();
  const masked = useMasked();
  const { addPerson, describe } = useWorkspace();
  const { open, panel } = useLabelPanel();
  const [gone] = useState(() => new AbortController());
  const { signal } = gone;
  useEffect(() => () => gone.abort(), [gone]);
  const { run } = useAttempt((problem) => toast.error('print.notSent', problem));
  const read = async (): Promise<LabelPerson> => {
    const person = await resolvePerson(clientUserId, signal, one.user_id);
    const label = await readLabel({ one, person, searchedAt, signal });
    if (signal.aborted) throw new ServiceProblem({ kind: 'cancelled' });
    addPerson(person);
    describe(one.user_id, { name: label.name, birthDate: label.birthDate });
    return label;
  };
  const openLabel = (): void => {
    if (masked) toast.warn('label.masked');
    else run(read, open);
  };
  useCommand('printLabel', openLabel);
  return (
    <>
      <Button kind="quiet" onPress={openLabel}>
        <Icon of={Tag} />
        {text('label.print')}
        <KeyCap isSilent keys={formatKeys('printLabel')} />
      </Button>
      {panel}
    </>
  );
}

/** If a recent search result has name and birth date, they are used. Otherwise the contact details are read. */
async function readLabel(parts: {
  readonly one: FoundPerson;
  readonly person: Person;
  readonly searchedAt: string;
  readonly signal: AbortSignal;
}): Promise<LabelPerson> {
  const { one, person, searchedAt, signal } = parts;
  const { client_user_id: clientUserId, fallback_birth_date: fallback } = person.value;
  const found = isFresh(searchedAt, person.receivedAt) ? one : undefined;
  const isEnough = Boolean(found?.name && found.birth_date);
  const info = isEnough ? undefined : await readContact(one.user_id, signal);
  return {
    clientUserId,
    name: (info && formatName(info.value)) ?? found?.name ?? undefined,
    birthDate: (info?.value.dob || found?.birth_date || fallback?.value) ?? undefined,
    recordIds: [person.auditId, info?.auditId].flatMap((id) => id ?? []),
  };
}

async function readContact(
  userId: string,
  signal: AbortSignal,
): Promise<Received<UserInfo> | undefined> {
  try {
    return await callService('userInfo', { userId }, signal);
  } catch (error) {
    if (['notFound', 'forbidden', 'notOffered'].includes(toProblem(error).kind)) return undefined;
    throw error;
  }
}
