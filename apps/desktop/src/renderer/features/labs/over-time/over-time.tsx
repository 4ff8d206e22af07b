import { Pencil } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useIntl } from 'react-intl';
import { Button, KeyHint } from '../../../ui/controls.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Quiet, Row, Stack } from '../../../ui/layout.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { ProblemNote } from '../../../ui/problem.tsx';
import { SegmentedControl } from '../../../ui/segmented-control.tsx';
import { Flag, LETTERED, Marked } from '../results/flag.tsx';
import { getPanelLabel } from '../results/result-names.ts';
import { formatDate } from '../../../ui/values/dates.tsx';
import { hasResults, isSameId } from '../order-facts.ts';
import type { ListedOrders } from '../use-orders.ts';
import type { Person } from '../../patient/person.ts';
import { useText } from '../../../i18n/text.tsx';
import { OtherName } from '../identity/identity-banner.tsx';
import { Refresh } from '../../../app/refresh.tsx';
import { ResultView } from '../result/result-view.tsx';
import { Grid, type Place } from './grid.tsx';
import {
  FILTERS,
  buildGridRows,
  matchesFilter,
  getResults,
  groupRowsByPanel,
} from './grid-rows.ts';
import type { Column, Filter, GridRow } from './grid-rows.ts';
import { useReports } from './use-reports.ts';
import labs from '../labs.module.css';

/** The number of reports that are read first, and again with each press of the button. */
const step = 10;

/** Shows a patient's tests by the dates of their reports. */
export function OverTime(props: {
  readonly person: Person;
  readonly orders: ListedOrders;
  /** The control that switches between the views. */
  readonly children: ReactNode;
}) {
  const { person, orders, children } = props;
  const text = useText();
  const intl = useIntl();
  const [limit, setLimit] = useState(step);
  const [chosen, setFilter] = useState<Filter>('all');
  const [opened, setOpened] = useState<Place>();
  const [focused, setFocused] = useState<Place>();
  const reported = orders.orders
    .filter(hasResults)
    .filter(({ id }, place, all) => all.findIndex((other) => isSameId(other.id, id)) === place);
  const reports = useReports(person, reported.slice(0, limit));
  const { columns, problem } = reports;
  const rows = buildGridRows(columns, text);
  const counts = Object.fromEntries(
    FILTERS.map((filter) => [filter, rows.filter((row) => matchesFilter(row, filter)).length]),
  ) as Record<Filter, number>;
  const filter = counts[chosen] === 0 ? 'all' : chosen;
  const shown = rows.filter((row) => matchesFilter(row, filter));
  const openPlace = (place: Place): void => {
    setOpened(place);
    setFocused(place);
  };
  if (opened !== undefined && rows[opened.row]?.cells[opened.column]?.kind === 'result') {
    return (
      <GridResult
        columns={columns}
        rows={groupRowsByPanel(shown).flatMap((panel) => panel.rows)}
        place={opened}
        onOpen={openPlace}
        onBack={() => setOpened(undefined)}
      />
    );
  }
  const hasMore = reported.length > limit || orders.hasMore;
  const [newest, oldest] = [columns[0]?.date, columns.at(-1)?.date];
  return (
    <>
      <Row className={labs['toolbar']}>
        {children}
        {columns.length > 0 && (
          <Quiet size="meta" className="grow">
            {text('grid.reports', {
              count: columns.length,
              first: formatDate(intl, oldest ?? ''),
              last: formatDate(intl, newest ?? ''),
            })}
          </Quiet>
        )}
        {rows.length > 0 && (
          <SegmentedControl
            quiet
            label={text('labs.summary')}
            value={filter}
            options={FILTERS.filter((one) => counts[one] > 0).map((one) => {
              const label = text(`grid.filter.${one}`, { count: counts[one] });
              return [one, one === 'all' ? label : <Marked shape="high">{label}</Marked>] as const;
            })}
            onChange={setFilter}
          />
        )}
      </Row>
      {reports.isPending ? (
        <div className={labs['state']}>
          <Loading what="labs.title" rows={6} onCancel={reports.cancel} />
        </div>
      ) : (
        <>
          <Stack className={labs['banners']}>
            <OtherName patient={columns[0]?.result.metadata.patient} person={person} />
            {problem !== undefined && <ProblemNote problem={problem} onRetry={reports.refetch} />}
            {reports.leftOut > 0 && (
              <p className="bold noticed">{text('grid.leftOut', { count: reports.leftOut })}</p>
            )}
          </Stack>
          {columns.length > 0 ? (
            <Grid columns={columns} rows={shown} focused={focused} onOpen={openPlace} />
          ) : (
            problem === undefined &&
            reports.leftOut === 0 && <p className={labs['state']}>{text('orders.noResults')}</p>
          )}
        </>
      )}
      {reports.receivedAt !== undefined && (
        <Refresh
          oldest={reports.receivedAt}
          isFetching={reports.isFetching}
          onRefresh={reports.refetch}
        />
      )}
      <Row as="footer" gap="gap4" className={`quiet meta ${labs['foot'] ?? ''}`}>
        <Legend rows={shown} />
        {hasMore && (
          <Button
            isDisabled={reports.isFetching || orders.isFetching}
            onPress={() => {
              setLimit(limit + step);
              if (reported.length < limit + step && orders.hasMore) orders.loadMore();
            }}
          >
            {text('grid.more')}
          </Button>
        )}
        <Row as="span" gap="gap4" className="spare">
          <KeyHint keys={['↑', '↓', '←', '→']}>{text('grid.move')}</KeyHint>
          <KeyHint keys={['Enter']}>{text('grid.open')}</KeyHint>
        </Row>
      </Row>
    </>
  );
}

