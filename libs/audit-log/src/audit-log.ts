import type { Members, RecordText } from './record.ts';
import type { PostgresOptions } from './storage/postgres.ts';

export interface AuditReceipt {
  readonly logId: string;
  readonly seq: number;
}

/** Where a log is: in `audit.db` of the data folder, or in a database. Its key is in the folder with either. */
export interface LogPlace {
  readonly dataDir: string;
  readonly postgres?: PostgresOptions | undefined;
}

export interface AuditLogOptions {
  readonly members: Members;
  /** First part of the name, `<host>/audit/<log id>`, fixed when the log begins. Default: the name of this machine. */
  readonly host?: string | undefined;
  /** Whether a log is begun where there is none. Default: true. */
  readonly mayBegin?: boolean;
  /** What shows that the folder had a log: then none is begun. */
  readonly hadLog?: string | undefined;
  /** How many records may wait. Default: 10,000. */
  readonly queueLimit?: number;
  /** Called when the log stops to take records, and when it takes them again. */
  readonly onStateChange?: (state: 'open' | 'interrupted', message: string) => void;
}

export interface AuditLogState {
  readonly queued: number;
  /** The log takes no records. */
  readonly isInterrupted: boolean;
  readonly written: number;
  readonly commits: number;
  /** How long commits took, in milliseconds. */
  readonly commitMs: { readonly sum: number; readonly last: number };
}

export interface AuditLog {
  readonly logId: string;
  /** The key that signs now, as a C2SP verifier key. */
  readonly publicKey: string;
  state(): AuditLogState;
  /**
   * Resolves once the record is durable.
   *
   * @throws AuditLogError if it may not be recorded; AuditUnavailableError if the log cannot take it: what is recorded MUST NOT
   *   take effect. Unless it says `isRefused`, the record may still appear in the log.
   */
  record(text: RecordText): Promise<AuditReceipt>;
  /** The newest signed head, also of what other processes appended, as a signed note. */
  checkpoint(): Promise<string>;
  close(): Promise<void>;
}
