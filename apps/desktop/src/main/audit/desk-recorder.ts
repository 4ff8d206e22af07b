import { randomBytes } from 'node:crypto';
import { recordDeskEvent } from '@caregate/api-client/service';
import type { DeskEvent } from '@caregate/domain';
import type { CopiedFrom } from '../../bridge/print.ts';
import type { Outcome, Problem } from '../../bridge/problem.ts';
import type { Run } from '../service/service-client.ts';

/** What a desk is about to do with answers that it was shown. */
export type DeskAct = Pick<DeskEvent, 'kind' | 'document' | 'pages' | 'copies' | 'number'> & {
  /** Of the answers in the document, as `x-audit-record-id` named them. */
  readonly recordIds: readonly string[];
};

interface DeskRecorderParts {
  /** As whoever is at the desk. */
  readonly call: <T>(run: Run<T>) => Promise<Outcome<unknown>>;
  /** Of the answers that showed a person in the session of whoever is at the desk. */
  readonly recordIds: () => ReadonlySet<string>;
}

/** Has the service record what is printed, copied and saved, before it is done. */
export class DeskRecorder {
  readonly #parts: DeskRecorderParts;

  constructor(parts: DeskRecorderParts) {
    this.#parts = parts;
  }

  /**
   * Undefined once it is recorded, or where the service keeps no such records; else why it mustn't be done. A document
   * that names no answer, or one that wasn't given to whoever is at the desk, is refused. Never throws.
   */
  async record({ recordIds, ...act }: DeskAct): Promise<Problem | undefined> {
    const known = this.#parts.recordIds();
    // A service that gives its answers no record has no log to write to.
    if (recordIds.length === 0 && known.size === 0) return undefined;
    if (recordIds.length === 0 || recordIds.some((id) => !known.has(id))) {
      return { kind: 'refused' };
    }
    const event = { ...act, record_ids: [...new Set(recordIds)] };
    const answer = await this.#parts.call(({ service }, options) =>
      recordDeskEvent(service, event, options),
    );
    // Not found: another service of the reads, without this route.
    return answer.ok || answer.problem.kind === 'notFound' ? undefined : answer.problem;
  }

  /** Records a copy with the answers among these that showed a person; without any, nothing is recorded. */
  async recordCopy({ document, recordIds }: CopiedFrom): Promise<Problem | undefined> {
    const known = this.#parts.recordIds();
    const shown = recordIds.filter((id) => known.has(id));
    if (shown.length === 0) return undefined;
    return this.record({ kind: 'copy', document, recordIds: shown });
  }
}

/** The number of one print: as long as an audit number, the time in its first 12 digits (milliseconds since 1970). */
export function printNumber(now: number): string {
  return now.toString(16).padStart(12, '0') + randomBytes(10).toString('hex');
}

/** When a print of this number was made, in milliseconds since 1970. */
export function timeOfPrint(number: string): number {
  return Number.parseInt(number.slice(0, 12), 16);
}
