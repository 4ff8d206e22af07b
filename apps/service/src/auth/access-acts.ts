import { createHash, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { WithWriteLock } from '@caregate/data-store/database';
import type { AccessSchema } from './access-schema.ts';
import type { Actor } from './principal.ts';

export const ACCESS_ACTS = {
  turnCursors: 'cursorSecretTurned',
  createTeam: 'teamCreated',
  deleteTeam: 'teamDeleted',
  createKey: 'createKey',
  rotateKey: 'rotateKey',
  revokeKey: 'revokeKey',
  grant: 'breakGlass',
  review: 'breakGlassReview',
  endGrant: 'breakGlassEnded',
  addStaff: 'staffAdded',
  disableStaff: 'staffDisabled',
  setBadge: 'badgeSet',
  bindSubject: 'subjectBound',
  makeCode: 'deskCodeMade',
  enrolDesk: 'deskEnrolled',
  offerDeskKey: 'deskKeyOffered',
  turnDeskKey: 'deskKeyTurned',
  revokeDesk: 'deskRevoked',
  refuse: 'sessionRefused',
  begin: 'sessionBegun',
  lock: 'sessionLocked',
  unlock: 'sessionUnlocked',
  end: 'sessionEnded',
  setPin: 'pinSet',
  wrongPin: 'pinWrong',
} as const;
type AccessActName = (typeof ACCESS_ACTS)[keyof typeof ACCESS_ACTS];

/** A change of secrets, keys, grants, people, desks or sessions, as recorded in the audit log: ids and coded values, no free text. */
export interface AccessAct {
  readonly operation: AccessActName;
  readonly teamId: string | null;
  /** Who acts, or the desk where nobody has signed in yet; undefined on the command line. */
  readonly by?: Actor | { readonly deskId: string } | undefined;
  readonly keyId: string | null;
  readonly grantId?: string;
  readonly patients?: readonly string[];
  readonly details: Readonly<Record<string, string | number>>;
}

export type ActDecision = 'allowed' | 'denied' | 'failed';

/** Resolves once the act is durable; `failed` says that it did not happen. @throws: then the act MUST NOT take effect */
export interface RecordAct {
  (act: AccessAct, decision: ActDecision): Promise<void>;
}

export const readOnly: RecordAct = () =>
  Promise.reject(
    new Error('This store was opened without an audit log, so nothing can be changed'),
  );

export class AccessChanges {
  readonly db: Kysely<AccessSchema>;
  readonly now: () => number;
  readonly withWriteLock: WithWriteLock;
  readonly #record: RecordAct;

  constructor(parts: {
    readonly db: Kysely<AccessSchema>;
    readonly withWriteLock: WithWriteLock;
    readonly acts: RecordAct;
    readonly now: () => number;
  }) {
    this.db = parts.db;
    this.now = parts.now;
    this.withWriteLock = parts.withWriteLock;
    this.#record = parts.acts;
  }

  /** Commits after the record is durable: a kill in between leaves a record without an act, never an act without one. */
  async make<Result>(
    change: (
      transaction: Kysely<AccessSchema>,
    ) => Promise<{ act: AccessAct | undefined; result: Result }>,
  ): Promise<Result> {
    let recorded: AccessAct | undefined;
    try {
      return await this.withWriteLock(this.db, async (transaction) => {
        const { act, result } = await change(transaction);
        if (act !== undefined) {
          await this.#record(act, 'allowed');
        }
        recorded = act;
        return result;
      });
    } catch (error) {
      if (recorded !== undefined) {
        await this.#record(recorded, 'failed').catch(() => undefined);
      }
      throw error;
    }
  }

  /** Records what was refused, and changes nothing. */
  async recordRefusal(act: AccessAct): Promise<void> {
    await this.#record(act, 'denied');
  }
}

export function newSalt(): Buffer {
  return randomBytes(16);
}

/** SHA-256 of salt and UTF-8 text, in hex: the log reveals no free text, and proves a later edit of the access data. */
export function saltedHash(salt: Uint8Array, text: string): string {
  return createHash('sha256').update(salt).update(text, 'utf8').digest('hex');
}
