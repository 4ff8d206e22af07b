import type { useReopen } from '../state/look-up.tsx';
import { hidden } from '../state/mask.tsx';
import type { Navigation, ScreenName } from '../state/navigation.tsx';
import type { RecentLists } from '../state/recents.tsx';
import type { PersonSelection } from '../state/selection.tsx';
import { SCREENS } from '../screens/screens.ts';
import type { MessageKey } from '../text/text.tsx';

export interface Command {
  readonly id: string;
  readonly label: string;
  readonly keys?: string | undefined;
  /** An id: left to right. */
  readonly isCode?: boolean;
  readonly run: () => void;
}

interface Section {
  readonly title: MessageKey;
  readonly commands: readonly Command[];
}

interface CommandContext {
  readonly navigation: Navigation;
  /** The screens of Ctrl+1, Ctrl+2, … */
  readonly numbered: readonly ScreenName[];
  readonly others: readonly ScreenName[];
  readonly selection: PersonSelection;
  readonly recents: RecentLists;
  readonly masked: boolean;
  readonly toggleMask: () => void;
  readonly text: (key: MessageKey, values?: Readonly<Record<string, string>>) => string;
  readonly lookUp: (clientUserId: string) => void;
  readonly reopen: ReturnType<typeof useReopen>;
  readonly showKeys: () => void;
  readonly print: () => void;
}

export function sectionsOf(context: CommandContext): readonly Section[] {
  return [
    { title: 'palette.screens', commands: screens(context) },
    { title: 'palette.actions', commands: actions(context) },
    { title: 'recents.people', commands: people(context) },
    { title: 'recents.orders', commands: orders(context) },
  ];
}

/** The commands that contain every typed word, and one that looks up the text as an id. */
export function narrowed(
  sections: readonly Section[],
  typed: string,
  contains: (label: string, word: string) => boolean,
  find: Command | undefined,
): readonly Section[] {
  const words = typed.split(/\s+/u).filter((word) => word !== '');
  const left = sections.map(({ title, commands }) => ({
    title,
    commands: commands.filter(({ label }) => words.every((word) => contains(label, word))),
  }));
  const found: Section = { title: 'screen.find', commands: find === undefined ? [] : [find] };
  return [...left, found].filter(({ commands }) => commands.length > 0);
}

function screens({ navigation, numbered, others, text }: CommandContext): readonly Command[] {
  const names = new Set<ScreenName>([...numbered, ...others, 'settings', 'about']);
  return [...names].map((name) => {
    const number = numbered.indexOf(name) + 1;
    return {
      id: `screen ${name}`,
      label: text(SCREENS[name].title),
      keys: name === 'find' ? 'Ctrl+K' : number === 0 ? undefined : `Ctrl+${String(number)}`,
      run: () => {
        navigation.go(name);
      },
    };
  });
}

const printable: readonly ScreenName[] = ['insurance', 'labs'];

function actions(context: CommandContext): readonly Command[] {
  const { navigation, selection, masked, toggleMask, text, print, showKeys } = context;
  const { caregate } = window;
  const all: readonly (Command & { readonly when?: boolean })[] = [
    {
      id: 'print',
      label: text('keys.print'),
      keys: 'Ctrl+P',
      run: print,
      when: printable.includes(navigation.screen),
    },
    {
      id: 'mask',
      label: text(masked ? 'palette.unmask' : 'palette.mask'),
      keys: 'F8',
      run: toggleMask,
    },
    {
      id: 'close',
      label: text('patient.close'),
      run: selection.close,
      when: selection.person !== undefined,
    },
    { id: 'keys', label: text('keys.title'), keys: 'F1', run: showKeys },
    {
      id: 'window',
      label: text('keys.window'),
      keys: 'Ctrl+Shift+N',
      run: () => void caregate.openWindow({}),
    },
    {
      id: 'zoomIn',
      label: text('keys.zoomIn'),
      keys: 'Ctrl+Plus',
      run: () => void caregate.zoom({ step: 'in' }),
    },
    {
      id: 'zoomOut',
      label: text('keys.zoomOut'),
      keys: 'Ctrl+Minus',
      run: () => void caregate.zoom({ step: 'out' }),
    },
    {
      id: 'zoomReset',
      label: text('keys.zoomReset'),
      keys: 'Ctrl+0',
      run: () => void caregate.zoom({ step: 'reset' }),
    },
    {
      id: 'lock',
      label: text('status.lock'),
      keys: 'Ctrl+L',
      run: () => void caregate.lock({}),
    },
    {
      id: 'signOut',
      label: text('palette.signOut'),
      run: () => void caregate.signOut({}),
    },
  ];
  return all.filter(({ when = true }) => when);
}

function people({ recents, masked, reopen }: CommandContext): readonly Command[] {
  return recents.people.map((one, place) => ({
    id: `person ${one.userId}`,
    label: labelOf(masked, one.clientUserId, place),
    isCode: true,
    run: () => {
      reopen.person(one);
    },
  }));
}

function orders({ recents, masked, reopen }: CommandContext): readonly Command[] {
  return recents.orders.map((one, place) => ({
    id: `order ${one.personId ?? ''} ${one.id}`,
    label: labelOf(masked, one.id, place),
    isCode: true,
    run: () => {
      reopen.order(one);
    },
  }));
}

function labelOf(masked: boolean, id: string, place: number): string {
  return masked ? `${hidden} ${String(place + 1)}` : id;
}
