import type { PrintDocument } from '../../../shared/print.ts';
import type { MessageKey, Text } from '../../i18n/text.tsx';
import { hidden } from '../../app/mask.tsx';
import { buildPatientHead, type Frame, type Patient } from '../printing/print-document.ts';
import type { Fact, InsuranceFacts } from './insurance-facts.ts';

export type Which = 'primary' | 'secondary';

interface Parts {
  readonly policies: readonly (readonly [which: Which, facts: InsuranceFacts])[];
  /** The patient, who may not be the policyholder. */
  readonly patient: Patient;
  /** Empty if the role can't read contact details. */
  readonly contact: readonly Fact[];
  /** When the oldest of the policies was read. */
  readonly time: string;
  readonly masked: boolean;
  readonly frame: Frame;
  readonly text: Text;
}

type Section = PrintDocument['sections'][number];

export function buildInsuranceDocument(parts: Parts): PrintDocument {
  const { policies, patient, contact, time, masked, frame, text } = parts;
  const maskValue = (value: string): string => (masked ? hidden : value);
  const toFact = ({ label, value, isCode = false }: Fact): Section['facts'][number] => ({
    label: text(label),
    value: value === undefined ? text('state.notRecorded') : maskValue(value),
    ...(isCode && value !== undefined && { code: true }),
  });
  const buildSection = (
    heading: MessageKey,
    facts: readonly Fact[],
    note?: string,
  ): readonly Section[] =>
    facts.length === 0
      ? []
      : [{ heading: text(heading), facts: facts.map(toFact), ...(note !== undefined && { note }) }];
  return {
    ...frame,
    kind: 'insurance',
    title: text('insurance.printTitle'),
    heading: text('insurance.countAsOf', { count: policies.length, time }),
    notice: text('insurance.notCard'),
    patient: buildPatientHead(patient, text, masked),
    main: [],
    sections: [
      ...policies.flatMap(([which, { ids, payer, policyholder, relationship, ...person }]) => [
        ...buildSection(
          `insurance.${which}`,
          [
            ...ids,
            {
              ...policyholder,
              value: [policyholder.value, relationship].filter(Boolean).join('\n'),
            },
            ...person.details,
            payer,
          ],
          maskValue(payer.value ?? ''),
        ),
        ...buildSection('insurance.guarantor', person.guarantor),
      ]),
      ...buildSection('patient.label', contact),
    ],
  };
}
