import type { FastifyRequest } from 'fastify';
import { watchRead, type ReadWatch } from '../../access/limits/read-watch.ts';
import { principalOf } from '../../access/principal.ts';
import type { AuditRecorder } from '../record/audit-entry.ts';
import type { AnswerEntries } from './record-answers.ts';
import { recordBytes, type TeamRecords } from './team-records.ts';

export interface PieceParts {
  readonly audit: AuditRecorder;
  readonly answerEntries: AnswerEntries;
  readonly readWatch: ReadWatch;
  readonly teamRecords: TeamRecords;
}

/** For an answer in pieces, whose first one has the record of the answer: each further piece MUST wait for its own. */
export class PieceRecorder {
  readonly #parts: PieceParts;

  constructor(parts: PieceParts) {
    this.#parts = parts;
  }

  /** @throws as `AuditRecorder.record`: then the piece MUST NOT leave */
  async record(
    request: FastifyRequest,
    disclosure: NonNullable<FastifyRequest['disclosure']>,
  ): Promise<void> {
    const { audit, answerEntries, readWatch, teamRecords } = this.#parts;
    const principal = principalOf(request);
    request.disclosure = disclosure;
    watchRead(readWatch, request, 200);
    await audit.record(answerEntries.entryOf(request, principal, principal.operation, 200));
    const bytes = recordBytes(disclosure.patients.length);
    teamRecords.recorded(principal.teamId, bytes);
    request.account?.spend(0, bytes);
  }
}
