import type { Insurance } from '@caregate/domain';
import type { PrintDocument } from '../../../shared/print.ts';
import type { MessageKey, Text } from '../../i18n/text.tsx';
import { patientHead } from '../printing/print-document.ts';
import type { Frame, Patient } from '../printing/print-document.ts';
import { hidden } from '../../app/mask.tsx';
import { cardFacts, guarantorFacts, insuredFacts, insuredHeading } from './insurance-facts.ts';
import type { Fact } from './insurance-facts.ts';

const onCard = new Set<MessageKey>(['column.name', 'patient.born']);

export type Which = 'primary' | 'secondary';

export interface Coverage {
  readonly which: Which;
  readonly insurance: Insurance;
}

interface Parts {
  readonly coverages: readonly Coverage[];
  /** Not necessarily the insured person. */
  readonly patient: Patient;
  readonly masked: boolean;
  readonly frame: Frame;
  readonly text: Text;
  readonly show: (fact: Fact) => string | undefined;
}

type Printed = PrintDocument['main'][number];

export function insuranceDocument(parts: Parts): PrintDocument {
  const { coverages, patient, masked, frame, text, show } = parts;
  const printed = (fact: Fact): Printed => {
    const shown = show(fact);
    return {
      label: text(fact.label),
      value: shown === undefined ? text('state.notRecorded') : masked ? hidden : shown,
      ...(fact.kind === 'code' && shown !== undefined && { code: true }),
    };
  };
  const card = frame.paper === 'card';
  const section = (heading: MessageKey, facts: readonly Fact[]): PrintDocument['sections'] => {
    const shown = facts.filter(({ label }) => !card || onCard.has(label)).map(printed);
    return shown.length === 0 ? [] : [{ heading: text(heading), facts: shown }];
  };
  const people = ({ insurance }: Coverage): PrintDocument['sections'] => [
    ...section(insuredHeading(insurance), insuredFacts(insurance)),
    ...section('insurance.guarantor', guarantorFacts(insurance)),
  ];
  const [first, ...others] = coverages;
  return {
    ...frame,
    kind: 'insurance',
    title: text('insurance.printTitle'),
    heading: text(chooseTitle(coverages)),
    notice: text('insurance.notCard'),
    patient: patientHead(patient, text, masked),
    main: first === undefined ? [] : cardFacts(first.insurance).map(printed),
    sections: [
      ...(first === undefined ? [] : people(first)),
      ...others.flatMap((other) => [
        {
          heading: text(`insurance.${other.which}`),
          facts: cardFacts(other.insurance).map(printed),
        },
        ...people(other),
      ]),
    ],
  };
}

function chooseTitle(coverages: readonly Coverage[]): MessageKey {
  const [first] = coverages;
  if (coverages.length > 1 || first === undefined) return 'screen.insurance';
  return first.which === 'primary' ? 'insurance.titlePrimary' : 'insurance.titleSecondary';
}
