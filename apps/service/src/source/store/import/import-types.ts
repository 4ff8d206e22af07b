import { OperatorError } from '../../../config/operator-error.ts';
import type { Issue } from '@caregate/domain/validate';

/** A line that was not imported and why. Reasons never hold a value of the line. */
export interface RefusedLine {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly reasons: readonly Reason[];
  /** The line as it came, for `--skip-invalid`; undefined where it is too long or no UTF-8. Never log it. */
  readonly text?: string | undefined;
}

export interface Reason {
  /** JSON path of the field within the line (`user.created_on`, `data[3].end`); empty for the line as a whole. */
  readonly path: string;
  readonly message: string;
}

export const KINDS = ['user', 'lab_result', 'insurance', 'mindfulness_minutes'] as const;
export type Kind = (typeof KINDS)[number];

/** Records of one kind: of `mindfulness_minutes` these are points, of the others lines. */
export interface Counts {
  added: number;
  updated: number;
  unchanged: number;
}

export interface ImportReport {
  readonly file: string;
  /** False where the file was refused: nothing of it is in the store. */
  readonly imported: boolean;
  /** Lines with something on them. */
  readonly lines: number;
  /** What was done to the store, or would have been. */
  readonly counts: Readonly<Record<Kind, Readonly<Counts>>>;
  readonly refused: {
    readonly count: number;
    readonly first: readonly RefusedLine[];
    /** True where reading stopped because too many lines were wrong. */
    readonly gaveUp: boolean;
  };
  readonly warnings: { readonly count: number; readonly first: readonly ImportWarning[] };
}

/** Something odd in a line that was imported all the same. */
export interface ImportWarning extends Reason {
  readonly file: string;
  readonly line: number;
}

export interface Progress {
  /** Of the file as it lies on disk. */
  readonly bytesRead: number;
  /** Undefined for a pipe. */
  readonly bytesTotal: number | undefined;
  readonly lines: number;
}

export interface ImportOptions {
  /** The one team that lines may be of, the 16 bytes of its id; a line of another team is refused. */
  readonly team?: Uint8Array | undefined;
  /** Where it is given, refused lines go there and the rest is imported; otherwise it is all or nothing. */
  readonly onRefused?: ((refused: RefusedLine) => void) | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Called once when another process is writing to the store and this one begins to wait. */
  readonly onWaiting?: (() => void) | undefined;
  /** How long to wait for another writer, in milliseconds. Default ten minutes. */
  readonly waitMs?: number | undefined;
  /** How many refused lines and warnings the report holds. Default 20. */
  readonly shown?: number | undefined;
  /** After so many refused lines an all-or-nothing import stops reading. Default 10,000. */
  readonly giveUpAfter?: number | undefined;
  /** Longest line, in bytes. Default 64 MiB. */
  readonly maxLineBytes?: number | undefined;
}

/** An import that could not go on. The store is as before. */
export class ImportFailedError extends OperatorError {
  override readonly name = 'ImportFailedError';
  /** `input`: a file that is missing, unreadable or cut off. `store`: a full disk, a locked or damaged store. */
  readonly fault: 'input' | 'store';

  constructor(fault: 'input' | 'store', message: string, cause?: unknown) {
    super(message, fault === 'input' ? 2 : 1, cause);
    this.fault = fault;
  }
}

const plainName = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/u;

/** An issue's path as people read it. Names that are not plain could be anything, so they are not repeated. */
export function reasonOf(issue: Issue): Reason {
  const path = issue.path
    .map((part) =>
      typeof part === 'number' ? `[${part}]` : plainName.test(part) ? `.${part}` : '.?',
    )
    .join('')
    .replace(/^\./u, '');
  return { path, message: issue.message };
}
