import type { Insurance } from '@caregate/domain';
import type { PrintDocument } from '../../../shared/print.ts';
import type { MessageKey, Text } from '../../i18n/text.tsx';
import { buildPatientHead } from '../printing/print-document.ts';
import type { Frame, Patient } from '../printing/print-document.ts';
import { hidden } from '../../app/mask.tsx';
import {
  listCardFacts,
  listGuarantorFacts,
  listInsuredFacts,
  getInsuredHeading,
} from './insurance-facts.ts';
import type { Fact } from './insurance-facts.ts';

const cardLabels = new Set<MessageKey>(['column.name', 'patient.born']);

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

type PrintedFact = PrintDocument['main'][number];

export function buildInsuranceDocument(parts: Parts): PrintDocument {
  const { coverages, patient, masked, frame, text, show } = parts;
  const buildFact = (fact: Fact): PrintedFact => {
    const shown = show(fact);
    return {
      label: text(fact.label),
      value: shown === undefined ? text('state.notRecorded') : masked ? hidden : shown,
      ...(fact.kind === 'code' && shown !== undefined && { code: true }),
    };
  };
  const isCard = frame.paper === 'card';
  const buildSection = (heading: MessageKey, facts: readonly Fact[]): PrintDocument['sections'] => {
    const shown = facts.filter(({ label }) => !isCard || cardLabels.has(label)).map(buildFact);
    return shown.length === 0 ? [] : [{ heading: text(heading), facts: shown }];
  };
  const buildPeopleSections = ({ insurance }: Coverage): PrintDocument['sections'] => [
    ...buildSection(getInsuredHeading(insurance), listInsuredFacts(insurance)),
    ...buildSection('insurance.guarantor', listGuarantorFacts(insurance)),
  ];
  const [first, ...others] = coverages;
  return {
    ...frame,
    kind: 'insurance',
    title: text('insurance.printTitle'),
    heading: text(chooseTitle(coverages)),
    notice: text('insurance.notCard'),
    patient: buildPatientHead(patient, text, masked),
    main: first === undefined ? [] : listCardFacts(first.insurance).map(buildFact),
    sections: [
      ...(first === undefined ? [] : buildPeopleSections(first)),
      ...others.flatMap((other) => [
        {
          heading: text(`insurance.${other.which}`),
          facts: listCardFacts(other.insurance).map(buildFact),
        },
        ...buildPeopleSections(other),
      ]),
    ],
  };
}

function chooseTitle(coverages: readonly Coverage[]): MessageKey {
  const [first] = coverages;
  if (coverages.length > 1 || first === undefined) return 'screen.insurance';
  return first.which === 'primary' ? 'insurance.titlePrimary' : 'insurance.titleSecondary';
}
