/** At each depth a sub-folder is one point; points that reach each other are a circle where at least one is a folder. */
export function folderCircles(imports) {
  const levels = new Map();
  for (const { from, to } of imports) {
    const [a, b] = [from.split('/'), to.split('/')];
    const depth = a.findIndex((part, at) => part !== b[at]);
    if (depth === -1 || to.startsWith('..')) continue;
    const arrows = at(levels, a.slice(0, depth).join('/') || '.', () => new Map());
    at(arrows, pointOf(a, depth), () => new Set()).add(pointOf(b, depth));
  }
  return [...levels].flatMap(([folder, arrows]) =>
    loops(arrows)
      .filter((points) => points.some((point) => point.endsWith('/')))
      .map((points) => ({ folder, points: points.toSorted() })),
  );
}

function pointOf(path, depth) {
  return path.length === depth + 1 ? path[depth] : `${path[depth]}/`;
}

function at(map, key, make) {
  if (!map.has(key)) map.set(key, make());
  return map.get(key);
}

function loops(arrows) {
  const reached = new Map([...arrows.keys()].map((point) => [point, reach(arrows, point)]));
  const found = new Map();
  for (const [point, others] of reached) {
    const loop = [...others].filter((other) => reached.get(other)?.has(point)).toSorted();
    if (loop.length > 1) found.set(loop.join(), loop);
  }
  return [...found.values()];
}

function reach(arrows, start) {
  const seen = new Set();
  const ahead = [start];
  while (ahead.length > 0) {
    for (const next of arrows.get(ahead.pop()) ?? []) {
      if (!seen.has(next)) {
        seen.add(next);
        ahead.push(next);
      }
    }
  }
  return seen;
}
