import { boolean, object, oneOf, optional, text } from './schema.ts';
import type { TypeOf } from './schema.ts';

/** State of updates; texts in the catalogues (`update.<kind>`). */
const UPDATE_KINDS = [
  'off',
  'noAddress',
  'wrongAddress',
  'noKey',
  'asking',
  'unreachable',
  'unsigned',
  'otherChannel',
  'replayed',
  'expired',
  'upToDate',
  'older',
  'held',
  'staged',
  'noFile',
  'wrongFile',
  'told',
  'fetching',
  'waiting',
  'installing',
  'failed',
] as const;
export type UpdateKind = (typeof UPDATE_KINDS)[number];

export const updateSchema = object({
  kind: oneOf(UPDATE_KINDS),
  version: optional(text(1, 40)),
  /** The newest version that the policy allows. */
  hold: optional(text(1, 40)),
  file: optional(text(1, 4096)),
  /** ISO 8601, in UTC. */
  checkedAt: optional(text(20, 40)),
  /** Whether this build trusts the development key, which is public. */
  isDevelopment: boolean,
});
export type UpdateState = TypeOf<typeof updateSchema>;
