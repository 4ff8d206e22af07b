import { ChevronDown, ChevronRight, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import type { BiomarkerResult, LabOrderResult } from '@caregate/domain';
import { Button, KeyCap } from '../../../components/controls.tsx';
import { Icon } from '../../../components/icon.tsx';
import { Quiet, Row, Stack } from '../../../components/layout.tsx';
import { Flag } from '../../../components/results/flag.tsx';
import { RangeWords } from '../../../components/results/range-bar.tsx';
import { groupOf } from '../../../components/results/result-order.ts';
import { useText } from '../../../text/text.tsx';
import { trendValues } from '../history/earlier-values.ts';
import { Trend } from '../history/trend.tsx';
import { namesIn } from '../../../components/results/result-names.ts';
import { comparedRows, FOLDED, KINDS } from './compared-rows.ts';
import type { Cell, ComparedRow, Kind } from './compared-rows.ts';
import labs from '../labs.module.css';
import styles from './compare.module.css';

export interface Column {
  readonly key: string;
  readonly result: LabOrderResult;
  readonly date: string;
  readonly head: string;
}

type WasOf = (result: BiomarkerResult) => BiomarkerResult | 'added' | undefined;

export function ComparedTable(props: {
  readonly columns: readonly Column[];
  readonly wasOf: WasOf;
  readonly onClose: () => void;
}): ReactElement {
  const { columns, wasOf, onClose } = props;
  const text = useText();
  const rows = useMemo(
    () =>
      comparedRows(
        columns.map(({ result }) => result),
        (result) => wasOf(result) !== undefined,
        namesIn(
          columns.flatMap(({ result }) => result.results),
          text,
        ),
      ),
    [columns, text, wasOf],
  );
  const isShown = columns.length >= 2;
  const telling = rows.filter(({ kind }) => !FOLDED.has(kind)).length;
  return (
    <>
      <Row className={styles['bar']}>
        <div className="grow">
          <h2 className="head">
            {isShown
              ? text('compare.telling', { count: telling, total: rows.length })
              : text('compare.choose')}
          </h2>
          {isShown && (
            <Quiet as="p" size="meta">
              {text('compare.oldest', { count: columns.length })}
            </Quiet>
          )}
        </div>
        <Button kind="quiet" onPress={onClose}>
          <Icon of={X} />
          {text('compare.close')}
          <KeyCap isSilent keys="Esc" />
        </Button>
      </Row>
      {isShown && (
        <div
          className={`inset ${labs['scroll'] ?? ''}`}
          tabIndex={0}
          role="region"
          aria-label={text('labs.results')}
        >
          <table className={styles['table']}>
            <thead>
              <tr>
                <th scope="col">{text('labs.name')}</th>
                <th scope="col">{text('labs.range')}</th>
                {columns.map(({ key, head, result }) => (
                  <th key={key} scope="col" className={styles['column']}>
                    <Stack as="span" className={styles['headed']}>
                      <b>{head}</b>
                      {result.metadata.laboratory && (
                        <bdi className="cut" title={result.metadata.laboratory}>
                          {result.metadata.laboratory}
                        </bdi>
                      )}
                    </Stack>
                  </th>
                ))}
                <th scope="col">{text('history.trend')}</th>
              </tr>
            </thead>
            {KINDS.map((kind) => (
              <Group
                key={kind}
                kind={kind}
                rows={rows.filter((row) => row.kind === kind)}
                columns={columns}
                wasOf={wasOf}
              />
            ))}
          </table>
        </div>
      )}
    </>
  );
}

function Group(props: {
  readonly kind: Kind;
  readonly rows: readonly ComparedRow[];
  readonly columns: readonly Column[];
  readonly wasOf: WasOf;
}): ReactElement | null {
  const { kind, rows, columns, wasOf } = props;
  const text = useText();
  const [isOpen, setOpen] = useState(!FOLDED.has(kind));
  if (rows.length === 0) return null;
  return (
    <tbody>
      <tr className={styles['group']}>
        <th scope="rowgroup" colSpan={columns.length + 3}>
          <Button
            kind="quiet"
            aria-expanded={isOpen}
            onPress={() => {
              setOpen(!isOpen);
            }}
          >
            <Icon of={isOpen ? ChevronDown : ChevronRight} />
            {text(`compare.kind.${kind}`, { count: rows.length })}
          </Button>
          {!isOpen && (
            <Quiet size="meta">
              {rows
                .slice(0, 3)
                .map(({ name }) => `\u2068${name}\u2069`)
                .join(text('compare.comma'))}
              {rows.length > 3 && ' …'}
            </Quiet>
          )}
        </th>
      </tr>
      {isOpen &&
        rows.map((row, place) => (
          <Biomarker key={place} row={row} columns={columns} wasOf={wasOf} />
        ))}
    </tbody>
  );
}

function Biomarker(props: {
  readonly row: ComparedRow;
  readonly columns: readonly Column[];
  readonly wasOf: WasOf;
}): ReactElement {
  const { row, columns, wasOf } = props;
  const { name, cells, unit } = row;
  const measured = cells.flatMap((cell, place) =>
    cell.kind === 'measured' ? [{ ...cell, date: columns[place]?.date ?? '' }] : [],
  );
  const last = measured.at(-1);
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>{' '}
        {unit ? (
          <Quiet>
            <bdi>{unit}</bdi>
          </Quiet>
        ) : null}
      </th>
      <td>{last !== undefined && <RangeWords range={last.reading.range} />}</td>
      {cells.map((cell, place) => (
        <td key={place} className={styles['column']}>
          <Measured cell={cell} unit={unit} wasOf={wasOf} />
        </td>
      ))}
      <td>
        {last !== undefined && unit !== undefined && (
          <Trend
            values={trendValues(
              last.result,
              last.date,
              measured
                .slice(0, -1)
                .toReversed()
                .map(({ result, date }) => ({ order_id: '', date, measured: result })),
            )}
            range={last.reading.range}
          />
        )}
      </td>
    </tr>
  );
}

function Measured(props: {
  readonly cell: Cell;
  readonly unit: string | undefined;
  readonly wasOf: WasOf;
}): ReactElement {
  const { cell, unit, wasOf } = props;
  const text = useText();
  if (cell.kind !== 'measured') {
    return <Quiet>{text(cell.kind === 'missing' ? 'flag.missing' : 'compare.absent')}</Quiet>;
  }
  const { result, reading } = cell;
  const was = wasOf(result);
  const isPlain = ['inside', 'noRange', 'notAssessed'].includes(groupOf(reading));
  return (
    <>
      {!isPlain && <Flag reading={reading} />}
      <span dir="ltr">
        <bdi className="value" data-of={reading.flag}>
          {result.result}
        </bdi>{' '}
        {unit === undefined && result.unit ? (
          <Quiet>
            <bdi>{result.unit}</bdi>
          </Quiet>
        ) : null}
      </span>
      {was !== undefined && (
        <span className={styles['was']}>
          {was === 'added'
            ? text('changes.wasNone')
            : text('changes.was', { before: `\u2066${was.result}\u2069` })}
        </span>
      )}
    </>
  );
}
