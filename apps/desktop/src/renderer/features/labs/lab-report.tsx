import { useMemo, useState } from 'react';
import { createPortal } from 'react-dom';
import { useIntl } from 'react-intl';
import type { LabOrderResult, OrderHistory } from '@caregate/domain';
import type { Read } from '../../api/read.ts';
import { formatKeys, useCommand } from '../../app/keyboard.ts';
import { useSelection } from '../../app/selection.tsx';
import { useText } from '../../i18n/text.tsx';
import { Button, KeyHint } from '../../ui/controls.tsx';
import { Quiet, Row, Stack } from '../../ui/layout.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { formatDate } from '../../ui/values/dates.tsx';
import { describeChanges, noCorrection, type Correction } from './history/corrections.ts';
import { getReportDate, createFindEarlier } from './history/earlier-values.ts';
import { IdentityBanner, IdentityNote, OtherName } from './identity/identity-banner.tsx';
import { needsLook } from './identity/identity-check.ts';
import { useCopyGuard, type IdentityGate } from './identity/identity-gate.ts';
import { LabHeader } from './lab-header.tsx';
import { ReportStatusBanner, findNotices } from './report-status.tsx';
import { ResultView } from './result/result-view.tsx';
import { Count } from './results/flag.tsx';
import { createGetName, formatPanelName } from './results/result-names.ts';
import { groupByPanel, readResults, countByGroup, type SortOrder } from './results/result-order.ts';
import { isFlagged } from './results/result-reading.ts';
import { ResultTable } from './results/result-table.tsx';
import styles from './labs.module.css';

export interface LabReportProps {
  readonly result: LabOrderResult;
  readonly orderId: string;
  readonly gate: IdentityGate;
  readonly ordered?: string | null | undefined;
  readonly correction?: Correction;
  readonly history?: Read<OrderHistory> | undefined;
  /** The element that shows the filter. Without it, the filter is above the table. */
  readonly toolbar?: HTMLElement | null | undefined;
}

type Filter = 'all' | 'abnormal' | 'missing';

