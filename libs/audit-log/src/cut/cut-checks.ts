import { CUT, PROPOSE_CUT, UPGRADE_LOG } from '../entry/log-operations.ts';
import { AuditBrokenError } from '../errors.ts';
import type { VerifierKey } from '../note/checkpoint.ts';
import { checkCut, type ProvenCut } from './check-cut.ts';
import { cutRecordOf, dateOf, operationAt, type CutRecord } from './cut-records.ts';
import { Spans } from './month-spans.ts';

export interface CutChecksOptions {
  /** Every key that signed this log, oldest first; their name is the log's. */
  readonly keys: readonly VerifierKey[];
  /** Public keys of approvers kept in another place: where given, a cut by others is not valid. */
  readonly approvers?: readonly VerifierKey[];
  /** Milliseconds since 1970; default: now. */
  readonly nowMs?: number;
}

/** Records that an upgrade took over although no checkpoint of the earlier version covered them. */
export interface NotProved {
  readonly first: number;
  /** The record after the last of them. */
  readonly end: number;
}

/** What `CutChecks` found. */
export interface CutReport {
  /** Number of records erased, from 0 on. */
  readonly erased: number;
  /** Records taken over as erased by an upgrade, without a proof. */
  readonly unproven: number;
  /** The valid cuts, in order. */
  readonly cuts: readonly ProvenCut[];
  readonly notProved: NotProved | undefined;
}

/**
 * Whether what is erased in a log may be erased. Give it all records in order, then `finish`. What it proves and what it
 * can't is in the README.
 */
export class CutChecks {
  readonly #options: CutChecksOptions;
  readonly #records: CutRecord[] = [];
  readonly #roots = new Map<number, Buffer>();
  readonly #upgradesAt = new Set<number>();
  #erased = 0;
  readonly #spans = new Spans();

  constructor(options: CutChecksOptions) {
    this.#options = options;
  }

  get erased(): number {
    return this.#erased;
  }

  /** Where the record of an upgrade may stand: with it another key or the first seal begins. Anywhere else it allows nothing. */
  mayUpgradeAt(seq: number): void {
    this.#upgradesAt.add(seq);
  }

  /**
   * A record of which only the hash is left.
   *
   * @throws AuditBrokenError if one before it is not erased: a cut erases from the oldest on
   */
  takeErased(seq: number): void {
    if (seq !== this.#erased) {
      throw new AuditBrokenError(
        'altered',
        `Record ${seq} was erased without a retention cut`,
        seq,
      );
    }
    this.#erased += 1;
  }

  /**
   * A record that is there.
   *
   * @param body its UTF-8 bytes, one character per byte (latin1)
   * @param root root of the tree of the records before it; called for proposals of cuts only
   * @param at where `"operation":"` stands, if it is known
   */
  take(seq: number, body: string, root: () => Buffer, at: number = operationAt(body)): void {
    this.#spans.take(seq, dateOf(body, at), false);
    const record = cutRecordOf(seq, body, at);
    if (record === undefined) {
      return;
    }
    this.#records.push(record);
    if (record.operation === PROPOSE_CUT) {
      this.#roots.set(seq, root());
    }
  }

  /** @throws AuditBrokenError if more is erased than valid cuts allow */
  finish(): CutReport {
    const erased = this.#erased;
    const upgrades = this.#upgrades();
    const unproven = Math.min(erased, takenOver(upgrades));
    const cuts: ProvenCut[] = [];
    let why = '';
    for (const [at, cut] of this.#records.entries()) {
      const outcome = cut.operation === CUT ? this.#check(cut, at) : undefined;
      if (typeof outcome === 'string') {
        why = `: record ${cut.seq} is no valid one, ${outcome}`;
      } else if (outcome !== undefined) {
        cuts.push(outcome);
      }
    }
    const allowed = Math.max(unproven, ...cuts.map(({ terms }) => terms.beforeSeq));
    if (erased > allowed) {
      throw new AuditBrokenError(
        'altered',
        `Record ${allowed} was erased without a retention cut${why}`,
        allowed,
      );
    }
    return { erased, unproven, cuts, notProved: notProvedIn(upgrades) };
  }

  #check(cut: CutRecord, at: number): ProvenCut | string {
    const { keys, approvers, nowMs = Date.now() } = this.#options;
    const before = this.#records.slice(0, at);
    const outcome = checkCut(cut, {
      keys,
      nowMs,
      erased: this.#erased,
      before,
      roots: this.#roots,
      ...(approvers !== undefined && { approvers }),
    });
    return typeof outcome === 'string' ? outcome : (this.#misplaced(outcome) ?? outcome);
  }

  /** A cut ends between the last record up to its month and the first one after it, as far as they are still there. */
  #misplaced({ terms: { beforeSeq, since, until } }: ProvenCut): string | undefined {
    const wrong =
      beforeSeq < this.#erased
        ? undefined
        : this.#spans.all.find(({ firstSeq, endSeq, month }) =>
            firstSeq < beforeSeq
              ? month < since || month > until || endSeq > beforeSeq
              : firstSeq === beforeSeq && month <= until,
          );
    return wrong && `record ${wrong.firstSeq} is not of the months that it names`;
  }

  #upgrades(): CutRecord[] {
    return this.#records.filter(
      ({ seq, operation, details }) =>
        operation === UPGRADE_LOG && this.#upgradesAt.has(seq) && details['records'] === seq,
    );
  }
}

/** What upgrades found erased: by the log's own word, since cuts carried no proof before. */
function takenOver(upgrades: readonly CutRecord[]): number {
  const counts = upgrades.map(({ seq, details }) => Math.min(seq, Number(details['erased'] ?? 0)));
  return Math.max(0, ...counts.filter(Number.isSafeInteger));
}

function notProvedIn(upgrades: readonly CutRecord[]): NotProved | undefined {
  return upgrades
    .map(({ seq, details }) => ({ first: Number(details['proved'] ?? 0), end: seq }))
    .find(({ first, end }) => first < end);
}
