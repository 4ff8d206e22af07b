import anyAscii from 'any-ascii';
import { doubleMetaphone } from 'double-metaphone';

// Accents of Latin, Greek and Cyrillic, Hebrew points, Arabic vowel signs; not the marks of scripts that mean letters.
const accents =
  /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/gu;
const invisible = /[\u0640\p{Default_Ignorable_Code_Point}\p{Cc}]/gu;
const apostrophes = /['’‘ʼʻ`´ʹ′]/gu;
const latin = /(?!\p{ASCII})\p{Script=Latin}/gu;
/** Interchangeable letters: final `σ`; Arabic and Persian `ى`, `ی`, `ة`, `ک`. */
const variants: Readonly<Record<string, string>> = { ς: 'σ', ى: 'ي', ی: 'ي', ة: 'ه', ک: 'ك' };
const plain = /^[\x20-\x7e]*$/u;
const notWord = /[^\p{L}\p{N}\p{M}]+/u;

/** Written without spaces; two characters tell as much as three letters elsewhere. */
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u30fc]/u;

/** Normalizes text for comparison: lower case, no accents, widths or invisible characters; `ß` is `ss`, `ø` is `o`. */
export function folded(text: string): string {
  // Fast path: most names are plain ASCII.
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

/** Normalized words, without apostrophes: `O'Brien-Łuk` is `obrien`, `luk`. */
export function splitWords(text: string): string[] {
  // Folding turns other signs into apostrophes: `＇`, `″`, `ŉ`.
  const plainText = folded(text.replace(apostrophes, '')).replace(apostrophes, '');
  return plainText.split(notWord).filter(Boolean);
}

const umlauts: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  å: 'aa',
  ø: 'oe',
};

/** Such a name has one spelling. */
const onlyWords = /^[A-Za-z ]*$/u;

/** Words of a name and other spellings: `müller` also as `mueller`, `o'brien` as `o`, `brien`, `smith-jones` also in one. */
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

/** Double Metaphone codes; other scripts are romanized first. */
export function listSounds(word: string): string[] {
  const romanized = anyAscii(word);
  return [...new Set(doubleMetaphone(romanized))].filter((code) => code.length >= 2);
}

export function toDigits(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Nd}/gu, asciiDigit)
    .replace(/\D/gu, '');
}

function asciiDigit(digit: string): string {
  return /[0-9]/u.test(digit) ? digit : anyAscii(digit);
}

export function named(text: string | null | undefined): string | undefined {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? undefined : trimmed;
}
