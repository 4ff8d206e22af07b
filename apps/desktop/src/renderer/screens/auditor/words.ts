import type { AuditRow } from '../../../bridge/audit.ts';
import en from '../../text/en.json';
import { useText } from '../../text/text.tsx';
import type { MessageKey } from '../../text/text.tsx';

export type Mark = 'emergency' | 'refused' | 'printed' | 'failed' | undefined;

const printed: readonly string[] = ['recordDeskEvent', 'deskEvent'];

export function markOf({ emergency, decision, operation }: AuditRow): Mark {
  if (decision === 'denied') return 'refused';
  if (emergency) return 'emergency';
  if (printed.includes(operation)) return 'printed';
  return decision === 'allowed' ? undefined : 'failed';
}

/** Unknown words are shown in quotation marks. */
export function useAuditWords(): {
  readonly operation: (name: string) => string;
  /** For example "Printed insurance, secondary". */
  readonly act: (row: Pick<AuditRow, 'operation' | 'details'>) => string;
  readonly reason: (code: string) => string;
  readonly detail: (name: string) => string;
} {
  const text = useText();
  const word = (prefix: string, name: string): string => {
    const key = `${prefix}.${name}`;
    return key in en ? text(key as MessageKey) : text('value.quoted', { value: name });
  };
  const act = ({ operation, details }: Pick<AuditRow, 'operation' | 'details'>): string => {
    const of = (name: string): string => details.find((one) => one.name === name)?.value ?? '';
    const kind = `audit.did.${of('kind')}`;
    const did =
      operation === 'recordDeskEvent' && kind in en
        ? text(kind as MessageKey, { document: word('audit.document', of('document')) })
        : word('audit.operation', operation);
    return of('is_primary') === 'false' ? text('audit.secondary', { did }) : did;
  };
  return {
    act,
    operation: (name) => word('audit.operation', name),
    reason: (code) => word('emergency.reason', code),
    detail: (name) => word('audit.detail', name),
  };
}

/** YYYY-MM-DD; undefined for all. */
export function sinceDays(days: number | undefined, now = new Date()): string | undefined {
  if (days === undefined) return undefined;
  return new Date(now.getTime() - days * 86_400_000).toISOString().slice(0, 10);
}
