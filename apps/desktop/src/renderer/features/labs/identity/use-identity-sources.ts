import type { Insurance } from '@caregate/domain';
import { useMay } from '../../../app/me.tsx';
import { useBirthDates } from '../../patient/identity.ts';
import { useInsurance } from '../../insurance/use-insurance.ts';
import type { Person } from '../../patient/person.ts';

interface IdentitySources {
  readonly birthDates: readonly string[] | undefined;
  readonly insurance: Insurance | undefined;
  readonly isPending: boolean;
}

/** What a report is compared with: read once in a sign-in, however many reports are opened. */
export function useIdentitySources(person: Person | undefined): IdentitySources {
  const contact = useBirthDates(person);
  const may = useMay('insurance');
  const primary = useInsurance(person?.value.user_id ?? '', 'primary', {
    isWanted: person !== undefined && (may === 'yes' || may === 'mask'),
    staleTime: Infinity,
  });
  const insurance = primary.data?.value;
  return {
    birthDates: contact.birthDates,
    insurance,
    isPending: contact.isPending || (primary.isFetching && insurance === undefined),
  };
}
