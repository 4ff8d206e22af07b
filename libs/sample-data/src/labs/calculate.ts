type Values = ReadonlyMap<string, number>;

function from(values: Values, slugs: readonly string[]): number[] | undefined {
  const found: number[] = [];
  for (const slug of slugs) {
    const value = values.get(slug);
    if (value === undefined) return undefined;
    found.push(value);
  }
  return found;
}

/** A biomarker calculated from others; not known where one of them isn't. */
export function calculate(
  slugs: readonly string[],
  formula: (...values: number[]) => number,
): (values: Values) => number | undefined {
  return (values) => {
    const found = from(values, slugs);
    return found === undefined ? undefined : formula(...found);
  };
}
