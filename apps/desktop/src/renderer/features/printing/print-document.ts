import { useCallback } from 'react';
import { useIntl } from 'react-intl';
import { PRINT_NUMBER, type Paper } from '../../../shared/print-kinds.ts';
import type { PrintDocument } from '../../../shared/print.ts';
import { formatDateTime } from '../../ui/values/dates.tsx';
import { useStatus } from '../../api/app-state.ts';
import { useCurrentPerson } from '../../app/me.tsx';
import { hidden } from '../../app/mask.tsx';
import { getDirection, useText, type MessageKey, type Text } from '../../i18n/text.tsx';

export interface PrintChoice {
  readonly part: string;
  readonly paper: Paper;
  readonly masked: boolean;
}

export type Frame = Pick<
  PrintDocument,
  'paper' | 'language' | 'direction' | 'clinic' | 'page' | 'footer' | 'recordIds'
>;

export interface Patient {
  readonly name: string | null | undefined;
  readonly born: string | null | undefined;
  readonly clientUserId?: string | undefined;
}

export function buildPatientHead(
  { name, born, clientUserId }: Patient,
  text: Text,
  masked: boolean,
): PrintDocument['patient'] {
  const formatValue = (value: string | null | undefined, none: MessageKey): string =>
    value ? (masked ? hidden : value) : text(none);
  return {
    name: formatValue(name, 'patient.noName'),
    facts: [
      { label: text('patient.born'), value: formatValue(born, 'value.none') },
      ...(clientUserId === undefined
        ? []
        : [
            {
              label: text('patient.clientId'),
              value: formatValue(clientUserId, 'value.none'),
              code: true,
            },
          ]),
    ],
  };
}

/** The returned function takes the IDs of the audit records that the document comes from. */
export function usePrintFrame(): (choice: PrintChoice, recordIds: readonly string[]) => Frame {
  const text = useText();
  const intl = useIntl();
  const name = useCurrentPerson()?.name ?? '';
  const { clinicName } = useStatus();
  return useCallback(
    ({ paper }, recordIds) => {
      return {
        paper,
        language: intl.locale,
        clinic: clinicName ?? text('app.name'),
        direction: getDirection(intl.locale),
        page: splitPageNumber((number, count) => text('print.page', { number, count })),
        footer: [
          text('print.byPerson', {
            name: `\u2068${name}\u2069`,
            time: formatDateTime(intl, new Date().toISOString()),
          }),
          recordIds.length === 0
            ? text('print.noAudit')
            : text('print.audit', { id: PRINT_NUMBER }),
          text('print.check'),
        ],
        recordIds: [...recordIds],
      };
    },
    [clinicName, intl, name, text],
  );
}

export function splitPageNumber(formatPage: (number: string, count: string) => string): string[] {
  // These are private-use characters, which no text contains.
  const [number, count] = ['\uE000', '\uE001'];
  const [before = '', afterNumber = ''] = formatPage(number, count).split(number);
  const [between = '', after = ''] = afterNumber.split(count);
  return [before, between, after];
}
