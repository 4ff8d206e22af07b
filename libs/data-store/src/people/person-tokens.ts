import type { PersonFacts } from './person-facts.ts';
import { digitsOf, folded, isDense, soundsOf, spellingsOf } from './name-text.ts';

/** Longest prefix with a token; longer ones use it and their trigrams. */
const longestPrefix = 6;

type Kind = 'word' | 'prefix' | 'part' | 'sound' | 'born' | 'phone' | 'id';

/** A token is a number, so that every engine can index it: whoever has it may match, and is compared then. */
export function tokensOf(teamId: string, { clientUserId, facts }: PersonFacts): number[] {
  const tokens = new Set<number>();
  const add = (kind: Kind, text: string): void => {
    tokens.add(token(teamId, kind, text));
  };
  for (const { name, birthDate, phone } of facts) {
    for (const word of name === undefined ? [] : spellingsOf(name)) {
      add('word', word);
      beginningsOf(word).forEach((text) => {
        add('prefix', text);
      });
      [...partsOf(word), ...singles(word)].forEach((text) => {
        add('part', text);
      });
      soundsOf(word).forEach((text) => {
        add('sound', text);
      });
    }
    if (birthDate !== undefined) {
      add('born', birthDate);
    }
    fourDigits(digitsOf(phone ?? '')).forEach((text) => {
      add('phone', text);
    });
  }
  for (const id of clientUserId === undefined ? [] : idFormsOf(clientUserId)) {
    add('id', id);
  }
  return [...tokens];
}

export const wordToken = (team: string, word: string): number => token(team, 'word', word);
export const bornToken = (team: string, date: string): number => token(team, 'born', date);
export const idToken = (team: string, id: string): number => token(team, 'id', id);

export function prefixTokens(team: string, word: string): number[] {
  const letters = Array.from(word);
  const prefix = token(team, 'prefix', letters.slice(0, longestPrefix).join(''));
  return letters.length <= longestPrefix ? [prefix] : [prefix, ...partTokens(team, word)];
}

export function partTokens(team: string, word: string): number[] {
  const parts = Array.from(word).length === 1 ? singles(word) : partsOf(word);
  return parts.map((text) => token(team, 'part', text));
}

export function soundTokens(team: string, word: string): number[] {
  return soundsOf(word).map((code) => token(team, 'sound', code));
}

/** As few parts as have every digit, from the end: the others are in almost as many numbers and would be read for nothing. */
export function phoneTokens(team: string, digits: string): number[] {
  const parts = fourDigits(digits);
  const fewest = parts.filter((_, at) => at === 0 || (parts.length - 1 - at) % 4 === 0);
  return fewest.map((text) => token(team, 'phone', text));
}

/** All parts: more selective where many numbers share an end. */
export function allPhoneTokens(team: string, digits: string): number[] {
  return fourDigits(digits).map((text) => token(team, 'phone', text));
}

/** Forms of an id: whole, and its last digits with and without leading zeros. */
export function idFormsOf(clientUserId: string): string[] {
  const whole = folded(clientUserId);
  const last = digitalOf(whole).match(/\d+/gu)?.at(-1) ?? '';
  return [...new Set([whole, last, last.replace(/^0+/u, '')])].filter(Boolean);
}

export function withoutSigns(id: string): string {
  return folded(digitalOf(id)).replace(/[^\p{L}\p{N}]/gu, '');
}

/** Longer numbers have too many neighbours. */
const longestSlip = 10;

/** Of the number at the end of an id, however the rest is written; empty without one. */
export function endOfIdTokens(team: string, text: string): number[] {
  return numberAtEnd(text).map((digits) => idToken(team, digits));
}

export function nearIdTokens(team: string, text: string): number[] {
  const [last] = numberAtEnd(text);
  if (last === undefined) {
    return [];
  }
  const slips = new Set([last]);
  for (let at = 0; at <= last.length && last.length <= longestSlip; at += 1) {
    const [before, one, after] = [last.slice(0, at), last.charAt(at), last.slice(at + 1)];
    for (const digit of '0123456789') {
      slips.add(`${before}${digit}${after}`).add(`${before}${digit}${one}${after}`);
    }
    slips.add(`${before}${after}`).add(`${before}${after.charAt(0)}${one}${after.slice(1)}`);
  }
  return [...slips].map((digits) => idToken(team, digits));
}

function numberAtEnd(text: string): string[] {
  return /(?<!\d)\d{3,}$/u.exec(withoutSigns(text))?.slice() ?? [];
}

function digitalOf(text: string): string {
  return text.normalize('NFKC');
}

function beginningsOf(word: string): string[] {
  const letters = Array.from(word);
  const most = Math.min(letters.length, longestPrefix);
  return Array.from({ length: most }, (_, n) => letters.slice(0, n + 1).join(''));
}

function partsOf(word: string): string[] {
  return partsOfLength(word, isDense(word) ? 2 : 3);
}

/** Single characters: a given name may be one. */
function singles(word: string): string[] {
  return isDense(word) ? partsOfLength(word, 1) : [];
}

function fourDigits(digits: string): string[] {
  return partsOfLength(digits, 4);
}

function partsOfLength(text: string, size: number): string[] {
  const letters = Array.from(text);
  return Array.from({ length: Math.max(0, letters.length - size + 1) }, (_, n) =>
    letters.slice(n, n + size).join(''),
  );
}

/** 32 bits of FNV-1a over UTF-16, mixed at the end; signed, as `integer` of PostgreSQL is. */
function token(team: string, kind: Kind, text: string): number {
  let hash = 0x811c9dc5;
  const whole = `${kind} ${team} ${text}`;
  for (let at = 0; at < whole.length; at += 1) {
    hash = Math.imul(hash ^ whole.charCodeAt(at), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) | 0;
}
