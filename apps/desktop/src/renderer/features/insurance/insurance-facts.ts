import { useCallback } from 'react';
import { useIntl } from 'react-intl';
import { type Guarantor, readGuarantor, type Insurance } from '@caregate/domain';
import { formatDate } from '../../ui/values/dates.tsx';
import { formatPhone } from '../../ui/values/phone.ts';
import { useFormatSex, useText, type MessageKey } from '../../i18n/text.tsx';

/** A fact that is shown, copied and printed. Its value is undefined if it isn't known. */
export interface Fact {
  readonly label: MessageKey;
  readonly value: string | undefined;
  readonly isCode?: boolean;
}

export interface InsuranceFacts {
  readonly ids: readonly [member: Fact, group: Fact];
  readonly payer: Fact;
  readonly policyholder: Fact;
  /** The policyholder's relationship to the patient, in words. */
  readonly relationship: string;
  readonly details: readonly Fact[];
  /** Empty if the insurance has no guarantor. */
  readonly guarantor: readonly Fact[];
}

export function useReadInsurance(): (insurance: Insurance) => InsuranceFacts {
  const intl = useIntl();
  const formatSex = useFormatSex();
  const formatPolicyholder = useFormatPolicyholder();
  return useCallback(
    (insurance) => {
      const listDetails = (person: Insurance['insured'] | Guarantor): readonly Fact[] => [
        { label: 'patient.born', value: person.dob ? formatDate(intl, person.dob) : undefined },
        { label: 'patient.sex', value: person.gender ? formatSex(person.gender) : undefined },
        {
          label: 'person.phone',
          value: person.phone_number ? formatPhone(person.phone_number) : undefined,
        },
        { label: 'person.address', value: formatAddress(person.address) },
        { label: 'person.email', value: person.email || undefined },
      ];
      const { insured } = insurance;
      const guarantor = readGuarantor(insurance);
      return {
        ids: [
          { label: 'insurance.memberId', value: insurance.member_id, isCode: true },
          { label: 'insurance.groupId', value: insurance.group_id || undefined, isCode: true },
        ],
        payer: { label: 'insurance.payorCode', value: insurance.payor_code, isCode: true },
        policyholder: { label: 'insurance.policyholder', value: formatPersonName(insured) },
        relationship: formatPolicyholder(insurance),
        details: listDetails(insured),
        guarantor:
          guarantor === undefined
            ? []
            : [
                { label: 'column.name' as const, value: formatPersonName(guarantor) },
                ...listDetails(guarantor),
              ].filter(({ value }) => value !== undefined),
      };
    },
    [intl, formatSex, formatPolicyholder],
  );
}

const relationships = new Set(['Self', 'Spouse', 'Child', 'Parent', 'Other']);

/** Only `Self` means the patient. An unknown relationship is quoted. */
export function useFormatPolicyholder(): (insurance: Insurance, hasName?: boolean) => string {
  const text = useText();
  return useCallback(
    ({ relationship, insured }, hasName = false) => {
      if (!relationships.has(relationship)) return text('value.quoted', { value: relationship });
      const name = hasName && formatPersonName(insured);
      return text(`overview.policy.${relationship}` as MessageKey, {
        name: name ? `\u2068${name}\u2069` : 'none',
      });
    },
    [text],
  );
}

function formatPersonName(person: Insurance['insured'] | Guarantor): string | undefined {
  return [person.first_name, person.last_name].filter(Boolean).join(' ') || undefined;
}

function formatAddress(address: Guarantor['address'] | null): string | undefined {
  const street = [address?.first_line, address?.second_line].filter(Boolean).join(', ');
  const state = [address?.state, address?.zip_code].filter(Boolean).join(' ');
  const place = [address?.city, state].filter(Boolean).join(', ');
  return [street, place].filter(Boolean).join('\n') || undefined;
}
