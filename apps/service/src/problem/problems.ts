import problems from './problems.json' with { type: 'json' };

export type ProblemType = keyof typeof problems;

interface ProblemKind {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly meaning: string;
  readonly remedy: string;
}

/**
 * All problems by the last part of their `type` (RFC 9457), which never changes. If several have the same status, the
 * first is the default.
 */
export const PROBLEMS: Readonly<Record<ProblemType, ProblemKind>> = problems;

const byStatus = new Map<number, ProblemType>(
  (Object.keys(PROBLEMS) as ProblemType[])
    .toReversed()
    .map((type) => [PROBLEMS[type].status, type]),
);

/** Other statuses 4xx are malformed requests, and anything else is an internal error. */
export function getProblemType(status: number): ProblemType {
  return byStatus.get(status) ?? (status >= 400 && status < 500 ? 'malformed-request' : 'internal');
}

export function isProblemType(name: string): name is ProblemType {
  return Object.hasOwn(PROBLEMS, name);
}

/** Returns a static page without scripts about a problem type (RFC 9457, 3.1.1). */
export function renderProblemPage(type: ProblemType): string {
  const { status, title, meaning, remedy } = PROBLEMS[type];
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title} - Caregate</title>
  <link rel="stylesheet" href="../docs/page.css">
  <link rel="icon" type="image/png" href="../docs/favicon-32x32.png">
</head>
<body>
  <main class="problem">
    <h1>${title}</h1>
    <p>Status <strong>${status}</strong>, type <code>/problems/${type}</code></p>
    <h2>What it means</h2>
    <p>${meaning}</p>
    <h2>What to do</h2>
    <p>${remedy}</p>
    <p><a href="../docs">All operations and problems</a></p>
  </main>
</body>
</html>
`;
}
