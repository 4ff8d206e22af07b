import { ScanBarcode, Search } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { KeyboardEvent, ReactElement, SyntheticEvent } from 'react';
import { looksLikePersonalIdentifier } from '@caregate/domain';
import type { FoundPerson } from '@caregate/domain';
import { Icon } from '../../ui/icon.tsx';
import { Quiet, Stack, Unseen } from '../../ui/layout.tsx';
import { LookUpStatus } from '../../ui/look-up-status.tsx';
import { useLookUp, useSearchText } from '../../app/look-up.tsx';
import { useMasked } from '../../app/mask.tsx';
import { TABS, useAutoFocus, useNavigation } from '../../app/navigation.tsx';
import type { ScreenName } from '../../app/navigation.tsx';
import type { Opening } from '../../app/workspace.tsx';
import { capOf, useCommand } from '../../app/keyboard.ts';
import { useIsHome } from '../patient/is-home.ts';
import { isAskable } from './people-query.ts';
import { useText } from '../../i18n/text.tsx';
import { CheckPane } from './check-pane.tsx';
import { findHighlight, onAnswer, onEnter, twinsByBirth } from './enter.ts';
import { FoundList, optionId } from './found-list.tsx';
import { Home } from './home.tsx';
import { Keys } from './keys.tsx';
import { ScanPending, ScanUnknown } from './scanned.tsx';
import { SearchNotes } from './search-notes.tsx';
import { usePeopleSearch } from './use-people-search.ts';
import type { PeopleSearch } from './use-people-search.ts';
import { UserList } from './user-list.tsx';
import styles from './find.module.css';

export function FindScreen(): ReactElement {
  const { pending, failure } = useLookUp();
  if (pending?.scannedAt !== undefined) return <ScanPending key={pending.id} of={pending} />;
  if (failure?.scannedAt !== undefined && failure.problem.kind === 'notFound') {
    return <ScanUnknown key={failure.id} of={failure} />;
  }
  return <Finder />;
}

function Finder(): ReactElement {
  const text = useText();
  const { typed, setTyped } = useSearchText();
  const masked = useMasked();
  const all = usePeopleSearch(typed);
  const [narrowed, setNarrowed] = useState<Narrowed>();
  const isNarrowed = narrowed?.text === all.text;
  const search = inGroups(isNarrowed ? among(all, narrowed.people) : all);
  const finder = useFinder(search, answerOf(all));
  const field = useField();
  const { shown, shut } = search;
  const { row } = finder;
  const isHome = useIsHome();
  const recents = useRef<HTMLOListElement>(null);
  return (
    <div
      className={`column bleed ${styles['find'] ?? ''}`}
      onKeyDown={(event) => {
        const first = recents.current?.querySelector('button');
        if (event.key === 'ArrowDown' && event.target === field.current && first) {
          event.preventDefault();
          first.focus();
        } else finder.onKey(event);
      }}
    >
      <Stack className={styles['top']}>
        <Unseen as="h1">{text('screen.find')}</Unseen>
        <form
          onSubmit={finder.onSubmit}
          className={`line framed ringed gap3 ${styles['form'] ?? ''}`}
        >
          <Icon of={Search} big />
          <input
            ref={field}
            aria-label={text('find.field')}
            // A password field can't be a combobox.
            {...(!masked && {
              role: 'combobox',
              'aria-expanded': shown.length > 0,
              'aria-controls': 'people-found',
              'aria-autocomplete': 'list' as const,
              ...(row !== undefined && { 'aria-activedescendant': optionId(row) }),
            })}
            type={masked ? 'password' : 'text'}
            className={styles['input']}
            placeholder={text('find.field')}
            dir="auto"
            value={typed}
            onChange={({ currentTarget: { value } }) => {
              setTyped(value);
            }}
            maxLength={1024}
            autoComplete="off"
            spellCheck={false}
          />
          <Quiet size="meta" aria-hidden={!isHome} className={styles['scan']}>
            {text('find.scan')}
          </Quiet>
          <Icon of={ScanBarcode} big />
        </form>
        {!isHome && (
          <SearchNotes search={all} isToChoose={finder.isToChoose} isChosen={row !== undefined} />
        )}
        <LookUpStatus />
      </Stack>
      {isHome && <Home listRef={recents} onLeaveUp={() => field.current?.focus()} />}
      {shut !== undefined ? (
        <ById typed={typed} />
      ) : (
        shown.length > 0 && (
          <div className={styles['split']}>
            <FoundList search={search} row={row} onChoose={finder.choose} onOpen={finder.open} />
            <CheckPane
              key={row?.user_id}
              one={row}
              searchedAt={all.receivedAt}
              people={shown}
              isAll={!search.more && search.total <= shown.length}
              onChoose={finder.choose}
              onOpen={finder.open}
              onNarrow={(people) => {
                setNarrowed({ text: all.text, people });
              }}
              {...(isNarrowed && {
                onWiden: () => {
                  setNarrowed(undefined);
                },
              })}
            />
          </div>
        )
      )}
      {shut === undefined && (
        <Keys
          of={
            isHome
              ? [
                  ['↓', 'recents.title'],
                  ['Enter', 'find.open'],
                  [capOf('help'), 'find.keyAll'],
                ]
              : [
                  ['↑ ↓', 'find.keyChoose'],
                  ['Enter', 'find.open'],
                  [capOf('escape'), 'find.keyClear'],
                  [capOf('help'), 'find.keyAll'],
                ]
          }
        />
      )}
    </div>
  );
}