/** Shows the results of a report, or the result that is open. */
export function LabReport(props: LabReportProps) {
  const { result, orderId, gate, history, ordered, toolbar, correction = noCorrection } = props;
  const text = useText();
  const intl = useIntl();
  const { person } = useSelection();
  const [filter, setFilter] = useState<Filter>('all');
  const [order, setOrder] = useState<SortOrder>('urgent');
  /** The index of the open result in the report. `focused` is the one to focus after it is closed. */
  const [place, setPlace] = useState<number>();
  const [focused, setFocused] = useState<number>();
  const toggleOrder = (): void => setOrder(order === 'urgent' ? 'laboratory' : 'urgent');
  useCommand('abnormalFirst', toggleOrder);
  useCopyGuard(gate);
  const notices = findNotices(result, orderId);
  const all = useMemo(() => readResults(result.results), [result]);
  const getName = useMemo(() => createGetName(result.results, text), [result, text]);
  const missing = result.missing_results ?? [];
  const counts = countByGroup(all, missing);
  const panels = groupByPanel(
    filter === 'missing' ? [] : all.filter(({ reading }) => filter === 'all' || isFlagged(reading)),
    filter === 'abnormal' ? [] : missing,
    order,
  );
  const earlier = history?.problem === undefined ? history?.data?.value : undefined;
  const findEarlier = earlier && createFindEarlier(earlier, result.results);
  const { findReplaced } = correction;
  const isCorrected = notices.some(({ kind }) => kind === 'corrected');
  const banners = (
    <Stack className={styles['banners']}>
      {/* The key discards a reason that was typed for other birth dates. */}
      {needsLook(gate.check) && <IdentityBanner key={JSON.stringify(gate.check)} gate={gate} />}
      {person && <OtherName patient={result.metadata.patient} person={person} />}
      <ReportStatusBanner
        notices={notices}
        changes={describeChanges(correction, isCorrected, getName, text)}
      />
    </Stack>
  );
  const open = (opened: number): void => {
    setFocused(opened);
    setPlace(opened);
  };
  const shown = panels.flatMap(({ results }) => results);
  const at = shown.findIndex((one) => one.place === place);
  const opened = shown[at]?.result;
  if (opened !== undefined) {
    const stepTo = (next: (typeof shown)[number] | undefined): (() => void) | undefined =>
      next && (() => open(next.place));
    const { panel, results = [] } =
      panels.find((one) => one.results.some((each) => each.place === place)) ?? {};
    const ownValue = {
      date: getReportDate(result),
      measured: opened,
      replaced: findReplaced(opened),
      laboratory: result.metadata.laboratory ?? undefined,
    };
    return (
      <ResultView
        open={{
          name: getName(opened),
          result: opened,
          metadata: result.metadata,
          orderId,
          ordered,
          values: [ownValue, ...(findEarlier?.(opened) ?? [])],
        }}
        back={
          ownValue.date === ''
            ? text('labs.view.report')
            : text('result.backToReport', { day: formatDate(intl, ownValue.date) })
        }
        position={{
          place: results.findIndex((one) => one.place === place) + 1,
          total: results.length,
          panel: formatPanelName(
            panel,
            panels.flatMap((one) => one.panel ?? []),
          ),
        }}
        onBack={() => setPlace(undefined)}
        onPrevious={stepTo(shown[at - 1])}
        onNext={stepTo(shown[at + 1])}
        banners={banners}
      />
    );
  }
  const isEmpty = all.length + missing.length === 0;
  const controls = (
    <Row gap="gap3" className={toolbar ? undefined : styles['toolbar']}>
      <SegmentedControl
        quiet
        label={text('labs.summary')}
        value={filter}
        options={[
          ['all', text('labs.group.all', { count: all.length + missing.length })],
          ...(['abnormal', 'missing'] as const)
            .filter((group) => counts[group] > 0)
            .map((group) => [group, <Count group={group} count={counts[group]} />] as const),
        ]}
        onChange={setFilter}
      />
      <button
        type="button"
        role="switch"
        aria-checked={order === 'urgent'}
        onClick={toggleOrder}
        className={`bare line gap2 row13 medium ${styles['switch'] ?? ''}`}
      >
        <span aria-hidden="true" />
        {text('labs.abnormalFirst')}
      </button>
    </Row>
  );
  return (
    <>
      {!isEmpty && (toolbar ? createPortal(controls, toolbar) : controls)}
      <LabHeader metadata={result.metadata} notices={notices} />
      {banners}
      {isEmpty ? (
        <p className={styles['state']}>{text('labs.noResults')}</p>
      ) : (
        <ResultTable
          panels={panels}
          getName={getName}
          findEarlier={findEarlier}
          findReplaced={findReplaced}
          focused={focused}
          onOpen={open}
        />
      )}
      <Row as="footer" className={`quiet meta ${styles['foot'] ?? ''}`}>
        <IdentityNote check={gate.check} patient={result.metadata.patient} person={person} />
        {history && <HistoryNote history={history} />}
        {!isEmpty && (
          <Row as="span" gap="gap4" className="spare">
            <KeyHint keys={['↑', '↓']}>{text('grid.move')}</KeyHint>
            <KeyHint keys={['Enter']}>{text('grid.open')}</KeyHint>
            <KeyHint keys={[formatKeys('abnormalFirst')]}>{text('labs.abnormalFirst')}</KeyHint>
          </Row>
        )}
      </Row>
    </>
  );
}

function HistoryNote({ history }: { history: Read<OrderHistory> }) {
  const { data, problem, isFetching, refetch } = history;
  const text = useText();
  if (problem === undefined) {
    const count = data?.value.left_out ?? 0;
    return count === 0 ? null : <Quiet>{text('history.leftOut', { count })}</Quiet>;
  }
  if (problem.kind === 'forbidden') return <Quiet role="status">{text('history.forbidden')}</Quiet>;
  if (problem.kind === 'notOffered' || problem.kind === 'notFound') {
    return <Quiet role="status">{text('history.notOffered')}</Quiet>;
  }
  return (
    <Quiet role="status">
      {text('history.failed')}{' '}
      <Button isDisabled={isFetching} onPress={refetch}>
        {text('state.retry')}
      </Button>
    </Quiet>
  );
}
