import type { TransportResponse } from '@caregate/api-client';
import type { DeskEvent } from '@caregate/domain';
import type { CopiedFrom } from '../../bridge/print.ts';
import type { Problem } from '../../bridge/problem.ts';

/** What a desk is about to do with answers that it was shown. */
export type DeskAct = Pick<DeskEvent, 'kind' | 'document' | 'pages' | 'copies'> & {
  /** Of the answers in the document, as `x-audit-record-id` named them. */
  readonly recordIds: readonly string[];
};

interface DeskRecorderParts {
  /** A request of whoever is at the desk; undefined where nobody is, or where it failed. */
  readonly request: (asked: {
    readonly method: 'POST';
    readonly path: string;
    readonly body: unknown;
  }) => Promise<TransportResponse | undefined>;
  /** Of the answers that showed a person in the session of whoever is at the desk. */
  readonly recordIds: () => ReadonlySet<string>;
  /** Why an answer of 400 or more is none. */
  readonly problemOf: (answer: TransportResponse) => Problem;
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
  async record({
    kind,
    document,
    pages,
    copies,
    recordIds,
  }: DeskAct): Promise<Problem | undefined> {
    const known = this.#parts.recordIds();
    // A service that gives its answers no record has no log to write to.
    if (recordIds.length === 0 && known.size === 0) return undefined;
    if (recordIds.length === 0 || recordIds.some((id) => !known.has(id))) {
      return { kind: 'refused' };
    }
    const answer = await this.#parts.request({
      method: 'POST',
      path: '/audit/desk-events',
      body: {
        kind,
        document,
        ...(pages !== undefined && { pages }),
        ...(copies !== undefined && { copies }),
        record_ids: [...new Set(recordIds)],
      },
    });
    if (answer === undefined) return { kind: 'offline' };
    // Another service of the reads, without this route.
    if (answer.status === 404) return undefined;
    return answer.status < 400 ? undefined : this.#parts.problemOf(answer);
  }

  /** The same of what was copied: with the answers among these that showed a person; without any, nothing is recorded. */
  async recordCopy({ document, recordIds }: CopiedFrom): Promise<Problem | undefined> {
    const known = this.#parts.recordIds();
    const shown = recordIds.filter((id) => known.has(id));
    if (shown.length === 0) return undefined;
    return this.record({ kind: 'copy', document, recordIds: shown });
  }
}
