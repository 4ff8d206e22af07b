import type { FoundPeople, FoundPerson } from '@caregate/domain';
import { likenessOf } from './same-name.ts';
import type { Likeness } from './same-name.ts';

export interface Alike {
  readonly other: FoundPerson;
  readonly likeness: Likeness;
  /** The same birth date too: only phone or town differ. */
  readonly isTwin: boolean;
}

/** By birth date, where all have one name and two of them one birth date too: phone and town tell them apart. */
export function twinsByBirth(
  people: readonly FoundPerson[],
): ReadonlyMap<string, readonly FoundPerson[]> | undefined {
  const [first] = people;
  if (first === undefined) return undefined;
  const alike = alikeOf(people, first);
  const isOneName =
    alike.filter(({ likeness }) => likeness === 'sameName').length === people.length - 1;
  const groups = Map.groupBy(people, ({ birth_date: born }) => born ?? '');
  const isTwin = [...groups].some(([born, twins]) => born !== '' && twins.length > 1);
  return isOneName && isTwin ? groups : undefined;
}

export type EnterAction =
  | { readonly kind: 'open'; readonly found: FoundPerson }
  | { readonly kind: 'lookUp' }
  /** The text has not been searched: search, then act on the answer. */
  | { readonly kind: 'search' }
  | { readonly kind: 'choose' };

export function alikeOf(people: readonly FoundPerson[], one: FoundPerson): readonly Alike[] {
  return people
    .filter(({ user_id }) => user_id !== one.user_id)
    .flatMap((other) => {
      const likeness = likenessOf(
        { name: one.name, birthDate: one.birth_date },
        { name: other.name, birthDate: other.birth_date },
      );
      const isTwin =
        likeness === 'sameName' && Boolean(one.birth_date) && one.birth_date === other.birth_date;
      return likeness === undefined ? [] : [{ other, likeness, isTwin }];
    });
}

export interface Highlight {
  readonly chosen?: FoundPerson | undefined;
  /** The list was replaced, and whoever was chosen isn't in it. */
  readonly isLost: boolean;
  /** The highlighted person: the chosen one, else the best one unless the choice was lost. */
  readonly row?: FoundPerson | undefined;
}

/** A choice stays on its person while lists are replaced, and never passes to somebody else. */
export function findHighlight(
  shown: readonly FoundPerson[],
  text: string,
  chosenId: string | undefined,
): Highlight {
  if (chosenId === undefined) return { isLost: false, row: bestOf(shown, text) };
  const chosen = shown.find(({ user_id }) => user_id === chosenId);
  return { chosen, isLost: chosen === undefined, row: chosen };
}

/** Enter opens the chosen row, or the best one if nobody else can be meant; an id opens only its own person. */
export function onEnter(input: {
  readonly text: string;
  readonly people: readonly FoundPerson[] | undefined;
  readonly highlight: Highlight;
  readonly isSearched: boolean;
}): EnterAction {
  const { text, people, highlight, isSearched } = input;
  if (highlight.chosen !== undefined) return { kind: 'open', found: highlight.chosen };
  if (highlight.isLost) return { kind: 'choose' };
  if (!isSearched) return { kind: 'lookUp' };
  if (people === undefined || people.length === 0) {
    // Only the answer tells whether a row of the previous text is of this id.
    return { kind: looksLikeId(text) && highlight.row === undefined ? 'lookUp' : 'search' };
  }
  const best = bestOf(people, text);
  if (best !== undefined) return { kind: 'open', found: best };
  const isOfId = people[0]?.matched === 'id' || people[0]?.matched === 'near_id';
  return { kind: isOfId && looksLikeId(text) ? 'lookUp' : 'choose' };
}

/**
 * An Enter that came before the answer opens a single person or an exact id, never the best of several unseen rows, and
 * nobody but the person who was highlighted when it was pressed, if one was.
 */
export function onAnswer(input: {
  readonly text: string;
  readonly people: readonly FoundPerson[];
  readonly searched: FoundPeople['searched'] | undefined;
  readonly highlightedId: string | undefined;
}): EnterAction | { readonly kind: 'nobody' } {
  const { text, people, searched, highlightedId } = input;
  const best = bestOf(people, text);
  if (highlightedId !== undefined && best?.user_id !== highlightedId) return { kind: 'choose' };
  // A search of all people includes ids; a search of orders misses people without one.
  if (people.length === 0) {
    return { kind: searched === 'orders' && /^\S+$/u.test(text) ? 'lookUp' : 'nobody' };
  }
  const isAlone = people.length === 1;
  const isId = best !== undefined && (best.client_user_id === text || isUnsigned(best, text));
  const isName = people.some((one) => one !== best && one.matched !== 'id');
  return best !== undefined && (isAlone || (isId && !isName))
    ? { kind: 'open', found: best }
    : { kind: 'choose' };
}

function bestOf(people: readonly FoundPerson[], text: string): FoundPerson | undefined {
  const exact = people.find(({ client_user_id }) => client_user_id === text);
  const [unsigned, ...more] = people.filter((one) => isUnsigned(one, text));
  if (exact !== undefined) return exact;
  if (unsigned !== undefined && more.length === 0) return unsigned;
  const [best] = people;
  return best !== undefined && isSure(people, best) ? best : undefined;
}

/** Whether the text is their id but for signs and capitals; without a digit it may be a name. */
function isUnsigned({ client_user_id: id }: FoundPerson, text: string): boolean {
  const plain = (one: string): string => one.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  return /\d/u.test(text) && plain(id ?? '') === plain(text);
}

function isSure(people: readonly FoundPerson[], best: FoundPerson): boolean {
  // Any other kind of match is a guess.
  const isPlain =
    best.matched === 'name' || best.matched === 'birth_date' || best.matched === 'phone';
  if (!isPlain || (best.matched !== 'name' && people.length > 1)) return false;
  return alikeOf(people, best).every(({ likeness }) => likeness === 'sameBirthDate');
}

/** Eight digits may be a birth date as well: they are searched first. */
export function looksLikeId(text: string): boolean {
  const isDate = /^\d{4}-\d{2}-\d{2}$/u.test(text);
  const isNumber = /^\d{8}$/u.test(text) || (/^[\d./+()-]+$/u.test(text) && /[./+()]/u.test(text));
  return /^\S+$/u.test(text) && /\d/u.test(text) && !isDate && !isNumber;
}
