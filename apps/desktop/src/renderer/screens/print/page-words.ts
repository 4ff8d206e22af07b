const first = '\uE000';
const last = '\uE001';

/** The words before, between and after the two numbers of "page n of m". */
export function pageWords(say: (number: string, count: string) => string): string[] {
  const said = say(first, last);
  const [before = '', rest = ''] = said.split(first);
  const [between = '', after = ''] = rest.split(last);
  return [before, between, after];
}
