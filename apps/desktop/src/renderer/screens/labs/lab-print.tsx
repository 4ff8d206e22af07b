import { useCallback } from 'react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import type { Insurance, LabOrderResult, User } from '@caregate/domain';
import type { Received } from '../../../bridge/channels.ts';
import { dayText, momentText } from '../../components/dates.tsx';
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
  readonly person: User | undefined;
  readonly insurance: Insurance | undefined;
  readonly gate: IdentityGate;
}): ReactElement {
  const { gate, ...rest } = props;
  return gate.isBlocked ? (
    <Shut onAttempt={gate.onAttempt} />
  ) : (
    <Open {...rest} reason={gate.reason} />
  );
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

function Open(props: {
  readonly orderId: string;
  readonly received: Received<LabOrderResult>;
  readonly person: User | undefined;
  readonly insurance: Insurance | undefined;
  readonly reason: string | undefined;
}): ReactElement {
  const { orderId, received, person, insurance, reason } = props;
  const text = useText();
  const intl = useIntl();
  const frameOf = usePrintFrame();
  const build = useCallback(
    (choice: PrintChoice) =>
      labDocument({
        result: received.value,
        orderId,
        person,
        insurance,
        reason,
        masked: choice.masked,
        frame: frameOf(choice, received),
        text,
        day: (date) => dayText(intl, date) ?? date,
        moment: (at) => momentText(intl, at) ?? at,
      }),
    [received, orderId, person, insurance, reason, frameOf, text, intl],
  );
  return <PrintButton label={text('labs.print')} papers={papers} build={build} />;
}
