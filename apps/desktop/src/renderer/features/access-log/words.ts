import { useMemo } from 'react';
import { useIntl } from 'react-intl';
import type { AuditRow } from '../../../shared/audit.ts';
import en from '../../i18n/en.json';
import { useText } from '../../i18n/text.tsx';
import type { MessageKey, Text } from '../../i18n/text.tsx';

export type Mark = 'emergency' | 'refused' | 'printed' | 'failed';

export function findMark({ emergency, decision, operation }: AuditRow): Mark | undefined {
  if (decision === 'denied') return 'refused';
  if (emergency) return 'emergency';
  if (operation === 'recordDeskEvent') return 'printed';
  return decision === 'allowed' ? undefined : 'failed';
}

export const getActor = ({ actor }: AuditRow): string => actor.id ?? actor.type;

/** Operations that read the same as another one, or end the same act. */
const sameAs: Readonly<Record<string, string>> = {
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

type Act = Pick<AuditRow, 'operation' | 'details' | 'decision'>;

/** Words without a text are shown in quotation marks. */
interface AuditWords {
  /** For example "Printed the insurance, secondary". */
  readonly act: (row: Act) => string;
  /** The act as it follows a name: "was refused the lab report". */
  readonly sentence: (row: AuditRow) => string;
  readonly reason: (code: string) => string;
}

export function useAuditWords(): AuditWords {
  const text = useText();
  const { locale } = useIntl();
  return useMemo(() => translateWords(text, locale), [text, locale]);
}

function translateWords(text: Text, locale: string): AuditWords {
  const word = (prefix: string, name: string, how = ''): string => {
    const key = `${prefix}.${name}`;
    return key in en ? text(key as MessageKey, { how }) : text('value.quoted', { value: name });
  };
  const act = ({ operation, details, decision }: Act): string => {
    const of = (name: string): string => details.find((one) => one.name === name)?.value ?? '';
    const kind = `audit.did.${of('kind')}`;
    const did =
      operation === 'recordDeskEvent' && kind in en
        ? text(kind as MessageKey, { document: word('audit.document', of('document')) })
        : word('audit.operation', sameAs[operation] ?? operation, decision);
    return of('is_primary') === 'false' ? text('audit.secondary', { did }) : did;
  };
  const sentence = (row: AuditRow): string => {
    const did = act(row);
    const [first = '', ...rest] = did;
    const said =
      row.actor.type === 'system' ? did : first.toLocaleLowerCase(locale) + rest.join('');
    const mark = findMark(row);
    // Reads alone have words of their own for a refusal, and can be made by emergency access.
    const isRead = act({ ...row, decision: 'denied' }) !== act({ ...row, decision: 'allowed' });
    const isSaid = mark === undefined || mark === 'printed' || (mark === 'refused' && isRead);
    return isSaid || (mark === 'emergency' && !isRead)
      ? said
      : text(`audit.mark.${mark}`, { did: said });
  };
  return { act, sentence, reason: (code) => word('emergency.reason', code) };
}

export function useActorName(): (actor: AuditRow['actor']) => string {
  const text = useText();
  return ({ name, id, type }) =>
    name ?? id ?? text(type === 'system' ? 'audit.system' : 'audit.nobody');
}