/** Complete only if it was by name: a search by a birth date or an ID misses others of the same name. */
function answerOf(search: PeopleSearch): Opening['search'] {
  const { people, receivedAt, searched, more, total } = search;
  if (people === undefined || receivedAt === undefined) return undefined;
  const isByName = searched === 'people' && people.every(({ matched }) => matched === 'name');
  const isAll = !more && total <= people.length;
  return { receivedAt, people: isByName && isAll ? people : undefined };
}

interface Narrowed {
  readonly text: string;
  readonly people: readonly FoundPerson[];
}

function among(search: PeopleSearch, people: Narrowed['people']): PeopleSearch {
  const shown = search.shown.filter((one) => people.some((of) => of.user_id === one.user_id));
  return { ...search, shown, total: search.total - (search.shown.length - shown.length) };
}

/** Arrows go through the rows as they are shown. */
function inGroups(search: PeopleSearch): PeopleSearch {
  const groups = twinsByBirth(search.shown);
  return groups === undefined ? search : { ...search, shown: [...groups.values()].flat() };
}

function ById({ typed }: { typed: string }): ReactElement {
  const text = useText();
  const { lookUp } = useLookUp();
  const id = typed.trim();
  return (
    <div className={`column gap2 ${styles['byId'] ?? ''}`}>
      <p role="status" className={styles['personal']}>
        {looksLikePersonalIdentifier(id) !== undefined && text('find.looksLike')}
      </p>
      <UserList filter={id} onChoose={lookUp} />
    </div>
  );
}

function useField() {
  const { visit } = useNavigation();
  const { begunOn } = useSearchText();
  const field = useAutoFocus<HTMLInputElement>();
  useEffect(() => {
    const input = field.current;
    if (begunOn === visit) input?.setSelectionRange(input.value.length, input.value.length);
  }, [begunOn, visit, field]);
  return field;
}

interface Finding {
  readonly row: FoundPerson | undefined;
  readonly isToChoose: boolean;
  readonly choose: (found: FoundPerson) => void;
  readonly open: (found: FoundPerson, screen?: ScreenName) => void;
  readonly onKey: (event: KeyboardEvent) => void;
  readonly onSubmit: (event: SyntheticEvent) => void;
}

