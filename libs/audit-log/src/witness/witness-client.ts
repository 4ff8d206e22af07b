import { BadCheckpointError } from '../errors.ts';
import { openCheckpoint, parseCheckpoint, type VerifierKey } from '../note/checkpoint.ts';
import { cosignedAt } from '../note/cosignature.ts';
import { formatNote, parseNote, withSignatures, type SignedNote } from '../note/signed-note.ts';
import { meetsPolicy, type Policy, type PolicyWitness } from './policy.ts';
import {
  submitCheckpoint,
  type Post,
  type Submission,
  type Submitted,
} from './submit-checkpoint.ts';

/** The log whose checkpoints are cosigned. */
interface WitnessedLog {
  readonly key: VerifierKey;
  /** Consistency proof of two sizes, both above zero. */
  readonly prove: Submitted['prove'];
}

interface ClientOptions {
  readonly policy: Policy;
  readonly log: WitnessedLog;
  /** A cosigned checkpoint of this log that was kept; undefined if none was. */
  readonly kept: string | undefined;
  /** Default: Node's. */
  readonly fetch?: Post;
  /** Of each request. Default 10,000. */
  readonly deadlineMs?: number;
  /** Pause after a first failure; doubled after each more. Default 5,000. */
  readonly firstPauseMs?: number;
  /** Default 120,000. */
  readonly longestPauseMs?: number;
  /** Monotonic, in milliseconds. */
  readonly now?: () => number;
}

/** What a witness said in a round. */
export interface WitnessReport extends Submission {
  readonly witness: string;
  /** Whether it said something else the last time. */
  readonly isNew: boolean;
  /** Size that it had cosigned for us, where it has forgotten that: it was rolled back itself. */
  readonly forgot?: number;
}

export interface Round {
  /** The checkpoint with all its cosignatures. */
  readonly note: string;
  /** Whether it meets the policy. */
  readonly isMet: boolean;
  /** Of the witnesses that were asked. */
  readonly reports: readonly WitnessReport[];
}

/** Asks the witnesses of a policy to cosign each checkpoint, and keeps what they cosigned. */
export class WitnessClient {
  readonly #options: Required<Omit<ClientOptions, 'kept'>>;
  readonly #peers: readonly Peer[];
  readonly #stop = new AbortController();
  #kept: SignedNote | undefined;

  /** @throws BadCheckpointError if a witness has no address */
  constructor({ kept, ...options }: ClientOptions) {
    this.#options = {
      fetch,
      deadlineMs: 10_000,
      firstPauseMs: 5000,
      longestPauseMs: 120_000,
      now: () => performance.now(),
      ...options,
    };
    this.#kept = this.#keptNote(kept);
    this.#peers = options.policy.witnesses.map((witness) => new Peer(witness, this.#kept));
  }

  /** The newest checkpoint that meets the policy; if none does, the newest that has cosignatures. */
  kept(): string | undefined {
    return this.#kept && formatNote(this.#kept);
  }

  /** The checkpoint with the cosignatures that are kept, if they are of the same tree. */
  cosigned(note: string): string {
    if (this.#kept === undefined || !note.startsWith(`${this.#kept.text}\n`)) {
      return note;
    }
    return formatNote(withSignatures(parseNote(note), this.#kept.signatures));
  }

  /**
   * Submits a checkpoint to all witnesses that have not cosigned it and are not to be left alone for now.
   *
   * @throws what `prove` throws
   */
  async ask(note: string): Promise<Round> {
    const asked = parseNote(this.cosigned(note));
    const { firstPauseMs, now } = this.#options;
    const due = this.#peers.filter((peer) => peer.isDue(asked.text, now()));
    const reports = await Promise.all(
      due.map(async (peer) => {
        const submission = await submitCheckpoint({
          fetch: this.#options.fetch,
          witness: peer.witness,
          note: asked,
          oldSize: peer.size,
          prove: this.#options.log.prove,
          deadlineMs: this.#options.deadlineMs,
          stop: this.#stop.signal,
        });
        return peer.heard(submission, asked.text, {
          now: now(),
          firstPauseMs,
          longestPauseMs: this.#options.longestPauseMs,
        });
      }),
    );
    const cosigned = withSignatures(
      asked,
      reports.flatMap(({ signatures }) => signatures),
    );
    const isMet = meetsPolicy(this.#options.policy, cosigned);
    if (isMet || (!this.#isKeptMet() && reports.some(({ kind }) => kind === 'cosigned'))) {
      this.#kept = cosigned;
    }
    return { note: formatNote(cosigned), isMet, reports };
  }

  /** Ends running requests. */
  close(): void {
    this.#stop.abort();
  }

  #isKeptMet(): boolean {
    return this.#kept !== undefined && meetsPolicy(this.#options.policy, this.#kept);
  }

  /** What was kept, if it is a checkpoint of this log: else the witnesses are asked anew, and nothing is lost. */
  #keptNote(kept: string | undefined): SignedNote | undefined {
    try {
      if (kept !== undefined) {
        openCheckpoint(kept, this.#options.log.key);
        const note = parseNote(kept);
        meetsPolicy(this.#options.policy, note);
        return note;
      }
    } catch (error) {
      if (!(error instanceof BadCheckpointError)) {
        throw error;
      }
    }
    return undefined;
  }
}

interface Pauses {
  readonly now: number;
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}

/** What is known about a witness. */
class Peer {
  readonly witness: Submitted['witness'];
  /** Size that it cosigned last, as far as is known. */
  size = 0;
  #cosignedText: string | undefined;
  #last: string | undefined;
  #notBefore = -Infinity;
  #pauseMs = 0;

  constructor({ name, key, url }: PolicyWitness, kept: SignedNote | undefined) {
    if (url === undefined) {
      throw new BadCheckpointError(`The witness ${name} has no address`);
    }
    this.witness = { name, key, url };
    if (kept !== undefined && cosignedAt(kept, key) !== undefined) {
      this.size = parseCheckpoint(kept.text).size;
    }
  }

  isDue(text: string, now: number): boolean {
    return this.#cosignedText !== text && now >= this.#notBefore;
  }

  heard(said: Submission, text: string, pauses: Pauses): WitnessReport {
    const { theirSize = 0 } = said;
    const hasForgotten = said.theirSize !== undefined && theirSize < this.size;
    const report = {
      ...said,
      witness: this.witness.name,
      isNew: said.kind !== this.#last || hasForgotten,
      ...(hasForgotten ? { forgot: this.size } : {}),
    };
    this.#last = said.kind;
    if (said.kind === 'cosigned') {
      this.size = parseCheckpoint(text).size;
      this.#cosignedText = text;
      this.#pauseMs = 0;
    } else {
      const { now, firstPauseMs, longestPauseMs } = pauses;
      this.#pauseMs = Math.min(Math.max(firstPauseMs, this.#pauseMs * 2), longestPauseMs);
      this.#notBefore = now + this.#pauseMs;
    }
    return report;
  }
}
