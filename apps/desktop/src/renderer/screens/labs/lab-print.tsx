import { useCallback } from 'react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import type { Insurance, LabOrderResult } from '@caregate/domain';
import type { Received } from '../../../bridge/channels.ts';
import { dayText, momentText } from '../../components/dates.tsx';
import { useIdentity } from '../../state/people/identity.ts';
import type { Person } from '../../state/person.ts';
import { useText } from '../../text/text.tsx';
import { PrintButton, PrintKeyButton } from '../../print/print-button.tsx';
import { usePrintFrame } from '../../print/print-document.ts';
import type { PrintChoice } from '../../print/print-document.ts';
import { usePrintKey } from '../../print/use-print.ts';
import type { IdentityGate } from './identity/identity-gate.ts';
import { labDocument } from './lab-document.ts';

/** A card has no room for results. */
const papers = ['a4', 'letter'] as const;

/** Prints the summary of an order's result, where it may be printed under the person who is open. */
export function LabPrint(props: {
  readonly orderId: string;
  readonly received: Received<LabOrderResult>;
  readonly person: Person | undefined;
  readonly insurance: Insurance | undefined;
  readonly gate: IdentityGate;
}): ReactElement {
  const { gate, person, ...rest } = props;
  if (gate.isBlocked) return <Shut onAttempt={gate.onAttempt} />;
  const open = { ...rest, reason: gate.reason };
  return person === undefined ? <Open {...open} /> : <OfPerson {...open} person={person} />;
}

/** The same button and key; they say why nothing is printed. */
function Shut({ onAttempt }: Pick<IdentityGate, 'onAttempt'>): ReactElement {
  const text = useText();
  const refuse = useCallback(() => {
    onAttempt('print');
  }, [onAttempt]);
  usePrintKey(refuse);
  return <PrintKeyButton label={text('labs.print')} onPress={refuse} />;
}

interface OpenProps {
  readonly orderId: string;
  readonly received: Received<LabOrderResult>;
  readonly insurance: Insurance | undefined;
  readonly reason: string | undefined;
}

function OfPerson(props: OpenProps & { readonly person: Person }): ReactElement | null {
  const { person, ...rest } = props;
  const { name, birthDate, isPending } = useIdentity(person);
  const { patient, dob } = rest.received.value.metadata;
  // No paper without a name that is about to be known.
  if (isPending && !(patient && dob)) return null;
  return <Open {...rest} person={person} name={name} birthDate={birthDate} />;
}

function Open(
  props: OpenProps & {
    readonly person?: Person;
    readonly name?: string | undefined;
    readonly birthDate?: string | undefined;
  },
): ReactElement {
  const { orderId, received, person, name, birthDate, insurance, reason } = props;
  const text = useText();
  const intl = useIntl();
  const frameOf = usePrintFrame();
  const build = useCallback(
    (choice: PrintChoice) =>
      labDocument({
        result: received.value,
        orderId,
        person: person?.value,
        patient: person && {
          name,
          born: birthDate && (dayText(intl, birthDate) ?? birthDate),
          clientUserId: person.value.client_user_id,
        },
        insurance,
        reason,
        masked: choice.masked,
        frame: frameOf(choice, received),
        text,
        day: (date) => dayText(intl, date) ?? date,
        moment: (at) => momentText(intl, at) ?? at,
      }),
    [received, orderId, person, name, birthDate, insurance, reason, frameOf, text, intl],
  );
  return <PrintButton label={text('labs.print')} papers={papers} build={build} />;
}
