import type {
  BiomarkerResult,
  ImportEnvelope,
  LabResultEnvelope,
  OrderEnvelope,
} from '@caregate/domain';
import data from './data/edge-cases.json' with { type: 'json' };
import { buildOrderEnvelopes } from './labs/order-envelopes.ts';
import { sampleTeamId } from './sample-envelopes.ts';

export interface EdgeCase {
  readonly userId: string;
  readonly clientUserId: string;
  readonly orderId?: string;
  readonly about: string;
}

export const edgeCases = data.cases satisfies Record<string, EdgeCase>;

export type EdgeCaseName = keyof typeof edgeCases;

/** An ID of 200 characters, the longest supported. */
export const longClientUserId = edgeCases.longClientUserId.clientUserId;

/** Returns valid records, users first. The IDs are fixed, so a store can import them for one team only. */
export function edgeCaseEnvelopes(teamId: string = sampleTeamId): ImportEnvelope[] {
  const stored = structuredClone(data.envelopes) as unknown as readonly Exclude<
    ImportEnvelope,
    OrderEnvelope
  >[];
  const envelopes = stored.map((envelope): ImportEnvelope => {
    return envelope.kind === 'user'
      ? { kind: 'user', user: { ...envelope.user, team_id: teamId } }
      : { ...envelope, team_id: teamId };
  });
  const labs = envelopes.filter((envelope) => envelope.kind === 'lab_result');
  for (const lab of labs) {
    if (lab.order_id === edgeCases.fiveHundredBiomarkers.orderId) repeatResult(lab);
  }
  return [
    ...envelopes.filter(({ kind }) => kind === 'user'),
    ...labs.flatMap((each) => buildOrderEnvelopes([each], []).slice(0, 1)),
    ...envelopes.filter(({ kind }) => kind !== 'user'),
  ];
}

/** Repeats the result 500 times: every fifth one is above its range, every seventh below it. */
function repeatResult({ result }: LabResultEnvelope): void {
  const [only] = result.results;
  if (only === undefined) return;
  result.results = Array.from({ length: 500 }, (_, index): BiomarkerResult => {
    const number = index + 1;
    const named = { ...only, name: `Marker ${number}`, slug: `marker-${number}` };
    const [isHigh, isLow] = [index % 5 === 0, index % 7 === 0];
    if (!isHigh && !isLow) return named;
    const value = isHigh ? 145 + index : 120;
    return {
      ...named,
      value,
      result: String(value),
      ...(isHigh ? { is_above_max_range: true } : { is_below_min_range: true }),
      interpretation: 'abnormal',
    };
  });
}
