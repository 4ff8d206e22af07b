import { sign, verify, type KeyObject } from 'node:crypto';
import { APPROVER_OPERATIONS } from '../entry/log-operations.ts';
import { BadCheckpointError } from '../errors.ts';
import {
  formatVerifierKey,
  parseVerifierKey,
  publicKeyOf,
  verifierKey,
  type VerifierKey,
} from '../note/checkpoint.ts';
import type { CutRecord } from './cut-records.ts';

/** A person whose key signs proposals and approvals of cuts. */
export interface Approver {
  /** Id of the person, unique among those who are not revoked. */
  readonly name: string;
  readonly key: VerifierKey;
  /** Position of the record that enrolled them. */
  readonly seq: number;
  /** Position of the record that revoked them. */
  readonly revoked?: number;
  /** Waiting for endorsements by two approvers. */
  readonly isPending: boolean;
  readonly endorsedBy: readonly string[];
}

const label = 'caregate audit approver v1';

/** Letters, digits and . _ - so that it needs no quoting anywhere. */
export const approverName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/u;

/** Endorsements by different approvers that a new one needs once two are in force. */
const ENDORSEMENTS = 2;

/** Signs that this key is that of a person who may approve cuts of this log. Base64. */
export function endorse(origin: string, key: VerifierKey, signer: KeyObject): string {
  return sign(null, endorsement(origin, key), signer).toString('base64');
}

export function isSignedBy(key: VerifierKey, text: Buffer, signature: string): boolean {
  const bytes = Buffer.from(signature, 'base64');
  return (
    bytes.length === 64 &&
    // One signature has one text.
    bytes.toString('base64') === signature &&
    verify(null, text, publicKeyOf(key), bytes)
  );
}

/**
 * Who may approve, by the records of the log: the first two are enrolled by an admin, every later one needs endorsements
 * signed by two approvers. A revoked key never comes back.
 */
export class Approvers {
  readonly #origin: string;
  #all: Approver[];

  /** @param known those whose records are erased, as the cut that needs them names them */
  constructor(origin: string, known: readonly Approver[] = []) {
    this.#origin = origin;
    this.#all = [...known];
  }

  get all(): readonly Approver[] {
    return this.#all;
  }

  /** Whether two were in force at once: from then on it takes two to enrol another. */
  get isClosed(): boolean {
    return this.#all.some(
      (one) =>
        !one.isPending &&
        this.#all.some(
          (other) =>
            other !== one &&
            !other.isPending &&
            one.seq < (other.revoked ?? Infinity) &&
            other.seq < (one.revoked ?? Infinity),
        ),
    );
  }

  inForce(name: string): Approver | undefined {
    const one = this.#current(name);
    return one?.isPending === false ? one : undefined;
  }

  /** Takes a record into account; false if it is not about approvers, or has no effect. */
  take({ seq, operation, details }: CutRecord): boolean {
    const name = String(details['approver']);
    switch (operation) {
      case APPROVER_OPERATIONS.enrol:
        return this.#enrol(name, String(details['key']), seq);
      case APPROVER_OPERATIONS.endorse:
        return this.#endorse(name, String(details['by']), String(details['signature']));
      case APPROVER_OPERATIONS.revoke:
        return this.#change(this.#current(name), { revoked: seq });
      default:
        return false;
    }
  }

  /** Those who are or were in force, as a cut names them: `name key seq [revoked seq]`, separated by commas. */
  text(): string {
    return this.#all
      .filter(({ isPending }) => !isPending)
      .map(({ name, key, seq, revoked }) =>
        [name, key.bytes.toString('base64'), seq, ...(revoked === undefined ? [] : [revoked])].join(
          ' ',
        ),
      )
      .join(', ');
  }

  #current(name: string): Approver | undefined {
    return this.#all.find((one) => one.revoked === undefined && isSameName(one.name, name));
  }

  #enrol(name: string, text: string, seq: number): boolean {
    const key = keyOrUndefined(text);
    if (
      key?.name !== name ||
      !approverName.test(name) ||
      this.#current(name) !== undefined ||
      this.#all.some((one) => one.key.bytes.equals(key.bytes))
    ) {
      return false;
    }
    this.#all.push({ name, key, seq, isPending: this.isClosed, endorsedBy: [] });
    return true;
  }

  #endorse(name: string, by: string, signature: string): boolean {
    const one = this.#current(name);
    const signer = this.inForce(by);
    if (
      one?.isPending !== true ||
      signer === undefined ||
      one.endorsedBy.includes(signer.name) ||
      !isSignedBy(signer.key, endorsement(this.#origin, one.key), signature)
    ) {
      return false;
    }
    const endorsedBy = [...one.endorsedBy, signer.name];
    // An approver who was revoked in the meantime no longer counts.
    const counting = endorsedBy.filter((signed) => this.inForce(signed) !== undefined);
    return this.#change(one, { endorsedBy, isPending: counting.length < ENDORSEMENTS });
  }

  #change(one: Approver | undefined, change: Partial<Approver>): boolean {
    this.#all = this.#all.map((other) => (other === one ? { ...one, ...change } : other));
    return one !== undefined;
  }
}

/** The approvers that a cut names; undefined if the text does not have that form. */
function parseApprovers(text: string): Approver[] | undefined {
  const found = text.split(', ').map((line): Approver | undefined => {
    const [, name = '', encoded = '', seq, revoked] =
      /^([A-Za-z0-9._-]+) ([A-Za-z0-9+/]{43}=) (\d{1,15})(?: (\d{1,15}))?$/u.exec(line) ?? [];
    if (seq === undefined) {
      return undefined;
    }
    return {
      name,
      key: keyOfBytes(name, Buffer.from(encoded, 'base64')),
      seq: Number(seq),
      ...(revoked !== undefined && { revoked: Number(revoked) }),
      isPending: false,
      endorsedBy: [],
    };
  });
  return found.every((one) => one !== undefined) ? found : undefined;
}

/** Those whose own records are among the first `erased`, from the text of a cut that names them. */
export function knownBefore(erased: number, text: string): Approver[] {
  return (parseApprovers(text) ?? [])
    .filter(({ seq }) => seq < erased)
    .map(({ revoked, ...one }) =>
      revoked === undefined || revoked >= erased ? one : { ...one, revoked },
    );
}

export function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function endorsement(origin: string, key: VerifierKey): Buffer {
  return Buffer.from(`${label}\n${origin}\n${formatVerifierKey(key)}\n`);
}

function keyOfBytes(name: string, bytes: Buffer): VerifierKey {
  return verifierKey(name, publicKeyOf({ name, id: bytes.subarray(0, 4), bytes }));
}

function keyOrUndefined(text: string): VerifierKey | undefined {
  try {
    return parseVerifierKey(text);
  } catch (error) {
    if (error instanceof BadCheckpointError) {
      return undefined;
    }
    throw error;
  }
}
