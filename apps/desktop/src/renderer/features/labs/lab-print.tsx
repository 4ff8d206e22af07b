import { useCallback } from 'react';
import { useIntl } from 'react-intl';
import type { Insurance, LabOrderResult, OrderHistory } from '@caregate/domain';
import type { Received } from '../../../shared/channels.ts';
import { formatDate, formatDateTime } from '../../ui/values/dates.tsx';
import { useIdentity } from '../patient/identity.ts';
import type { Person } from '../patient/person.ts';
import { useText } from '../../i18n/text.tsx';
import { useLabelPerson } from '../printing/label-button.tsx';
import { PrintButton, PrintKeyButton } from '../printing/print-button.tsx';
import { usePrintFrame, type PrintChoice } from '../printing/print-document.ts';
import type { Correction } from './history/corrections.ts';
import { createFindEarlier } from './history/earlier-values.ts';
import type { IdentityGate } from './identity/identity-gate.ts';
import { buildLabDocument } from './lab-document.ts';

interface LabPrintProps {
  readonly orderId: string;
  readonly received: Received<LabOrderResult>;
  readonly person: Person | undefined;
  readonly birthDates: readonly string[] | undefined;
  readonly insurance: Insurance | undefined;
  readonly gate: IdentityGate;
  readonly correction: Correction;
  readonly history: Received<OrderHistory> | undefined;
}

export function LabPrint(props: LabPrintProps) {
  const { orderId, received, person, birthDates, insurance, gate, correction, history } = props;
  const { reason, isBlocked, onAttempt } = gate;
  const text = useText();
  const intl = useIntl();
  const createFrame = usePrintFrame();
  const { name, birthDate, isPending } = useIdentity(person);
  const label = useLabelPerson(person);
  const build = useCallback(
    (choice: PrintChoice) =>
      buildLabDocument({
        result: received.value,
        orderId,
        birthDates,
        patient: person && {
          name,
          born: birthDate && formatDate(intl, birthDate),
          clientUserId: person.value.client_user_id,
        },
        insurance,
        reason,
        correction,
        findEarlier: history && createFindEarlier(history.value, received.value.results),
        isAbnormalOnly: choice.part === 'abnormal',
        masked: choice.masked,
        frame: createFrame(
          choice,
          [received, history].flatMap((read) => read?.auditId ?? []),
        ),
        text,
        day: (date) => formatDate(intl, date),
        moment: (at) => formatDateTime(intl, at),
      }),
    [
      received,
      orderId,
      person,
      birthDates,
      name,
      birthDate,
      insurance,
      reason,
      correction,
      history,
      createFrame,
      text,
      intl,
    ],
  );
  if (isBlocked) {
    const refuse = (): void => onAttempt('print');
    return <PrintKeyButton name={text('print.send')} onPress={refuse} />;
  }
  const { patient, dob } = received.value.metadata;
  // The name may still be loading.
  if (isPending && !(patient && dob)) return null;
  const parts = [
    ['all', text('labs.print.all')],
    ['abnormal', text('labs.print.abnormal')],
  ] as const;
  return (
    <PrintButton name={text('print.send')} kind="labs" parts={parts} build={build} label={label} />
  );
}
