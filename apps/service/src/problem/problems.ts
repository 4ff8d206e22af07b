import problems from './problems.json' with { type: 'json' };

export type ProblemType = keyof typeof problems;

interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** Of a problem that has no specific one. */
  readonly detail: string;
  /** When it is returned, on its page. */
  readonly meaning: string;
  /** What the caller can do. */
  readonly remedy: string;
}

/**
 * All problem types (RFC 9457) by the last part of `type`, which is stable. If a status has several types, the first is the
 * default.
 */
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