/** An Enter that waits for the answer of its text. */
interface EarlyEnter {
  readonly text: string;
  readonly screen: ScreenName | undefined;
  readonly highlightedId: string | undefined;
}

function useFinder(search: PeopleSearch, answer: Opening['search']): Finding {
  const { text, people, shown, shut } = search;
  const { lookUp, pending, failure } = useLookUp();
  const isSettled = pending === undefined && failure === undefined;
  const { setTyped } = useSearchText();
  const [chosenId, setChosenId] = useState<string>();
  const [refused, setRefused] = useState<string>();
  const [awaited, setAwaited] = useState<EarlyEnter>();
  // With such a text another search begins.
  if (chosenId !== undefined && !isAskable(text)) setChosenId(undefined);
  const highlight = findHighlight(shown, text, chosenId);
  const { row } = highlight;
  const open = (found: FoundPerson, screen?: ScreenName): void => {
    // The service resolves people by client id only.
    if (found.client_user_id) lookUp(found.client_user_id, { found, screen, search: answer });
  };
  const onFound = useEffectEvent((found: readonly FoundPerson[]) => {
    setAwaited(undefined);
    if (awaited?.text !== text) return;
    const { highlightedId } = awaited;
    const action = onAnswer({ text, people: found, searched: search.searched, highlightedId });
    if (action.kind === 'open') open(action.found, awaited.screen);
    else if (action.kind === 'lookUp') lookUp(text, { screen: awaited.screen });
    else if (action.kind === 'choose') setRefused(text);
  });
  const onShut = useEffectEvent(() => {
    setAwaited(undefined);
    // A text with a space is a name: don't send it in an address.
    if (awaited?.text === text && /^\S+$/u.test(text)) lookUp(text, { screen: awaited.screen });
  });
  const isAwaited = awaited !== undefined;
  const isShut = shut !== undefined;
  useEffect(() => {
    if (isAwaited && people !== undefined) onFound(people);
    // Without a search the text can only be an id.
    else if (isAwaited && isShut) onShut();
  }, [isAwaited, people, isShut]);
  const act = (screen?: ScreenName): void => {
    const action = onEnter({ text, people, highlight, isSearched: shut === undefined });
    setRefused(undefined);
    if (action.kind === 'open') open(action.found, screen);
    else if (action.kind === 'choose') setRefused(text);
    else if (action.kind === 'lookUp') {
      if (text !== pending?.id) lookUp(text);
    } else {
      setAwaited({ text, screen, highlightedId: row?.user_id });
      search.searchNow();
    }
  };
  const choose = (found: FoundPerson): void => {
    setChosenId(found.user_id);
    setAwaited(undefined);
  };
  const move = (by: 1 | -1): void => {
    const at = row === undefined ? -1 : shown.indexOf(row);
    const next = shown[row === undefined && by < 0 ? shown.length - 1 : at + by];
    if (next !== undefined) choose(next);
  };
  // With people shown, the digits open a screen of the highlighted one.
  useCommand(
    'screen',
    (digit) => {
      const screen = TABS[digit - 1];
      if (screen !== undefined) act(screen);
    },
    { isOn: shown.length > 0 },
  );
  const clear = (): void => {
    setTyped('');
  };
  useCommand('escape', clear, { isOn: text !== '' && isSettled });
  return {
    row,
    isToChoose: refused === text && highlight.chosen === undefined && (people?.length ?? 0) > 0,
    choose,
    open,
    onKey: (event) => {
      const { key, altKey, shiftKey } = event;
      if (altKey || shiftKey || event.nativeEvent.isComposing) return;
      if (key === 'ArrowDown' && shown.length > 0) move(1);
      else if (key === 'ArrowUp' && shown.length > 0) move(-1);
      else return;
      event.preventDefault();
    },
    onSubmit: (event) => {
      event.preventDefault();
      if (text !== '') act();
    },
  };
}
