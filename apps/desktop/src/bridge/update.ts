import { boolean, object, oneOf, optional, text } from './schema.ts';
import type { TypeOf } from './schema.ts';

/** What this desk knows of newer versions; each has a sentence in the catalogues (`update.<kind>`). */
const UPDATE_KINDS = [
  // Nothing is asked.
  'off',
  'noAddress',
  'wrongAddress',
  'noKey',
  // What the address offered.
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
  // What became of it.
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
  /** That is offered. */
  version: optional(text(1, 40)),
  /** The newest that the policy wants. */
  hold: optional(text(1, 40)),
  /** Where its package is, for whoever installs on this computer. */
  file: optional(text(1, 4096)),
  /** ISO 8601, in UTC. */
  checkedAt: optional(text(20, 40)),
  /** Whether this build takes what the development key signed, which anybody can. */
  isDevelopment: boolean,
});
export type UpdateState = TypeOf<typeof updateSchema>;
