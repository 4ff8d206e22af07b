import { verify } from 'node:crypto';
import { AuditLogError, BadCheckpointError } from '../errors.ts';
import {
  parseCheckpoint,
  publicKeyOf,
  type Checkpoint,
  type VerifierKey,
} from '../note/checkpoint.ts';
import { cosign, cosignedAt } from '../note/cosignature.ts';
import { cosignerKey, type Cosigner, type CosignerKey } from '../note/cosigner-key.ts';
import {
  formatNote,
  formatSignatures,
  isSameKey,
  parseNote,
  withSignatures,
  type NoteSignature,
  type SignedNote,
} from '../note/signed-note.ts';
import { emptyRoot, verifyConsistency } from '../tree/tree.ts';
import { parseAddCheckpoint, type AddCheckpoint } from './add-checkpoint.ts';
import { originHash, type WitnessStore } from './witness-store.ts';

/** An answer of C2SP tlog-witness. */
export interface WitnessAnswer {
  readonly status: 200 | 400 | 403 | 404 | 409 | 422;
  readonly contentType: string;
  readonly body: string;
}

interface WitnessParts {
  /** Public keys of the logs; several of one name are keys of one log. */
  readonly logs: readonly VerifierKey[];
  /** All of one name. */
  readonly cosigners: readonly Cosigner[];
  readonly store: WitnessStore;
  /** Seconds since 1970. */
  readonly now: () => number;
}

/** A refusal that is an answer. */
class Refusal extends Error {
  readonly answer: WitnessAnswer;

  constructor(answer: WitnessAnswer) {
    super(answer.body);
    this.answer = answer;
  }
}

/**
 * Cosigns the checkpoints of logs that only grow (C2SP tlog-witness). What it cosigned is durable before the cosignature
 * is returned, so that it never cosigns two checkpoints of a log that are not consistent. Synchronous: no request comes
 * between the check and the write. Only one process may use a store.
 */
export class Witness {
  readonly #logs: readonly VerifierKey[];
  readonly #cosigners: readonly Cosigner[];
  readonly #keys: readonly CosignerKey[];
  readonly #store: WitnessStore;
  readonly #now: () => number;
  /** By origin, the text of the checkpoint that this process wrote last. */
  readonly #durable = new Map<string, string>();

  constructor({ logs, cosigners, store, now }: WitnessParts) {
    this.#logs = logs;
    this.#cosigners = cosigners;
    this.#keys = cosigners.map(cosignerKey);
    this.#store = store;
    this.#now = now;
  }

  /**
   * Answers `POST add-checkpoint`.
   *
   * @throws AuditLogError if the stored state is damaged, or the system's error if it cannot be written: nothing is cosigned
   */
  addCheckpoint(body: Uint8Array): WitnessAnswer {
    try {
      const request = parseAddCheckpoint(body);
      const { note, checkpoint } = request;
      this.#requireSignature(note, checkpoint);
      this.#requireGrowth(request);
      const timestamp = Math.max(1, this.#now());
      const signatures = this.#cosigners.map((cosigner) => cosign(note.text, cosigner, timestamp));
      this.#keep(note, checkpoint, signatures);
      return { status: 200, contentType: plainText, body: formatSignatures(signatures) };
    } catch (error) {
      if (error instanceof Refusal) {
        return error.answer;
      }
      if (error instanceof BadCheckpointError) {
        return refusal(400, error.message).answer;
      }
      throw error;
    }
  }

  /**
   * The newest checkpoint cosigned, for `GET <origin hash>/checkpoint`; undefined if there is none.
   *
   * @throws AuditLogError if it is damaged
   */
  checkpoint(hash: string): string | undefined {
    const log = this.#logs.find(({ name }) => originHash(name) === hash);
    const state = log && this.#state(log.name);
    return state && formatNote(state.note);
  }

  #requireSignature(note: SignedNote, checkpoint: Checkpoint): void {
    const { origin } = checkpoint;
    const keys = this.#logs.filter(({ name }) => name === origin);
    if (keys.length === 0) {
      throw refusal(404, `This witness does not know the log ${origin}`);
    }
    const signed = keys.flatMap((key) =>
      note.signatures
        .filter((signature) => isSameKey(signature, key))
        .map(({ bytes }) => verify(null, Buffer.from(note.text), publicKeyOf(key), bytes)),
    );
    // One of a known key that fails makes the whole note malformed (C2SP signed-note).
    if (signed.length === 0 || signed.includes(false)) {
      throw refusal(403, `The checkpoint is not signed by a key of the log ${origin}`);
    }
  }

  /**
   * What this process wrote is not written again, or anybody could keep the disk busy with a checkpoint that is public. What
   * it only read may be in memory alone.
   */
  #keep({ text, signatures }: SignedNote, of: Checkpoint, own: readonly NoteSignature[]): void {
    if (this.#durable.get(of.origin) !== text) {
      // Not the request's other signatures: nobody verified them.
      const verified = signatures.filter((signature) => this.#isOfLog(signature, of));
      const cosigned = withSignatures({ text, signatures: verified }, own);
      this.#durable.delete(of.origin);
      this.#store.write(originHash(of.origin), formatNote(cosigned));
      this.#durable.set(of.origin, text);
    }
  }

  #requireGrowth({ oldSize, proof, checkpoint }: AddCheckpoint): void {
    const { origin, size, root } = checkpoint;
    if (oldSize > size) {
      throw refusal(400, 'The old size is larger than the checkpoint');
    }
    const old = this.#state(origin)?.checkpoint ?? { size: 0, root: emptyRoot };
    if (oldSize !== old.size) {
      throw new Refusal({
        status: 409,
        contentType: sizeType,
        body: `${String(old.size)}\n`,
      });
    }
    if (!verifyConsistency(old.size, size, proof, old.root, root)) {
      throw refusal(
        422,
        old.size === size
          ? `This witness cosigned another tree of ${String(size)} records`
          : `The proof does not show that the tree of ${String(size)} records begins with the ${String(old.size)} that were cosigned`,
      );
    }
  }

  /** What was cosigned last. Verified, so that a damaged state is not taken for an older or another one. */
  #state(origin: string): { note: SignedNote; checkpoint: Checkpoint } | undefined {
    const hash = originHash(origin);
    const kept = this.#store.read(hash);
    if (kept === undefined) {
      return undefined;
    }
    try {
      const note = parseNote(kept);
      const checkpoint = parseCheckpoint(note.text);
      const isOurs = this.#keys.some((key) => cosignedAt(note, key) !== undefined);
      if (isOurs && checkpoint.origin === origin) {
        return { note, checkpoint };
      }
    } catch (error) {
      if (!(error instanceof BadCheckpointError)) {
        throw error;
      }
    }
    throw new AuditLogError(
      `The state of the log ${origin} is damaged, or of another witness key (file ${hash}): nothing is cosigned for this log`,
    );
  }

  #isOfLog(signature: { name: string; id: Buffer }, { origin }: Checkpoint): boolean {
    return this.#logs.some((key) => key.name === origin && isSameKey(signature, key));
  }
}

const plainText = 'text/plain; charset=utf-8';
export const sizeType = 'text/x.tlog.size';

function refusal(status: 400 | 403 | 404 | 422, sentence: string): Refusal {
  return new Refusal({ status, contentType: plainText, body: `${sentence}\n` });
}
