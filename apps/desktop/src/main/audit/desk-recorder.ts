import { randomBytes } from 'node:crypto';
import { recordDeskEvent } from '@caregate/api-client/service';
import type { DeskEvent } from '@caregate/domain';
import type { CopiedFrom } from '../../shared/print.ts';
import type { Problem } from '../../shared/problem.ts';
import type { DeskCalls } from '../session/desk-calls.ts';

export type DeskAction = Pick<DeskEvent, 'kind' | 'document' | 'pages' | 'copies' | 'number'> & {
  readonly recordIds: readonly string[];
};

/** The service accepts at most this number of record IDs in one desk event. */
const maxIdsPerEvent = 200;

export class DeskRecorder {
  readonly #calls: Pick<DeskCalls, 'call' | 'getRecordIds'>;

  constructor(calls: Pick<DeskCalls, 'call' | 'getRecordIds'>) {
    this.#calls = calls;
  }

  /** Records a print, save or copy. Refuses a document without audit records or with those of another session. Never throws. */
  async record({ recordIds, ...action }: DeskAction): Promise<Problem | undefined> {
    const sessionRecordIds = this.#calls.getRecordIds();
    // A service without an audit log sends no record IDs.
    if (recordIds.length === 0 && sessionRecordIds.size === 0) return undefined;
    if (recordIds.length === 0 || recordIds.some((id) => !sessionRecordIds.has(id))) {
      return { kind: 'refused' };
    }
    const ids = [...new Set(recordIds)];
    for (let first = 0; first < ids.length; first += maxIdsPerEvent) {
      const event = { ...action, record_ids: ids.slice(first, first + maxIdsPerEvent) };
      const answer = await this.#calls.call((service, options) =>
        recordDeskEvent(service, event, options),
      );
      // An older service has no route for desk events and answers 404.
      if (!answer.ok && answer.problem.kind !== 'notFound') return answer.problem;
    }
    return undefined;
  }

  /** Records a copy only if the copied text comes from answers that showed a patient. */
  async recordCopy({ document, recordIds }: CopiedFrom): Promise<Problem | undefined> {
    const sessionRecordIds = this.#calls.getRecordIds();
    const shown = recordIds.filter((id) => sessionRecordIds.has(id));
    if (shown.length === 0) return undefined;
    return this.record({ kind: 'copy', document, recordIds: shown });
  }
}

/** An audit number is either the ID of an audit record or a print number. */
export const auditNumber = /^[\da-f]{32}$/iu;

/** Returns 32 hex digits, of which the first 12 are the time in milliseconds since the epoch. */
export function createPrintNumber(now: number): string {
  return now.toString(16).padStart(12, '0') + randomBytes(10).toString('hex');
}

export function parsePrintTime(number: string): number {
  return Number.parseInt(number.slice(0, 12), 16);
}