/** Explains the letters in the table. */
function Legend({ rows }: { readonly rows: readonly GridRow[] }) {
  const text = useText();
  const cells = rows.flatMap(({ cells: inRow }) => inRow);
  const flags = new Set(
    cells.map((cell) => (cell?.kind === 'result' ? cell.reading.flag : undefined)),
  );
  const isCorrected = cells.some((cell) => cell?.kind === 'result' && cell.replaced !== undefined);
  return (
    <>
      {LETTERED.filter((flag) => flags.has(flag)).map((flag) => (
        <span key={flag} className="line gap1">
          <span aria-hidden="true">
            <Flag short reading={{ flag, direction: undefined, conflicts: [], unrecognised: [] }} />
          </span>
          {text(`flag.${flag}`)}
        </span>
      ))}
      {isCorrected && (
        <span className="line gap1">
          <Icon of={Pencil} /> {text('orders.state.corrected')}
        </span>
      )}
      {cells.includes(undefined) && <span>– {text('grid.notOrdered')}</span>}
    </>
  );
}

/** Shows an open value. The next value is in the next row, in the same column if it has a value there. */
function GridResult(props: {
  readonly columns: readonly Column[];
  readonly rows: readonly GridRow[];
  readonly place: Place;
  readonly onOpen: (place: Place) => void;
  readonly onBack: () => void;
}) {
  const { columns, rows, place, onOpen, onBack } = props;
  const { column } = place;
  const row = rows.find((one) => one.place === place.row);
  const text = useText();
  const cell = row?.cells[column];
  const report = columns[column];
  if (row === undefined || cell?.kind !== 'result' || report === undefined) return null;
  const stepTo = (next: GridRow | undefined): (() => void) | undefined => {
    const first = next?.cells.findIndex((one) => one?.kind === 'result') ?? -1;
    if (next === undefined || first === -1) return undefined;
    return () =>
      onOpen({ row: next.place, column: next.cells[column]?.kind === 'result' ? column : first });
  };
  const withResults = rows.filter((one) => getResults(one).length > 0);
  const at = withResults.indexOf(row);
  const panel = getPanelLabel(row.panel);
  const inPanel = withResults.filter((one) => getPanelLabel(one.panel) === panel);
  return (
    <ResultView
      open={{
        name: row.name,
        result: cell.result,
        metadata: report.result.metadata,
        orderId: report.orderId,
        ordered: report.ordered,
        values: row.cells.flatMap((one, index) => {
          const of = columns[index];
          if (one?.kind !== 'result' || of === undefined) return [];
          const laboratory = of.result.metadata.laboratory ?? undefined;
          return [{ date: of.date, measured: one.result, replaced: one.replaced, laboratory }];
        }),
      }}
      back={text('labs.view.overTime')}
      position={{ place: inPanel.indexOf(row) + 1, total: inPanel.length, panel }}
      onBack={onBack}
      onPrevious={stepTo(withResults[at - 1])}
      onNext={stepTo(withResults[at + 1])}
    />
  );
}
