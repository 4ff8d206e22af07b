import type { FoundPeople, FoundPerson } from '@caregate/domain';
import { likenessOf } from '../../state/people/same-name.ts';
import type { Likeness } from '../../state/people/same-name.ts';

/** Somebody in the list whom a row may be taken for. */
export interface Alike {
  readonly other: FoundPerson;
  readonly likeness: Likeness;
  /** Born on the same day too: only phone or town tell them apart. */
  readonly isTwin: boolean;
}

/** What Enter does. */
export type EnterAction =
  | { readonly kind: 'open'; readonly found: FoundPerson }
  /** The text is an id that nobody has to search for. */
  | { readonly kind: 'lookUp' }
  /** Nothing is known of this text yet: it is searched, and the answer says what comes of it. */
  | { readonly kind: 'search' }
  /** Several may be meant: the arrows choose. */
  | { readonly kind: 'choose' };

/** Whom each of the people may be taken for, of the others. */
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

/**
 * Enter in the field. A person opens whom somebody chose, or the best of the list where nobody else in it may be
 * meant; an id opens nobody but whose id it is.
 */
export function onEnter(given: {
  readonly text: string;
  /** The people found by this very text; undefined until they are known. */
  readonly people: readonly FoundPerson[] | undefined;
  /** By arrow or pointer. */
  readonly chosen: FoundPerson | undefined;
  /** Whether this service searches, for whoever is at the desk. */
  readonly isSearched: boolean;
}): EnterAction {
  const { text, people, chosen, isSearched } = given;
  if (chosen !== undefined) return { kind: 'open', found: chosen };
  if (!isSearched) return { kind: 'lookUp' };
  if (people === undefined || people.length === 0) {
    return { kind: looksLikeId(text) ? 'lookUp' : 'search' };
  }
  const best = bestOf(people, text);
  if (best !== undefined) return { kind: 'open', found: best };
  return { kind: people[0]?.matched === 'id' && looksLikeId(text) ? 'lookUp' : 'choose' };
}

/**
 * What an Enter does that came before the answer, once that is there: nobody had seen the list then, so it opens a
 * single person, or whose id the text is where it is nobody's name; and never the best of several.
 */
export function onAnswer(given: {
  readonly text: string;
  readonly people: readonly FoundPerson[];
  readonly searched: FoundPeople['searched'] | undefined;
}): EnterAction | { readonly kind: 'nobody' } {
  const { text, people, searched } = given;
  // All people were searched by id too. Of a gateway's, who has no order is known by their id alone.
  if (people.length === 0) {
    return { kind: searched === 'orders' && /^\S+$/u.test(text) ? 'lookUp' : 'nobody' };
  }
  const best = bestOf(people, text);
  const isAlone = people.length === 1;
  const isId = best?.client_user_id === text;
  const isName = people.some((one) => one !== best && one.matched !== 'id');
  return best !== undefined && (isAlone || (isId && !isName))
    ? { kind: 'open', found: best }
    : { kind: 'choose' };
}

/** Whom Enter opens where nobody was chosen; undefined where several may be meant. */
export function bestOf(people: readonly FoundPerson[], text: string): FoundPerson | undefined {
  const exact = people.find(({ client_user_id }) => client_user_id === text);
  const [best] = people;
  return exact ?? (best !== undefined && isSure(people, best) ? best : undefined);
}

/** Whether the best of the list is who was meant, as far as a list can say. */
function isSure(people: readonly FoundPerson[], best: FoundPerson): boolean {
  // By sound, or by what this program doesn't know, somebody is only guessed.
  const isPlain =
    best.matched === 'name' || best.matched === 'birth_date' || best.matched === 'phone';
  if (!isPlain || (best.matched !== 'name' && people.length > 1)) return false;
  return alikeOf(people, best).every(({ likeness }) => likeness === 'sameBirthDate');
}

/** Ids have a digit and no space. So have dates and phone numbers, of digits and signs alone. */
export function looksLikeId(text: string): boolean {
  const isDate = /^\d{4}-\d{2}-\d{2}$/u.test(text);
  const isNumber = /^[\d./+()-]+$/u.test(text) && /[./+()]/u.test(text);
  return /^\S+$/u.test(text) && /\d/u.test(text) && !isDate && !isNumber;
}
