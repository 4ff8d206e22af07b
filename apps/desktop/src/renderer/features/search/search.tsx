import { ScanBarcode, Search } from 'lucide-react';
import { FocusScope, useFocusManager } from 'react-aria/FocusScope';
import { Icon } from '../../ui/icon.tsx';
import { Quiet, Stack, VisuallyHidden } from '../../ui/layout.tsx';
import { LookUpStatus } from '../../ui/look-up-status.tsx';
import { formatKeys } from '../../app/keyboard.ts';
import { useLookUp } from '../../app/look-up.tsx';
import { useMasked } from '../../app/mask.tsx';
import { useAutoFocus } from '../../app/navigation.tsx';
import { useWorkspace, useWorkspaceState, type Opening } from '../../app/workspace.tsx';
import { useText } from '../../i18n/text.tsx';
import { CheckPane } from './check-pane.tsx';
import { useChoice } from './choice.ts';
import { FoundList, getOptionId } from './found-list.tsx';
import { Home } from './home.tsx';
import { ScanUnknown } from './scanned.tsx';
import { KeyHints, SearchNotes } from './search-notes.tsx';
import { useIsHome, usePeopleSearch, type PeopleSearch } from './use-people-search.ts';
import styles from './search.module.css';

export default function SearchScreen() {
  const { failure } = useLookUp();
  if (failure?.scannedAt !== undefined && failure.problem.kind === 'notFound') {
    return <ScanUnknown key={failure.id} of={failure} />;
  }
  return (
    <FocusScope>
      <Finder />
    </FocusScope>
  );
}

function Finder() {
  const text = useText();
  const { setTyped } = useWorkspace();
  const typed = useWorkspaceState('typed');
  const isMasked = useMasked();
  const search = usePeopleSearch(typed);
  const choice = useChoice(search, toAnswer(search));
  const field = useAutoFocus<HTMLInputElement>();
  const { shown, unavailable } = search;
  const { row } = choice;
  const escapes = useLookUp().pending === undefined ? 'find.keyClear' : 'state.cancel';
  const isHome = useIsHome();
  const focus = useFocusManager();
  return (
    <div
      className={`column bleed ${styles['screen'] ?? ''}`}
      onKeyDownCapture={(event) => {
        const { altKey, ctrlKey, metaKey, shiftKey, nativeEvent } = event;
        const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : undefined;
        if (altKey || ctrlKey || metaKey || shiftKey || nativeEvent.isComposing) return;
        if (by === undefined || !(isHome || shown.length > 0)) return;
        event.preventDefault();
        // Arrow keys move the focus between the field and the recent patients. In a list of found patients, the field
        // keeps the focus.
        if (!isHome) choice.move(by);
        else if (by === 1) focus?.focusNext();
        else focus?.focusPrevious();
      }}
    >
      <Stack className={styles['top']}>
        <VisuallyHidden as="h1">{text('screen.find')}</VisuallyHidden>
        <form
          onSubmit={choice.onSubmit}
          className={`line framed ringed gap3 ${styles['form'] ?? ''}`}
        >
          <Icon of={Search} big />
          <input
            ref={field}
            aria-label={text('find.field')}
            // A password field can't be a combobox.
            {...(!isMasked && {
              role: 'combobox',
              'aria-expanded': shown.length > 0,
              'aria-controls': 'people-found',
              'aria-autocomplete': 'list' as const,
              ...(row !== undefined && { 'aria-activedescendant': getOptionId(row) }),
            })}
            type={isMasked ? 'password' : 'text'}
            className={`bare grow narrow ${styles['input'] ?? ''}`}
            placeholder={text('find.field')}
            dir="auto"
            value={typed}
            onChange={({ currentTarget: { value } }) => setTyped(value)}
            maxLength={1024}
            autoComplete="off"
            spellCheck={false}
          />
          <Quiet size="meta" aria-hidden={!isHome} className={styles['scan']}>
            {text('find.scan')}
          </Quiet>
          <Icon of={ScanBarcode} big />
        </form>
        {!isHome && <SearchNotes search={search} isToChoose={choice.isToChoose} row={row} />}
        <LookUpStatus />
      </Stack>
      {isHome && <Home />}
      {unavailable === undefined && shown.length > 0 && (
        <div className={styles['split']}>
          <FoundList search={search} row={row} onChoose={choice.choose} onOpen={choice.open} />
          <CheckPane
            key={row?.user_id}
            one={row}
            searchedAt={search.receivedAt}
            people={shown}
            isAll={!search.more && search.total <= shown.length}
            onOpen={choice.open}
          />
        </div>
      )}
      {unavailable === undefined && (
        <KeyHints
          keys={[
            ...(isHome ? homeKeys : shown.length > 0 ? rowKeys : []),
            ...(isHome ? [] : ([[formatKeys('escape'), escapes]] as const)),
            [formatKeys('help'), 'find.keyAll'],
          ]}
        />
      )}
    </div>
  );
}

const homeKeys = [
  ['↓', 'recents.title'],
  ['Enter', 'find.open'],
] as const;
const rowKeys = [
  ['↑ ↓', 'find.keyChoose'],
  ['Enter', 'find.open'],
] as const;

/** The list is complete only after a search by name, since a search by birth date or MRN misses others with the same name. */
function toAnswer(search: PeopleSearch): Opening['search'] {
  const { people, receivedAt, searched, more, total } = search;
  if (people === undefined || receivedAt === undefined) return undefined;
  const isByName = searched === 'people' && people.every(({ matched }) => matched === 'name');
  const isAll = !more && total <= people.length;
  return { receivedAt, people: isByName && isAll ? people : undefined };
}
