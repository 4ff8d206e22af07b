import { hidden } from '../components/mask.ts';
import type { Desk } from '../shell/desk.tsx';
import type { RecentOrder, RecentPerson } from '../shell/recents.ts';
import { RAIL } from '../screens/names.ts';
import type { ScreenName } from '../screens/names.ts';
import { SCREENS } from '../screens/screens.ts';
import type { MessageKey } from '../text/text.tsx';

export interface Command {
  readonly id: string;
  readonly label: string;
  /** The keys that do the same, for people to learn. */
  readonly keys?: string | undefined;
  /** An id, to be read from left to right. */
  readonly isCode?: boolean;
  readonly run: () => void;
}

export interface Section {
  readonly title: MessageKey;
  readonly commands: readonly Command[];
}

export interface CommandParts {
  readonly desk: Desk;
  readonly text: (key: MessageKey, values?: Readonly<Record<string, string>>) => string;
  readonly lookUp: (clientUserId: string) => void;
  readonly reopen: {
    readonly person: (recent: RecentPerson) => void;
    readonly order: (recent: RecentOrder) => void;
  };
  readonly showKeys: () => void;
  readonly print: () => void;
}

/** What can be done now, and nothing that can't. */
export function sectionsOf(parts: CommandParts): readonly Section[] {
  return [
    { title: 'palette.screens', commands: screens(parts) },
    { title: 'palette.actions', commands: actions(parts) },
    { title: 'recents.people', commands: people(parts) },
    { title: 'recents.orders', commands: orders(parts) },
  ];
}

/**
 * The sections with what holds every word of the text, and what the text itself could be: an id to look up.
 * `contains` compares as the language does.
 */
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

function screens({ desk, text }: CommandParts): readonly Command[] {
  const names: readonly ScreenName[] = [...RAIL, 'person', 'settings', 'about'];
  return names
    .filter((name) => !SCREENS[name].needsPerson || desk.person !== undefined)
    .map((name) => {
      const number = (RAIL as readonly string[]).indexOf(name) + 1;
      return {
        id: `screen ${name}`,
        label: text(SCREENS[name].title),
        keys: number === 0 ? undefined : `Ctrl+${String(number)}`,
        run: () => {
          desk.go(name);
        },
      };
    });
}

/** The screens that have something to print. */
const printable: readonly ScreenName[] = ['insurance', 'labs'];

function actions({ desk, text, print, showKeys }: CommandParts): readonly Command[] {
  const { caregate } = window;
  const all: readonly (Command & { readonly when?: boolean })[] = [
    {
      id: 'print',
      label: text('keys.print'),
      keys: 'Ctrl+P',
      run: print,
      when: printable.includes(desk.screen),
    },
    {
      id: 'mask',
      label: text(desk.masked ? 'palette.unmask' : 'palette.mask'),
      keys: 'F8',
      run: desk.toggleMask,
    },
    {
      id: 'close',
      label: text('patient.close'),
      run: desk.close,
      when: desk.person !== undefined,
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

function people({ desk, reopen }: CommandParts): readonly Command[] {
  return desk.recents.map((one, place) => ({
    id: `person ${one.userId}`,
    label: labelOf(desk, one.clientUserId, place),
    isCode: true,
    run: () => {
      reopen.person(one);
    },
  }));
}

function orders({ desk, reopen }: CommandParts): readonly Command[] {
  return desk.recentOrders.map((one, place) => ({
    id: `order ${one.personId ?? ''} ${one.id}`,
    label: labelOf(desk, one.id, place),
    isCode: true,
    run: () => {
      reopen.order(one);
    },
  }));
}

/** An id, or under the mask its place in the list. */
function labelOf({ masked }: Desk, id: string, place: number): string {
  return masked ? `${hidden} ${String(place + 1)}` : id;
}
