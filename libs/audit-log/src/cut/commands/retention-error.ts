import { AuditLogError } from '../../errors.ts';

export type RetentionRefusal =
  | 'unauthorized'
  | 'same_person'
  | 'not_found'
  | 'expired'
  | 'too_young'
  | 'held'
  | 'nothing_to_cut'
  | 'changed'
  | 'done'
  | 'not_needed'
  | 'name_taken';

/** A retention operation that was refused; the message is for the user. */
export class RetentionError extends AuditLogError {
  override readonly name = 'RetentionError';
  readonly refusal: RetentionRefusal;

  constructor(refusal: RetentionRefusal, message: string) {
    super(message);
    this.refusal = refusal;
  }
}
