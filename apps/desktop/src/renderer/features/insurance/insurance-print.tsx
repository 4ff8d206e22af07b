import { useCallback } from 'react';
import { useIntl } from 'react-intl';
import type { Insurance } from '@caregate/domain';
import type { Received } from '../../../shared/channels.ts';
import { formatDate, formatDateTime } from '../../ui/values/dates.tsx';
import { useText } from '../../i18n/text.tsx';
import { listContact } from '../patient/contact.tsx';
import { useIdentity, useUserInfo } from '../patient/identity.ts';
import type { Person } from '../patient/person.ts';
import { useLabelPerson } from '../printing/label-button.tsx';
import { PrintButton } from '../printing/print-button.tsx';
import { usePrintFrame, type PrintChoice } from '../printing/print-document.ts';
import { buildInsuranceDocument, type Which } from './insurance-document.ts';
import { useReadInsurance } from './insurance-facts.ts';

type Policies = readonly (readonly [which: Which, read: Received<Insurance>])[];

/** Lists the policies on file, primary first. */
export function listPolicies(
  primary: Received<Insurance> | undefined,
  secondary: Received<Insurance> | undefined,
): Policies {
  return [
    ...(primary === undefined ? [] : [['primary', primary] as const]),
    ...(secondary === undefined ? [] : [['secondary', secondary] as const]),
  ];
}

/** Prints every policy on file in one document. */
export function InsurancePrint(props: {
  readonly primary: Received<Insurance> | undefined;
  readonly secondary: Received<Insurance> | undefined;
  readonly person: Person;
}) {
  const { primary, secondary, person } = props;
  const { name, birthDate } = useIdentity(person);
  const { data: info, isFetching } = useUserInfo(person);
  const label = useLabelPerson(person);
  const { client_user_id: clientUserId } = person.value;
  const intl = useIntl();
  const text = useText();
  const readInsurance = useReadInsurance();
  const createFrame = usePrintFrame();
  const build = useCallback(
    (choice: PrintChoice) => {
      const policies = listPolicies(primary, secondary);
      const [oldest = ''] = policies.map(([, read]) => read.receivedAt).toSorted();
      return buildInsuranceDocument({
        policies: policies.map(([which, read]) => [which, readInsurance(read.value)]),
        patient: { name, born: birthDate && formatDate(intl, birthDate), clientUserId },
        contact:
          info === undefined
            ? []
            : listContact(info.value).map(({ label: key, lines }) => ({
                label: key,
                value: lines.join('\n') || undefined,
              })),
        time: formatDateTime(intl, oldest),
        masked: choice.masked,
        frame: createFrame(
          choice,
          [...policies.map(([, read]) => read), info].flatMap((read) => read?.auditId ?? []),
        ),
        text,
      });
    },
    [
      primary,
      secondary,
      name,
      birthDate,
      clientUserId,
      info,
      createFrame,
      text,
      readInsurance,
      intl,
    ],
  );
  // The name and the contact details on the printout may still be loading.
  if (label === undefined || isFetching || (primary ?? secondary) === undefined) return null;
  return (
    <PrintButton
      name={text('print.send')}
      kind="insurance"
      parts={[['insurance', text('screen.insurance')]]}
      build={build}
      label={label}
    />
  );
}
