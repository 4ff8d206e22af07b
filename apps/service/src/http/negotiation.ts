interface Weighted {
  readonly value: string;
  readonly weight: number;
}

/** HTML must have a higher weight than JSON, or come first (RFC 9110, 12.5.1). */
export function wantsHtml(accept: string | undefined): boolean {
  const ranges = weighted(accept ?? '');
  const weightOf = (...names: readonly string[]): number =>
    names.map((name) => ranges.find(({ value }) => value === name)?.weight).find(isGiven) ?? 0;
  const html = weightOf('text/html', 'text/*');
  const json = weightOf('application/json', 'application/*', '*/*');
  const names = ranges.map(({ value }) => value);
  const isFirst =
    !names.includes('application/json') ||
    names.indexOf('text/html') < names.indexOf('application/json');
  return html > 0 && (html > json || (html === json && names.includes('text/html') && isFirst));
}

/** By primary tag. */
export function languageOf<Language extends string>(
  acceptLanguage: string | undefined,
  known: readonly Language[],
): Language | undefined {
  const requested = weighted(acceptLanguage ?? '')
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight);
  return requested
    .map(({ value }) => known.find((language) => language === value.split('-')[0]))
    .find(isGiven);
}

function weighted(header: string): Weighted[] {
  return header
    .slice(0, 1000)
    .split(',')
    .map((part) => {
      const [value = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      const number = weight === undefined ? 1 : Number(weight);
      return { value, weight: number >= 0 && number <= 1 ? number : 0 };
    })
    .filter(({ value }) => value !== '');
}

function isGiven<T>(value: T | undefined): value is T {
  return value !== undefined;
}
