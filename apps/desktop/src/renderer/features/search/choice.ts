import { useEffect, useEffectEvent, useState, type SyntheticEvent } from 'react';
import type { FoundPeople, FoundPerson } from '@caregate/domain';
import { useCommand } from '../../app/keyboard.ts';
import { useLookUp } from '../../app/look-up.tsx';
import { TABS, type ScreenName } from '../../app/navigation.tsx';
import { useWorkspace, type Opening } from '../../app/workspace.tsx';
import { findSimilarPatients } from './same-name.ts';
import { isSearchable, type PeopleSearch } from './use-people-search.ts';

interface Choice {
  /** The highlighted patient. */
  readonly row: FoundPerson | undefined;
  readonly isToChoose: boolean;
  readonly choose: (found: FoundPerson) => void;
  readonly open: (found: FoundPerson, screen?: ScreenName) => void;
  /** Selects the next or the previous patient. */
  readonly move: (by: 1 | -1) => void;
  readonly onSubmit: (event: SyntheticEvent) => void;
}

/** An Enter that waits for the answer to its text. */
interface EarlyEnter {
  readonly text: string;
  readonly screen: ScreenName | undefined;
  readonly highlightedId: string | undefined;
}

/** Determines the highlighted patient and the action of Enter. */
export function useChoice(search: PeopleSearch, answer: Opening['search']): Choice {
  const { text, people, shown, unavailable } = search;
  const { lookUp, pending, failure } = useLookUp();
  const isSettled = pending === undefined && failure === undefined;
  const { setTyped } = useWorkspace();
  const [chosenId, setChosenId] = useState<string>();
  const [refusedText, setRefusedText] = useState<string>();
  const [earlyEnter, setEarlyEnter] = useState<EarlyEnter>();
  // A text that is too short starts another search.
  if (chosenId !== undefined && !isSearchable(text)) setChosenId(undefined);
  const highlight = findHighlight(shown, text, chosenId);
  const { row } = highlight;
  const open = (found: FoundPerson, screen?: ScreenName): void => {
    // The service resolves patients by MRN only.
    if (found.client_user_id) lookUp(found.client_user_id, { found, screen, search: answer });
  };
  const onFound = useEffectEvent((found: readonly FoundPerson[]) => {
    setEarlyEnter(undefined);
    if (earlyEnter?.text !== text) return;
    const { highlightedId } = earlyEnter;
    const action = onAnswer({ text, people: found, searched: search.searched, highlightedId });
    if (action.kind === 'open') open(action.found, earlyEnter.screen);
    else if (action.kind === 'lookUp') lookUp(text, { screen: earlyEnter.screen });
    else if (action.kind === 'choose') setRefusedText(text);
  });
  const onUnavailable = useEffectEvent(() => {
    setEarlyEnter(undefined);
    // A text with a space is a name, and a name must not be part of a URL.
    if (earlyEnter?.text === text && /^\S+$/u.test(text))
      lookUp(text, { screen: earlyEnter.screen });
  });
  const isAwaited = earlyEnter !== undefined;
  const isUnavailable = unavailable !== undefined;
  useEffect(() => {
    if (isAwaited && people !== undefined) onFound(people);
    // If there is no search, the text can only be an MRN.
    else if (isAwaited && isUnavailable) onUnavailable();
  }, [isAwaited, people, isUnavailable]);
  const submit = (screen?: ScreenName): void => {
    const action = onEnter({ text, people, highlight, isSearched: unavailable === undefined });
    setRefusedText(undefined);
    if (action.kind === 'open') open(action.found, screen);
    else if (action.kind === 'choose') setRefusedText(text);
    else if (action.kind === 'lookUp') {
      if (text !== pending?.id) lookUp(text);
    } else {
      setEarlyEnter({ text, screen, highlightedId: row?.user_id });
      search.searchNow();
    }
  };
  const choose = (found: FoundPerson): void => {
    setChosenId(found.user_id);
    setEarlyEnter(undefined);
  };
  const move = (by: 1 | -1): void => {
    const at = row === undefined ? -1 : shown.indexOf(row);
    const next = shown[row === undefined && by < 0 ? shown.length - 1 : at + by];
    if (next !== undefined) choose(next);
  };
  // While patients are shown, Ctrl and a digit open a screen of the highlighted one.
  const openScreen = (digit: number): void => {
    const screen = TABS[digit - 1];
    if (screen !== undefined) submit(screen);
  };
  const clear = (): void => setTyped('');
  useCommand('screen', openScreen, { isOn: shown.length > 0 });
  useCommand('escape', clear, { isOn: text !== '' && isSettled });
  return {
    row,
    isToChoose: refusedText === text && highlight.chosen === undefined && (people?.length ?? 0) > 0,
    choose,
    open,
    move,
    onSubmit: (event) => {
      event.preventDefault();
      if (text !== '') submit();
    },
  };
}

