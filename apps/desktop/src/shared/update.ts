/** State of updates; texts in the catalogues (`update.<kind>`). */
export type UpdateKind =
  | 'off'
  | 'noAddress'
  | 'wrongAddress'
  | 'noKey'
  | 'asking'
  | 'unreachable'
  | 'unsigned'
  | 'otherChannel'
  | 'replayed'
  | 'expired'
  | 'upToDate'
  | 'older'
  | 'held'
  | 'staged'
  | 'noFile'
  | 'wrongFile'
  | 'told'
  | 'fetching'
  | 'waiting'
  | 'installing'
  | 'failed';

export interface UpdateState {
  readonly kind: UpdateKind;
  readonly version?: string | undefined;
  /** The newest version that the policy allows. */
  readonly hold?: string | undefined;
  readonly file?: string | undefined;
  /** ISO 8601, in UTC. */
  readonly checkedAt?: string | undefined;
  /** Whether this build trusts the development key, which is public. */
  readonly isDevelopment: boolean;
}
