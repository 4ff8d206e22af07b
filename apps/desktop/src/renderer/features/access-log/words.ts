import { useMemo } from 'react';
import { useIntl } from 'react-intl';
import type { AuditRow } from '../../../shared/audit.ts';
import en from '../../i18n/en.json';
import { useText, type MessageKey, type Text } from '../../i18n/text.tsx';

export type Mark = 'emergency' | 'refused' | 'printed' | 'failed';

export function findMark({ emergency, decision, operation }: AuditRow): Mark | undefined {
  if (decision === 'denied') return 'refused';
  if (emergency) return 'emergency';
  if (operation === 'recordDeskEvent') return 'printed';
  return decision === 'allowed' ? undefined : 'failed';
}

export const getActorKey = ({ actor }: AuditRow): string => actor.id ?? actor.type;

/** Operations that are described by the text of another operation. */
const operationAliases: Readonly<Record<string, string>> = {
  readPatient: 'resolveUser',
  searchPatients: 'searchPeople',
  readCoverage: 'latestInsurance',
  searchCoverages: 'latestInsurance',
  readServiceRequest: 'listOrders',
  searchServiceRequests: 'listOrders',
  readDiagnosticReport: 'labOrderResult',
  searchDiagnosticReports: 'labOrderResult',
  readObservation: 'labOrderResult',
  searchObservations: 'labOrderResult',
  breakGlassEnded: 'endBreakGlass',
  breakGlassReview: 'reviewBreakGlass',
};

type AuditAction = Pick<AuditRow, 'operation' | 'details' | 'decision'>;

/** Formats audit records. A word without a text is quoted as it is. */
export function useAuditWords(): ReturnType<typeof createAuditWords> {
  const text = useText();
  const { locale } = useIntl();
  return useMemo(() => createAuditWords(text, locale), [text, locale]);
}

function createAuditWords(
  text: Text,
  locale: string,
): {
  /** Describes the action, such as "Printed the insurance, secondary". */
  readonly formatAction: (action: AuditAction) => string;
  /** Describes the action after a name, such as "was refused the lab report". */
  readonly formatSentence: (row: AuditRow) => string;
  readonly formatReason: (code: string) => string;
} {
  const translateWord = (prefix: string, name: string, how = ''): string => {
    const key = `${prefix}.${name}`;
    return key in en ? text(key as MessageKey, { how }) : text('value.quoted', { value: name });
  };
  const formatAction = ({ operation, details, decision }: AuditAction): string => {
    const getDetail = (name: string): string =>
      details.find((one) => one.name === name)?.value ?? '';
    const kind = `audit.did.${getDetail('kind')}`;
    const action =
      operation === 'recordDeskEvent' && kind in en
        ? text(kind as MessageKey, {
            document: translateWord('audit.document', getDetail('document')),
          })
        : translateWord('audit.operation', operationAliases[operation] ?? operation, decision);
    return getDetail('is_primary') === 'false' ? text('audit.secondary', { did: action }) : action;
  };
  const formatSentence = (row: AuditRow): string => {
    const action = formatAction(row);
    const [first = '', ...letters] = action;
    const phrase =
      row.actor.type === 'system' ? action : first.toLocaleLowerCase(locale) + letters.join('');
    const mark = findMark(row);
    // Only reads have their own text for a refusal, and only reads can use emergency access.
    const isRead =
      formatAction({ ...row, decision: 'denied' }) !==
      formatAction({ ...row, decision: 'allowed' });
    const isMarkImplied =
      mark === undefined || mark === 'printed' || (mark === 'refused' && isRead);
    return isMarkImplied || (mark === 'emergency' && !isRead)
      ? phrase
      : text(`audit.mark.${mark}`, { did: phrase });
  };
  return {
    formatAction,
    formatSentence,
    formatReason: (code) => translateWord('emergency.reason', code),
  };
}

export function formatActor(text: Text, { name, id, type }: AuditRow['actor']): string {
  return name ?? id ?? text(type === 'system' ? 'audit.system' : 'audit.nobody');
}
