import { useCallback } from 'react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import type { Insurance, LabOrderResult, OrderHistory } from '@caregate/domain';
import type { Received } from '../../../shared/channels.ts';
import { formatDate, formatDateTime } from '../../ui/values/dates.tsx';
import { useIdentity } from '../patient/identity.ts';
import type { Identity } from '../patient/identity.ts';
import type { Person } from '../patient/person.ts';
import { useText } from '../../i18n/text.tsx';
import { useLabelPerson } from '../printing/label-button.tsx';
import { PrintButton, PrintKeyButton } from '../printing/print-button.tsx';
import { usePrintFrame } from '../printing/print-document.ts';
import type { PrintChoice } from '../printing/print-document.ts';
import type { LabelPerson } from '../printing/print-panel.tsx';
import { usePrintKey } from '../printing/use-print.ts';
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

export function LabPrint(props: LabPrintProps): ReactElement {
  const { gate, person } = props;
  if (gate.isBlocked) return <Blocked onAttempt={gate.onAttempt} />;
  return person === undefined ? <Print {...props} /> : <OfPerson {...props} person={person} />;
}

function Blocked({ onAttempt }: Pick<IdentityGate, 'onAttempt'>): ReactElement {
  const text = useText();
  const refuse = (): void => {
    onAttempt('print');
  };
  usePrintKey(refuse);
  return <PrintKeyButton name={text('print.send')} onPress={refuse} />;
}

function OfPerson(props: LabPrintProps & { readonly person: Person }): ReactElement | null {
  const identity = useIdentity(props.person);
  const { patient, dob } = props.received.value.metadata;
  const label = useLabelPerson(props.person);
  // The name may still be loading.
  if (identity.isPending && !(patient && dob)) return null;
  return <Print {...props} {...identity} label={label} />;
}

function Print(
  props: LabPrintProps & Partial<Identity> & { readonly label?: LabelPerson | undefined },
): ReactElement {
  const {
    orderId,
    received,
    person,
    birthDates,
    name,
    birthDate,
    insurance,
    gate,
    correction,
    history,
  } = props;
  const { reason } = gate;
  const text = useText();
  const intl = useIntl();
  const createFrame = usePrintFrame();
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
  const parts = [
    ['all', text('labs.print.all')],
    ['abnormal', text('labs.print.abnormal')],
  ] as const;
  return (
    <PrintButton
      name={text('print.send')}
      kind="labs"
      parts={parts}
      build={build}
      label={props.label}
    />
  );
}
