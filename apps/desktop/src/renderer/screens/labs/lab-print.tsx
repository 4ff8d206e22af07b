import { useCallback } from 'react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import type { Insurance, LabOrderResult, User } from '@caregate/domain';
import type { Received } from '../../../bridge/channels.ts';
import { dayText, momentText } from '../../components/dates.tsx';
import { useText } from '../../text/text.tsx';
import { PrintDoor } from '../print/print-door.tsx';
import { usePrintFrame } from '../print/print-document.ts';
import type { PrintChoice } from '../print/print-document.ts';
import { labDocument } from './lab-document.ts';

/** A card has no room for results. */
const papers = ['a4', 'letter'] as const;

/** Prints the summary of an order's result. */
export function LabPrint(props: {
  readonly orderId: string;
  readonly received: Received<LabOrderResult>;
  readonly person: User | undefined;
  readonly insurance: Insurance | undefined;
}): ReactElement {
  const { orderId, received, person, insurance } = props;
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
        masked: choice.masked,
        frame: frameOf(choice, received),
        text,
        day: (date) => dayText(intl, date) ?? date,
        moment: (at) => momentText(intl, at) ?? at,
      }),
    [received, orderId, person, insurance, frameOf, text, intl],
  );
  return <PrintDoor label={text('labs.print')} papers={papers} build={build} />;
}
