import { BadCheckpointError } from '../errors.ts';
import { parseCheckpoint, type VerifierKey } from '../note/checkpoint.ts';
import { cosignedAt } from '../note/cosignature.ts';
import { formatNote, parseNote, withSignatures, type SignedNote } from '../note/signed-note.ts';
import type { Policy, PolicyWitness } from './policy.ts';
import {
  submitCheckpoint,
  type Post,
  type Submission,
  type Submitted,
} from './submit-checkpoint.ts';

interface WitnessedLog {
  readonly key: Pick<VerifierKey, 'open'>;
  readonly prove: Submitted['prove'];
}

interface ClientOptions {
  readonly policy: Policy;
  readonly log: WitnessedLog;
  /** A stored cosigned checkpoint of this log. */
  readonly kept: string | undefined;
  readonly fetch?: Post;
  /** Of each request. Default 10,000. */
  readonly deadlineMs?: number;
  /** Pause after the first failure; doubles each time. Default 5,000. */
  readonly firstPauseMs?: number;
  /** Default 120,000. */
  readonly longestPauseMs?: number;
  /** Monotonic, in milliseconds. */
  readonly now?: () => number;
}

interface WitnessReport extends Submission {
  readonly witness: string;
  /** Whether the answer changed. */
  readonly isNew: boolean;
  /** The size it had cosigned, if it forgot: the witness was rolled back. */
  readonly forgot?: number;
}

interface Round {
  readonly note: string;
  readonly isMet: boolean;
  readonly reports: readonly WitnessReport[];
}

/** Has checkpoints cosigned by the witnesses of a policy and stores the cosignatures. */
export class WitnessClient {
  readonly #options: Required<Omit<ClientOptions, 'kept'>>;
  readonly #peers: readonly Peer[];
  readonly #stop = new AbortController();
  #kept: SignedNote | undefined;

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

  /** The newest checkpoint that meets the policy, else the newest cosigned one. */
  kept(): string | undefined {
    return this.#kept && formatNote(this.#kept);
  }

  /** Adds stored cosignatures of the same tree. */
  cosigned(note: string): string {
    if (this.#kept === undefined || !note.startsWith(`${this.#kept.text}\n`)) {
      return note;
    }
    return formatNote(withSignatures(parseNote(note), this.#kept.signatures));
  }

  /** Submits to all witnesses that have not cosigned it and are not paused. @throws what `prove` throws */
  async ask(note: string): Promise<Round> {
    const submitted = parseNote(this.cosigned(note));
    const { fetch, deadlineMs, log, now } = this.#options;
    const due = this.#peers.filter((peer) => peer.isDue(submitted.text, now()));
    const reports = await Promise.all(
      due.map(async (peer) => {
        const submission = await submitCheckpoint({
          fetch,
          witness: peer.witness,
          note: submitted,
          oldSize: peer.size,
          prove: log.prove,
          deadlineMs,
          stop: this.#stop.signal,
        });
        return peer.heard(submission, submitted.text, this.#options);
      }),
    );
    const cosigned = withSignatures(
      submitted,
      reports.flatMap(({ signatures }) => signatures),
    );
    const isMet = this.#options.policy.isMetBy(cosigned);
    if (isMet || (!this.#isKeptMet() && reports.some(({ kind }) => kind === 'cosigned'))) {
      this.#kept = cosigned;
    }
    return { note: formatNote(cosigned), isMet, reports };
  }

  close(): void {
    this.#stop.abort();
  }

  #isKeptMet(): boolean {
    return this.#kept !== undefined && this.#options.policy.isMetBy(this.#kept);
  }

  /** Undefined unless it is a checkpoint of this log: then the witnesses are submitted anew. */
  #keptNote(kept: string | undefined): SignedNote | undefined {
    try {
      if (kept !== undefined) {
        this.#options.log.key.open(kept);
        const note = parseNote(kept);
        this.#options.policy.isMetBy(note);
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

type Pauses = Pick<Required<ClientOptions>, 'now' | 'firstPauseMs' | 'longestPauseMs'>;

class Peer {
  readonly witness: Submitted['witness'];
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

  heard(submission: Submission, text: string, options: Pauses): WitnessReport {
    const { theirSize = 0 } = submission;
    const hasForgotten = submission.theirSize !== undefined && theirSize < this.size;
    const report = {
      ...submission,
      witness: this.witness.name,
      isNew: submission.kind !== this.#last || hasForgotten,
      ...(hasForgotten ? { forgot: this.size } : {}),
    };
    this.#last = submission.kind;
    if (submission.kind === 'cosigned') {
      this.size = parseCheckpoint(text).size;
      this.#cosignedText = text;
      this.#pauseMs = 0;
    } else {
      const { now, firstPauseMs, longestPauseMs } = options;
      this.#pauseMs = Math.min(Math.max(firstPauseMs, this.#pauseMs * 2), longestPauseMs);
      this.#notBefore = now() + this.#pauseMs;
    }
    return report;
  }
}
