import { integer, object, oneOf, optional, text } from './schema.ts';
import type { TypeOf } from './schema.ts';

/** What is wrong with a service's audit log; texts in the catalogues (`witness.<why>`). */
const BREACHES = ['keyChanged', 'badSignature', 'cutOff', 'changed'] as const;
export type Breach = (typeof BREACHES)[number];

const size = integer(0, Number.MAX_SAFE_INTEGER);
const time = text(20, 40);
const why = oneOf(BREACHES);

export const witnessSchema = object({
  kind: oneOf(['nothing', 'holds', 'broken']),
  size: optional(size),
  checkedAt: optional(time),
  why: optional(why),
  foundAt: optional(time),
  evidence: optional(text(0, 100_000)),
});
export type WitnessState = TypeOf<typeof witnessSchema>;

export const witnessFileSchema = object({
  key: text(1, 10_000),
  note: text(1, 100_000),
  size,
  checkedAt: time,
  breach: optional(object({ why, foundAt: time, evidence: text(0, 100_000) })),
});
export type WitnessRecord = TypeOf<typeof witnessFileSchema>;
