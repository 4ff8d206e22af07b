import type { Insurance } from '@caregate/domain';
import type { PrintDocument } from '../../../bridge/print.ts';
import type { MessageKey } from '../../text/text.tsx';
import type { Frame } from '../../print/print-document.ts';
import { cardFacts, insuredFacts, insuredHeading } from './insurance-facts.ts';
import type { Fact } from './insurance-facts.ts';

const hidden = '••••';
/** What the small card has room for. */
const onCard = new Set<MessageKey>([
  'insurance.firstName',
  'insurance.lastName',
  'insurance.birthDate',
]);

interface Parts {
  readonly insurance: Insurance;
  readonly clientUserId: string;
  readonly masked: boolean;
  readonly frame: Frame;
  readonly text: (key: MessageKey) => string;
  readonly show: (fact: Fact) => string | undefined;
}

/** The insurance as a document to print: what the screen shows, in its order. */
export function insuranceDocument(parts: Parts): PrintDocument {
  const { insurance, clientUserId, masked, frame, text, show } = parts;
  const printed = (fact: Fact): PrintDocument['main'][number] => {
    const shown = show(fact);
    return {
      label: text(fact.label),
      value: shown === undefined ? text('state.notRecorded') : masked ? hidden : shown,
      ...(fact.kind === 'code' && shown !== undefined && { code: true }),
    };
  };
  const card = frame.paper === 'card';
  const insured = insuredFacts(insurance).filter(({ label }) => !card || onCard.has(label));
  const patient = {
    label: text('print.patient'),
    value: masked ? hidden : clientUserId,
    code: true,
  };
  return {
    ...frame,
    kind: 'insurance',
    title: text('insurance.title'),
    notice: text('insurance.notCard'),
    main: cardFacts(insurance).map(printed),
    sections: [
      { heading: '', facts: [patient] },
      { heading: text(insuredHeading(insurance)), facts: insured.map(printed) },
    ],
  };
}
