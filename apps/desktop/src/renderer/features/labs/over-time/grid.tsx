import { useIntl } from 'react-intl';
import { VisuallyHidden } from '../../../ui/layout.tsx';
import { Count, Flag } from '../results/flag.tsx';
import { RangeWords } from '../results/range-bar.tsx';
import { isFlagged } from '../results/result-reading.ts';
import { formatDate } from '../../../ui/values/dates.tsx';
import { useText } from '../../../i18n/text.tsx';
import { ButtonTable } from '../results/button-table.tsx';
import { CorrectionNote } from '../results/result-table.tsx';
import { getResults, groupRowsByPanel, type Cell, type Column, type GridRow } from './grid-rows.ts';
import styles from './over-time.module.css';

export interface Place {
  readonly row: number;
  readonly column: number;
}

/** A table of tests by date. Enter or a click opens a value. */
export function Grid(props: {
  readonly columns: readonly Column[];
  readonly rows: readonly GridRow[];
  /** The value to focus. */
  readonly focused: Place | undefined;
  readonly onOpen: (place: Place) => void;
}) {
  const { columns, rows, focused, onOpen } = props;
  const text = useText();
  const intl = useIntl();
  const panels = groupRowsByPanel(rows);
  const isGrouped = panels.length > 1 || panels.some(({ panel }) => panel !== undefined);
  return (
    <ButtonTable label={text('labs.view.overTime')} className={styles['grid']}>
      <thead>
        <tr>
          <th scope="col">{text('labs.name')}</th>
          <th scope="col">{text('labs.range')}</th>
          {columns.map(({ orderId, date, result, isPartial }) => (
            <th key={orderId} scope="col">
              <time dateTime={date}>
                {date === '' ? text('orders.noDate') : formatDate(intl, date)}
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
                  label={[row.name, formatDate(intl, columns[column]?.date ?? '')].join(', ')}
                  place={{ row: row.place, column }}
                  isFocused={focused?.row === row.place && focused.column === column}
                  onOpen={onOpen}
                />
              ))}
            </tr>
          ))}
        </tbody>
      ))}
    </ButtonTable>
  );
}

/** Shows the reference range of the newest value. Each value is flagged by its own range. */
function Range({ row }: { readonly row: GridRow }) {
  const newest = getResults(row)[0];
  if (newest === undefined) return null;
  const { reading, result } = newest;
  return (
    <span className="quiet" dir={reading.range.kind === 'between' ? 'ltr' : undefined}>
      <RangeWords range={reading.range} />{' '}
      {result.unit ? (
        <bdi>{reading.range.kind === 'none' ? `(${result.unit})` : result.unit}</bdi>
      ) : null}
    </span>
  );
}

function GridCell(props: {
  readonly cell: Cell | undefined;
  readonly label: string;
  readonly place: Place;
  readonly isFocused: boolean;
  readonly onOpen: (place: Place) => void;
}) {
  const { cell, label, place, isFocused, onOpen } = props;
  const text = useText();
  if (cell === undefined) {
    return (
      <td className="quiet">
        <span aria-hidden="true">–</span>
        <VisuallyHidden>{text('grid.notOrdered')}</VisuallyHidden>
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
  const { result, reading, replaced } = cell;
  return (
    <td data-of={reading.flag}>
      <button
        type="button"
        className={`inset bare ${styles['value'] ?? ''}`}
        tabIndex={-1}
        autoFocus={isFocused}
        title={result.result}
        onClick={() => onOpen(place)}
      >
        <VisuallyHidden>{label} </VisuallyHidden>
        <bdi className="numbers">{result.result}</bdi>
        {isFlagged(reading) && <Flag short reading={reading} />}
      </button>
      <CorrectionNote replaced={replaced} now={result} />
    </td>
  );
}
