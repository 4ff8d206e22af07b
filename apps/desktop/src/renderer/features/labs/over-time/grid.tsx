import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { KeyboardEvent, ReactElement, RefObject } from 'react';
import { useIntl } from 'react-intl';
import { Unseen } from '../../../ui/layout.tsx';
import { Count, Flag } from '../results/flag.tsx';
import { RangeWords } from '../results/range-bar.tsx';
import { isFlagged } from '../results/result-reading.ts';
import { dayText } from '../../../ui/values/dates.tsx';
import { useText } from '../../../i18n/text.tsx';
import { Was } from '../results/was.tsx';
import { resultsIn, rowsByPanel } from './grid-rows.ts';
import type { Cell, Column, GridRow } from './grid-rows.ts';
import styles from './over-time.module.css';

/** A value in the grid, by the places of its row and its column. */
export interface Place {
  readonly row: number;
  readonly column: number;
}

/** Tests by dates. Arrows move from value to value; Enter or a click opens one. */
export function Grid(props: {
  readonly columns: readonly Column[];
  readonly rows: readonly GridRow[];
  /** The value to focus. */
  readonly focused: Place | undefined;
  readonly onOpen: (place: Place) => void;
}): ReactElement {
  const { columns, rows, focused, onOpen } = props;
  const text = useText();
  const intl = useIntl();
  const buttons = useRef(new Map<string, HTMLButtonElement>());
  const panels = rowsByPanel(rows);
  const ordered = panels.flatMap((panel) => panel.rows);
  const [at, setAt] = useState(focused);
  const isShown = ordered.some(({ place }) => place === at?.row);
  const current = at !== undefined && isShown ? at : firstOf(ordered);
  const focus = useEffectEvent((place: Place | undefined) => {
    if (place !== undefined) buttons.current.get(keyOf(place))?.focus();
  });
  useEffect(() => {
    focus(focused);
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, ctrlKey, altKey, metaKey, currentTarget } = event;
    if (current === undefined || ctrlKey || altKey || metaKey) return;
    const isRightToLeft = currentTarget.matches(':dir(rtl)');
    const next = placeAfter(key, current, ordered, isRightToLeft);
    if (next === undefined) return;
    event.preventDefault();
    buttons.current.get(keyOf(next))?.focus();
  };
  const isGrouped = panels.length > 1 || panels.some(({ panel }) => panel !== undefined);
  return (
    <div
      className={`inset ${styles['scroll'] ?? ''}`}
      tabIndex={0}
      role="region"
      aria-label={text('labs.view.overTime')}
    >
      <table className={styles['grid']} onKeyDown={onKeyDown}>
        <thead>
          <tr>
            <th scope="col">{text('labs.name')}</th>
            <th scope="col">{text('labs.range')}</th>
            {columns.map(({ orderId, date, result, isPartial }) => (
              <th key={orderId} scope="col">
                <time dateTime={date}>
                  {date === '' ? text('orders.noDate') : dayText(intl, date)}
                </time>
                <small>
                  <bdi>{result.metadata.laboratory ?? text('labs.noLaboratory')}</bdi>
                  {isPartial && ` · ${text('orders.state.partial')}`}
                </small>
              </th>
            ))}
          </tr>
        </thead>
        {panels.map(({ panel, rows: inPanel }, index) => (
          <tbody key={panel ?? index}>
            {isGrouped && (
              <tr className={styles['panel']}>
                <th colSpan={columns.length + 2} scope="rowgroup">
                  <bdi>{panel ?? text('labs.panel.none')}</bdi>
                </th>
              </tr>
            )}
            {inPanel.map((row) => (
              <tr key={row.place}>
                <th scope="row">
                  <bdi>{row.name}</bdi>
                </th>
                <td>
                  <Range row={row} />
                </td>
                {row.cells.map((cell, column) => (
                  <GridCell
                    key={columns[column]?.orderId}
                    cell={cell}
                    label={[row.name, dayText(intl, columns[column]?.date ?? '')].join(', ')}
                    place={{ row: row.place, column }}
                    isCurrent={current?.row === row.place && current.column === column}
                    buttons={buttons}
                    onFocus={setAt}
                    onOpen={onOpen}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

/** Of the newest value; the flag of each other value is by its own. */
function Range({ row }: { readonly row: GridRow }): ReactElement | null {
  const newest = resultsIn(row)[0];
  if (newest === undefined) return null;
  const { reading, result } = newest;
  return (
    <span className="quiet">
      <RangeWords range={reading.range} />
      {result.unit ? (
        <bdi> {reading.range.kind === 'none' ? `(${result.unit})` : result.unit}</bdi>
      ) : null}
    </span>
  );
}

function GridCell(props: {
  readonly cell: Cell | undefined;
  readonly label: string;
  readonly place: Place;
  readonly isCurrent: boolean;
  readonly buttons: RefObject<Map<string, HTMLButtonElement>>;
  readonly onFocus: (place: Place) => void;
  readonly onOpen: (place: Place) => void;
}): ReactElement {
  const { cell, label, place, isCurrent, buttons, onFocus, onOpen } = props;
  const text = useText();
  if (cell === undefined) {
    return (
      <td className="quiet">
        <span aria-hidden="true">–</span>
        <Unseen>{text('grid.notOrdered')}</Unseen>
      </td>
    );
  }
  if (cell.kind === 'missing') {
    return (
      <td title={cell.missing.note ?? undefined}>
        <Count group="missing" />
      </td>
    );
  }
  const { result, reading, was } = cell;
  return (
    <td data-of={reading.flag}>
      <button
        type="button"
        className={`inset bare ${styles['value'] ?? ''}`}
        ref={(button) => {
          if (button === null) buttons.current.delete(keyOf(place));
          else buttons.current.set(keyOf(place), button);
        }}
        tabIndex={isCurrent ? 0 : -1}
        title={result.result}
        onFocus={() => {
          onFocus(place);
        }}
        onClick={() => {
          onOpen(place);
        }}
      >
        <Unseen>{label} </Unseen>
        <bdi className="numbers">{result.result}</bdi>
        {isFlagged(reading) && <Flag short reading={reading} />}
      </button>
      {was !== undefined && <Was was={was} now={result} />}
    </td>
  );
}

function keyOf({ row, column }: Place): string {
  return `${String(row)} ${String(column)}`;
}

function firstOf(rows: readonly GridRow[]): Place | undefined {
  for (const row of rows) {
    const column = row.cells.findIndex((cell) => cell?.kind === 'result');
    if (column !== -1) return { row: row.place, column };
  }
  return undefined;
}

/** The next value in the direction of a key, over cells without one. */
function placeAfter(
  key: string,
  { row, column }: Place,
  rows: readonly GridRow[],
  isRightToLeft: boolean,
): Place | undefined {
  const at = rows.findIndex(({ place }) => place === row);
  const hasValue = (place: Place): boolean =>
    rows.find((one) => one.place === place.row)?.cells[place.column]?.kind === 'result';
  const inRow = rows[at]?.cells.map((_, index) => ({ row, column: index })) ?? [];
  const inColumn = rows.map(({ place }) => ({ row: place, column }));
  switch (key) {
    case 'ArrowDown':
      return inColumn.slice(at + 1).find(hasValue);
    case 'ArrowUp':
      return inColumn.slice(0, at).findLast(hasValue);
    case isRightToLeft ? 'ArrowLeft' : 'ArrowRight':
      return inRow.slice(column + 1).find(hasValue);
    case isRightToLeft ? 'ArrowRight' : 'ArrowLeft':
      return inRow.slice(0, column).findLast(hasValue);
    case 'Home':
      return inRow.find(hasValue);
    case 'End':
      return inRow.findLast(hasValue);
    default:
      return undefined;
  }
}
