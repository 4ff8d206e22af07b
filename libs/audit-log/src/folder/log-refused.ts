import { AuditLogError } from '../errors.ts';

const goOn =
  'If you know why, archive this log and begin another: caregate audit new-log --reason TEXT';

const sentences = {
  in_use: () =>
    'Another process is writing the audit log of this data folder. Stop it, or try again once it has ended.',
  key_without_log: () =>
    `The audit log of this data folder is missing, but its signing key is here: the log was deleted, or not restored. ${goOn}`,
  log_missing: (what: string) =>
    `This data folder has no audit log and no signing key, but it has been in use: ${what}. Both were deleted or not restored. Put them back from a backup if you can. ${goOn}`,
  log_without_key: () =>
    `The signing key of the audit log (audit-key.pem) is missing. Put it back, or ${lower(goOn)}`,
  wrong_key: () =>
    `The signing key (audit-key.pem) is not the key of this audit log. Put the right one back, or ${lower(goOn)}`,
  key_elsewhere: (what: string) =>
    `The signing key of the audit log is to be outside the data folder, and ${what}.`,
  log_file_damaged: () =>
    `The file audit/log is damaged. Put it back from a backup, or ${lower(goOn)}`,
  checkpoint_missing: () => `The checkpoint of the audit log is missing. ${goOn}`,
  checkpoint_wrong: (what: string) => `The checkpoint of the audit log is wrong: ${what}. ${goOn}`,
  checkpoint_smaller: (what: string) =>
    `The checkpoint of the audit log was replaced by an older one: ${what}. ${goOn}`,
  checkpoint_larger: (what: string) => `The end of the audit log is missing: ${what}. ${goOn}`,
  altered: (what: string) => `The audit log was altered or damaged: ${what}. ${goOn}`,
  unsealed_end: (what: string) => `The audit log has bytes that no seal covers: ${what}. ${goOn}`,
} as const;

export type Refusal = keyof typeof sentences;

/** A log that a start refuses; the message says how to go on. */
export class LogRefusedError extends AuditLogError {
  override readonly name = 'LogRefusedError';
  readonly kind: Refusal;

  constructor(kind: Refusal, message: string) {
    super(message);
    this.kind = kind;
  }
}

export function refused(kind: Refusal, what = ''): LogRefusedError {
  return new LogRefusedError(kind, sentences[kind](what));
}

function lower(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
