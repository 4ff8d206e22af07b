import { PROBLEMS, type ProblemType } from './problems.ts';

/** Static, without scripts (RFC 9457, 3.1.1). */
export function problemPage(type: ProblemType): string {
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
