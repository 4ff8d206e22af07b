import problems from './problems.json' with { type: 'json' };

export type ProblemType = keyof typeof problems;

interface ProblemKind {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly meaning: string;
  readonly remedy: string;
}

/** By the last part of `type` (RFC 9457), which is stable. Of several types of a status, the first is the default. */
export const PROBLEMS: Readonly<Record<ProblemType, ProblemKind>> = problems;

const byStatus = new Map<number, ProblemType>(
  (Object.keys(PROBLEMS) as ProblemType[])
    .toReversed()
    .map((type) => [PROBLEMS[type].status, type]),
);

/** Other 4xx are malformed requests, anything else is an internal error. */
export function problemTypeOfStatus(status: number): ProblemType {
  return byStatus.get(status) ?? (status >= 400 && status < 500 ? 'malformed-request' : 'internal');
}

export function isProblemType(name: string): name is ProblemType {
  return Object.hasOwn(PROBLEMS, name);
}
