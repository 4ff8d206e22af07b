import anyAscii from 'any-ascii';
import { doubleMetaphone } from 'double-metaphone';

// Accents of Latin, Greek and Cyrillic, Hebrew points, and Arabic vowel signs. Excludes marks that are letters in
// their script.
const accents =
  /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/gu;
const invisible = /[\u0640\p{Default_Ignorable_Code_Point}\p{Cc}]/gu;
const apostrophes = /['’‘ʼʻ`´ʹ′]/gu;
const latin = /(?!\p{ASCII})\p{Script=Latin}/gu;
/** Letters that are used interchangeably: final `σ`; Arabic and Persian `ى`, `ی`, `ة`, `ک`. */
const variants: Readonly<Record<string, string>> = { ς: 'σ', ى: 'ي', ی: 'ي', ة: 'ه', ک: 'ك' };
const plain = /^[\x20-\x7e]*$/u;
const notWord = /[^\p{L}\p{N}\p{M}]+/u;

/**
 * Scripts that are written without spaces. Two of their characters identify as much as three letters of other
 * scripts.
 */
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u30fc]/u;

/**
 * Normalizes text for comparison: lower case, without accents, width variants and invisible characters; `ß` becomes
 * `ss`, `ø` becomes `o`.
 */
export function foldText(text: string): string {
  // Fast path, since most names are plain ASCII.
  if (plain.test(text)) {
    return text.toLowerCase();
  }
  return text
    .replace(/\p{Surrogate}/gu, '')
    .normalize('NFKD')
    .replace(accents, '')
    .normalize('NFC')
    .replace(invisible, '')
    .toLowerCase()
    .replace(accents, '')
    .replace(/[ςىیةک]/gu, (letter) => variants[letter] ?? letter)
    .replace(latin, (letter) => anyAscii(letter).toLowerCase());
}

/** Returns normalized words without apostrophes: `O'Brien-Łuk` becomes `obrien`, `luk`. */
export function splitWords(text: string): string[] {
  // Folding turns some other characters (`＇`, `″`, `ŉ`) into apostrophes, so remove those afterwards, too.
  const plainText = foldText(text.replace(apostrophes, '')).replace(apostrophes, '');
  return plainText.split(notWord).filter(Boolean);
}

const umlauts: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  å: 'aa',
  ø: 'oe',
};

/** A name that matches has only one spelling. */
const onlyWords = /^[A-Za-z ]*$/u;

/**
 * Returns the words of a name and their other spellings: `müller` also as `mueller`, `o'brien` as `o`, `brien`, and
 * `smith-jones` also as one word.
 */
export function listSpellings(name: string): string[] {
  if (onlyWords.test(name)) {
    return [...new Set(splitWords(name))];
  }
  const plainName = name.normalize('NFKC');
  const expanded = plainName
    .toLowerCase()
    .replace(/[äöüåø]/gu, (letter) => umlauts[letter] ?? letter);
  return [
    ...new Set([
      ...splitWords(name),
      ...splitWords(plainName),
      ...splitWords(expanded),
      ...splitWords(plainName.replace(apostrophes, ' ')),
      ...splitWords(name.replace(/[-‐‑–]/gu, '')),
    ]),
  ];
}

export function isDense(word: string): boolean {
  return dense.test(word);
}

/** Returns Double Metaphone codes. Other scripts are romanized first. */
export function listSounds(word: string): string[] {
  const romanized = anyAscii(word);
  return [...new Set(doubleMetaphone(romanized))].filter((code) => code.length >= 2);
}

export function toDigits(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Nd}/gu, toAsciiDigit)
    .replace(/\D/gu, '');
}

function toAsciiDigit(digit: string): string {
  return /[0-9]/u.test(digit) ? digit : anyAscii(digit);
}

export function toNonBlank(text: string | null | undefined): string | undefined {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? undefined : trimmed;
}
