import { GENDERS } from '../validation/known-values.ts';

export type KnownGender = (typeof GENDERS)[keyof typeof GENDERS];

/** Words for genders in records and in HL7's table 0001. */
const WORDS: ReadonlyMap<string, KnownGender> = new Map([
  ...['female', 'f', 'woman'].map((word) => [word, GENDERS.female] as const),
  ...['male', 'm', 'man'].map((word) => [word, GENDERS.male] as const),
  ...['other', 'o', 'a', 'n', 'x', 'd', 'diverse', 'divers', 'ambiguous', 'intersex'].map(
    (word) => [word, GENDERS.other] as const,
  ),
  ...['nonbinary', 'non-binary', 'non binary', 'nb'].map((word) => [word, GENDERS.other] as const),
  ...['unknown', 'u', 'unk', 'un'].map((word) => [word, GENDERS.unknown] as const),
]);

/** Returns the code of a written gender such as `F` or `MALE`, or undefined for an unknown word. */
export function readGender(word: string): KnownGender | undefined {
  return WORDS.get(word.trim().toLowerCase());
}
