import { useFilter } from 'react-aria-components/Autocomplete';
import { useLookUp, useReopen } from '../state/look-up.tsx';
import { hidden, useMasked, useToggleMask } from '../state/mask.tsx';
import { useIsAuditor } from '../state/me.tsx';
import { ALONE, AUDIT_RAIL, TABS, useNavigation } from '../state/navigation.tsx';
import type { ScreenName } from '../state/navigation.tsx';
import { useRecents } from '../state/recents.tsx';
import { warn } from '../state/say.ts';
import { useSelection } from '../state/selection.tsx';
import { useText } from '../text/text.tsx';
import type { MessageKey } from '../text/text.tsx';

export interface Command {
  readonly id: string;
  readonly label: string;
  readonly keys?: string | undefined;
  readonly isCode?: boolean;
  readonly run: () => void;
}

interface Section {
  readonly title: MessageKey;
  readonly commands: readonly Command[];
}

export function useCommands(typed: string, showKeys: () => void): readonly Section[] {
  const text = useText();
  const masked = useMasked();
  const { lookUp } = useLookUp();
  const { contains } = useFilter({ sensitivity: 'base' });
  const actions = useActions(showKeys);
  const screens = useScreens();
  const recents = useRecents();
  const reopen = useReopen();
  const idOf = (id: string, place: number): string =>
    masked ? `${hidden} ${String(place + 1)}` : id;
  const sections: readonly Section[] = [
    { title: 'palette.screens', commands: screens },
    { title: 'palette.actions', commands: actions },
    {
      title: 'recents.people',
      commands: recents.people.map((one, place) => ({
        id: `person ${one.userId}`,
        label: idOf(one.clientUserId, place),
        isCode: true,
        run: () => {
          reopen.person(one);
        },
      })),
    },
    {
      title: 'recents.orders',
      commands: recents.orders.map((one, place) => ({
        id: `order ${one.personId ?? ''} ${one.id}`,
        label: idOf(one.id, place),
        isCode: true,
        run: () => {
          reopen.order(one);
        },
      })),
    },
  ];
  const words = typed.split(/\s+/u).filter((word) => word !== '');
  const find: Command = {
    id: 'find typed',
    label: text('palette.find', { id: masked ? hidden : typed }),
    run: () => {
      lookUp(typed);
    },
  };
  return [
    ...sections.map(({ title, commands }) => ({
      title,
      commands: commands.filter(({ label }) => words.every((word) => contains(label, word))),
    })),
    { title: 'screen.find' as const, commands: typed === '' ? [] : [find] },
  ].filter(({ commands }) => commands.length > 0);
}

function useScreens(): readonly Command[] {
  const text = useText();
  const { go } = useNavigation();
  const { person } = useSelection();
  const isAuditor = useIsAuditor();
  const numbered: readonly ScreenName[] = isAuditor
    ? AUDIT_RAIL
    : person === undefined
      ? ALONE
      : TABS;
  const others: readonly ScreenName[] = isAuditor ? [] : ['find', 'today', 'recents'];
  const names = new Set<ScreenName>([...numbered, ...others, 'settings', 'about']);
  return [...names].map((name) => {
    const number = numbered.indexOf(name) + 1;
    return {
      id: `screen ${name}`,
      label: text(`screen.${name}`),
      keys: name === 'find' ? 'Ctrl K' : number === 0 ? undefined : `Ctrl ${String(number)}`,
      run: () => {
        go(name);
      },
    };
  });
}

function useActions(showKeys: () => void): readonly Command[] {
  const text = useText();
  const masked = useMasked();
  const toggleMask = useToggleMask();
  const { screen } = useNavigation();
  const { person, close } = useSelection();
  const { caregate } = window;
  const print = (): void => {
    // After the palette closes: what prints takes the focus.
    setTimeout(() => {
      if (!pressPrintKeys()) warn('notice.nothingToPrint');
    });
  };
  const hasPrint = screen === 'insurance' || screen === 'labs';
  const all: readonly (readonly [key: MessageKey, keys: string | undefined, run: () => void])[] = [
    ...(hasPrint ? [['keys.print', 'Ctrl P', print] as const] : []),
    [masked ? 'palette.unmask' : 'palette.mask', 'F8', toggleMask],
    ...(person === undefined ? [] : [['patient.close', undefined, close] as const]),
    ['keys.title', 'F1', showKeys],
    ['keys.window', 'Ctrl Shift N', () => void caregate.openWindow({})],
    ['keys.zoomIn', 'Ctrl +', () => void caregate.zoom({ step: 'in' })],
    ['keys.zoomOut', 'Ctrl −', () => void caregate.zoom({ step: 'out' })],
    ['keys.zoomReset', 'Ctrl 0', () => void caregate.zoom({ step: 'reset' })],
    ['status.lock', 'Ctrl L', () => void caregate.lock({})],
    ['palette.signOut', undefined, () => void caregate.signOut({})],
  ];
  return all.map(([key, keys, run]) => ({ id: key, label: text(key), keys, run }));
}

/** Sends Ctrl+P to the screen; false where it has nothing to print. */
function pressPrintKeys(): boolean {
  const press = new window.KeyboardEvent('keydown', { key: 'p', ctrlKey: true, cancelable: true });
  return !window.dispatchEvent(press);
}
