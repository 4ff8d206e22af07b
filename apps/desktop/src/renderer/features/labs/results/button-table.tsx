import type { KeyboardEvent, ReactNode } from 'react';
import { FocusScope, useFocusManager } from 'react-aria/FocusScope';
import { useLocale } from 'react-aria-components/I18nProvider';
import labs from '../labs.module.css';

interface ButtonTableProps {
  readonly label: string;
  readonly className: string | undefined;
  readonly children: ReactNode;
}

/** A table in a scrollable region. Tab moves the focus to the region, and arrow keys move it to the buttons in the cells. */
export function ButtonTable(props: ButtonTableProps) {
  return (
    <FocusScope>
      <Region {...props} />
    </FocusScope>
  );
}

function Region({ label, className, children }: ButtonTableProps) {
  const onKeyDown = useTableKeys();
  return (
    <div
      className={`inset ${labs['scroll'] ?? ''}`}
      tabIndex={0}
      role="region"
      aria-label={label}
      onKeyDown={onKeyDown}
    >
      <table aria-label={label} className={className}>
        {children}
      </table>
    </div>
  );
}

/** Arrow keys skip cells without a button. Home and End move to the first and the last button. */
function useTableKeys(): (event: KeyboardEvent) => void {
  const focus = useFocusManager();
  const isRightToLeft = useLocale().direction === 'rtl';
  return (event) => {
    const { key, altKey, ctrlKey, metaKey, target } = event;
    if (altKey || ctrlKey || metaKey) return;
    const from = findCell(target as Element);
    const isInTable = (one: Element): boolean => findCell(one) !== null;
    const isInRow = (one: Element): boolean => findCell(one)?.parentElement === from?.parentElement;
    const isInColumn = (one: Element): boolean => findCell(one)?.cellIndex === from?.cellIndex;
    const goToFirst = (): unknown => focus?.focusFirst({ accept: isInTable });
    const moves: Readonly<Partial<Record<string, () => unknown>>> = {
      ArrowDown: () => focus?.focusNext({ accept: isInColumn }),
      ArrowUp: () => focus?.focusPrevious({ accept: isInColumn }),
      [isRightToLeft ? 'ArrowLeft' : 'ArrowRight']: () => focus?.focusNext({ accept: isInRow }),
      [isRightToLeft ? 'ArrowRight' : 'ArrowLeft']: () => focus?.focusPrevious({ accept: isInRow }),
      Home: goToFirst,
      End: () => focus?.focusLast({ accept: isInTable }),
    };
    const move = from === null && key.startsWith('Arrow') ? goToFirst : moves[key];
    if (move?.()) event.preventDefault();
  };
}

function findCell(element: Element): HTMLTableCellElement | null {
  return element.closest('td, th');
}
