/** Each kind has a sentence in the catalogs (`update.<kind>`). */
export interface UpdateState {
  readonly kind:
    | 'off'
    | 'wrongAddress'
    | 'byAdmin'
    | 'checking'
    | 'unreachable'
    | 'current'
    | 'downloading'
    | 'ready'
    | 'wrongFile'
    | 'failed';
  readonly version?: string;
}