export type EnterAction =
  | { readonly kind: 'open'; readonly found: FoundPerson }
  | { readonly kind: 'lookUp' }
  /** The text hasn't been searched yet, so Enter waits for the answer. */
  | { readonly kind: 'search' }
  | { readonly kind: 'choose' };

export interface Highlight {
  readonly chosen?: FoundPerson | undefined;
  /** Whether the list was replaced by one without the selected patient. */
  readonly isLost: boolean;
  /** The selected patient or, if none was selected, the best match. */
  readonly row?: FoundPerson | undefined;
}

/** The selection stays with its patient while the list is replaced, and never moves to another one. */
export function findHighlight(
  shown: readonly FoundPerson[],
  text: string,
  chosenId: string | undefined,
): Highlight {
  if (chosenId === undefined) return { isLost: false, row: findBest(shown, text) };
  const chosen = shown.find(({ user_id }) => user_id === chosenId);
  return { chosen, isLost: chosen === undefined, row: chosen };
}

/** Enter opens the selected patient, or the best match if it is the only possible one. An MRN opens only its own patient. */
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
    // Rows of the previous text may still be shown, and only the answer tells whether one has this MRN.
    return { kind: looksLikeId(text) && highlight.row === undefined ? 'lookUp' : 'search' };
  }
  const best = findBest(people, text);
  if (best !== undefined) return { kind: 'open', found: best };
  const isOfId = people[0]?.matched === 'id' || people[0]?.matched === 'near_id';
  return { kind: isOfId && looksLikeId(text) ? 'lookUp' : 'choose' };
}

/**
 * Handles an Enter that was pressed before the answer. It opens a single match or an exact MRN, but never the best of
 * several rows that the user hasn't seen. If a patient was highlighted, it opens nobody else.
 */
export function onAnswer(input: {
  readonly text: string;
  readonly people: readonly FoundPerson[];
  readonly searched: FoundPeople['searched'] | undefined;
  readonly highlightedId: string | undefined;
}): EnterAction | { readonly kind: 'nobody' } {
  const { text, people, searched, highlightedId } = input;
  const best = findBest(people, text);
  if (highlightedId !== undefined && best?.user_id !== highlightedId) return { kind: 'choose' };
  // A search of all people includes MRNs, but a search of orders misses people without orders.
  if (people.length === 0) {
    return { kind: searched === 'orders' && /^\S+$/u.test(text) ? 'lookUp' : 'nobody' };
  }
  const isAlone = people.length === 1;
  const isId =
    best !== undefined && (best.client_user_id === text || hasIdIgnoringSigns(best, text));
  const isName = people.some((one) => one !== best && one.matched !== 'id');
  return best !== undefined && (isAlone || (isId && !isName))
    ? { kind: 'open', found: best }
    : { kind: 'choose' };
}

function findBest(people: readonly FoundPerson[], text: string): FoundPerson | undefined {
  const exact = people.find(({ client_user_id }) => client_user_id === text);
  const [unsigned, ...more] = people.filter((one) => hasIdIgnoringSigns(one, text));
  if (exact !== undefined) return exact;
  if (unsigned !== undefined && more.length === 0) return unsigned;
  const [best] = people;
  return best !== undefined && isSure(people, best) ? best : undefined;
}

/** Whether the text is the MRN except for punctuation and case. A text without a digit may be a name. */
function hasIdIgnoringSigns({ client_user_id: id }: FoundPerson, text: string): boolean {
  const normalizeId = (one: string): string => one.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  return /\d/u.test(text) && normalizeId(id ?? '') === normalizeId(text);
}

function isSure(people: readonly FoundPerson[], best: FoundPerson): boolean {
  // Any other kind of match is only a guess.
  const isPlain =
    best.matched === 'name' || best.matched === 'birth_date' || best.matched === 'phone';
  if (!isPlain || (best.matched !== 'name' && people.length > 1)) return false;
  return findSimilarPatients(people, best).length === 0;
}

/** Eight digits may also be a birth date, so they are searched first. */
export function looksLikeId(text: string): boolean {
  const isDate = /^\d{4}-\d{2}-\d{2}$/u.test(text);
  const isNumber = /^\d{8}$/u.test(text) || (/^[\d./+()-]+$/u.test(text) && /[./+()]/u.test(text));
  return /^\S+$/u.test(text) && /\d/u.test(text) && !isDate && !isNumber;
}
