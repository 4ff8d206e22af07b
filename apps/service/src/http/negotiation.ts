/** The preferred language among `known`, by its primary tag; undefined if none of them is accepted. */
export function languageOf<Language extends string>(
  acceptLanguage: string | undefined,
  known: readonly Language[],
): Language | undefined {
  return weighted(acceptLanguage ?? '')
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ value }) => known.find((language) => language === value.split('-')[0]))
    .find((language) => language !== undefined);
}

function weighted(header: string): { readonly value: string; readonly weight: number }[] {
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
