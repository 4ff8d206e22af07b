import { ArrowDownUp } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useIntl } from 'react-intl';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import type { LabOrderResult, OrderHistory } from '@caregate/domain';
import { Quiet, Row, Stack } from '../../ui/layout.tsx';
import { Button, KeyCap } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';
import { SegmentedControl, segments } from '../../ui/segmented-control.tsx';
import { dayText } from '../../ui/values/dates.tsx';
import type { Read } from '../../api/read.ts';
import { useText } from '../../i18n/text.tsx';
import { formatKeys, useCommand } from '../../app/keyboard.ts';
import { namesIn, panelName } from './results/result-names.ts';
import { changeSentences } from './history/corrections.ts';
import { comparableIn, dateOf, earlierValuesIn } from './history/earlier-values.ts';
import { noCorrection } from './history/corrections.ts';
import type { Correction } from './history/corrections.ts';
import { useCopyGuard } from './identity/identity-gate.ts';
import { IdentityBanner } from './identity/identity-banner.tsx';
import { needsLook } from './identity/identity-check.ts';
import type { IdentityGate } from './identity/identity-gate.ts';
import { LabHeader } from './lab-header.tsx';
import { byPanel, groupOf, GROUPS, readResults, summaryOf } from './results/result-order.ts';
import type { Group, SortOrder } from './results/result-order.ts';
import { reportNoticesOf } from './report-status.tsx';
import { ResultView } from './result/result-view.tsx';
import { Count } from './results/flag.tsx';
import { ResultTable } from './results/result-table.tsx';
import { ReportStatusBanner } from './report-status.tsx';
import styles from './labs.module.css';

export interface LabReportProps {
  readonly result: LabOrderResult;
  readonly orderId: string;
  readonly gate: IdentityGate;
  readonly ordered?: string | null | undefined;
  readonly masked: boolean;
  readonly correction?: Correction;
  readonly history?: Read<OrderHistory> | undefined;
  readonly nameNote?: ReactNode;
  readonly actions?: ReactNode;
  readonly stamp?: ReactNode;
}

/** The results of a report; or one of them, opened. */
export function LabReport(props: LabReportProps): ReactElement {
  const { result, orderId, gate, masked, history, ordered, actions } = props;
  const { replaced, changes, isOfAnother, wasOf } = props.correction ?? noCorrection;
  const text = useText();
  const intl = useIntl();
  const [only, setOnly] = useState<Group | 'all'>('all');
  const [order, setOrder] = useState<SortOrder>('urgent');
  /** Place of the opened result, and of the one to focus after it was closed. */
  const [place, setPlace] = useState<number>();
  const [focused, setFocused] = useState<number>();
  const notices = reportNoticesOf(result, orderId);
  const isReplaced = replaced !== undefined;
  const isCorrected = notices.some(({ kind }) => kind === 'corrected');
  const sentences = useMemo(() => {
    if (isOfAnother) return [text('changes.otherPerson')];
    return isReplaced && (changes.length > 0 || isCorrected)
      ? changeSentences(changes, namesIn(result.results, text), text)
      : [];
  }, [isOfAnother, isReplaced, isCorrected, changes, result, text]);
  const all = useMemo(() => readResults(result.results), [result]);
  const missing = useMemo(() => result.missing_results ?? [], [result]);
  const counts = summaryOf(all, missing);
  const panels = useMemo(
    () =>
      byPanel(
        all.filter(({ reading }) => only === 'all' || groupOf(reading) === only),
        only === 'all' || only === 'missing' ? missing : [],
        order,
      ),
    [all, missing, only, order],
  );
  const earlier = history?.problem === undefined ? history?.data?.value : undefined;
  const beside = useMemo(
    () => ({
      nameOf: namesIn(result.results, text),
      earlierOf: earlier === undefined ? undefined : earlierValuesIn(earlier, result.results),
      canCompare: comparableIn(result.results),
      wasOf,
    }),
    [earlier, result, text, wasOf],
  );
  const open = useCallback((opened: number) => {
    setFocused(opened);
    setPlace(opened);
  }, []);
  useCopyGuard(gate);
  useCommand('abnormalFirst', () => {
    setOrder(order === 'urgent' ? 'laboratory' : 'urgent');
  });
  const banners = (
    <Stack className={styles['banners']}>
      {/* A reason typed for one pair of dates isn't kept for another. */}
      {needsLook(gate.check) && (
        <IdentityBanner key={JSON.stringify(gate.check)} gate={gate} masked={masked} />
      )}
      {props.nameNote}
      <ReportStatusBanner notices={notices} changes={sentences} />
    </Stack>
  );
  const note = history !== undefined && <HistoryNote history={history} />;
  const panel = panels.find(({ results }) => results.some((one) => one.place === place));
  const inPanel = panel?.results ?? [];
  const index = inPanel.findIndex((one) => one.place === place);
  const opened = inPanel[index]?.result;
  if (panel !== undefined && opened !== undefined) {
    const shown = panels.flatMap(({ results }) => results.map((one) => one.place));
    const at = shown.indexOf(place ?? -1);
    const stepTo = (next: number | undefined): (() => void) | undefined =>
      next === undefined
        ? undefined
        : () => {
            open(next);
          };
    const own = { date: dateOf(result), measured: opened, replaced: wasOf(opened) };
    return (
      <ResultView
        open={{
          name: beside.nameOf(opened),
          result: opened,
          metadata: result.metadata,
          orderId,
          ordered,
          values: [own, ...(beside.earlierOf?.(opened) ?? [])],
        }}
        back={
          own.date === ''
            ? text('labs.view.report')
            : text('result.backToReport', { day: dayText(intl, own.date) })
        }
        position={{
          place: index + 1,
          total: inPanel.length,
          panel: panelName(
            panel.panel,
            panels.flatMap((one) => one.panel ?? []),
          ),
        }}
        onBack={() => {
          setPlace(undefined);
        }}
        onPrevious={stepTo(shown[at - 1])}
        onNext={stepTo(shown[at + 1])}
        gate={gate}
        actions={actions}
        banners={banners}
        foot={
          <Row className={`quiet meta ${styles['foot'] ?? ''}`}>
            {note}
            {props.stamp}
          </Row>
        }
      />
    );
  }
  return (
    <>
      <LabHeader
        metadata={result.metadata}
        orderId={orderId}
        ordered={ordered}
        notices={notices}
        masked={masked}
      >
        {actions}
      </LabHeader>
      {banners}
      {all.length === 0 && missing.length === 0 ? (
        <p className={styles['state']}>{text('labs.noResults')}</p>
      ) : (
        <>
          <Row className={styles['bar']}>
            <SegmentedControl
              quiet
              label={text('labs.summary')}
              value={only}
              options={[
                ['all', text('labs.group.all', { count: all.length + missing.length })],
                ...GROUPS.filter((group) => counts[group] > 0).map(
                  (group) =>
                    [group, <Count key={group} group={group} count={counts[group]} />] as const,
                ),
              ]}
              onChange={setOnly}
            />
            <ToggleButton
              isSelected={order === 'urgent'}
              onChange={(isSelected) => {
                setOrder(isSelected ? 'urgent' : 'laboratory');
              }}
              className={segments.option}
            >
              <Icon of={ArrowDownUp} />
              <span className="spare">
                {text('labs.abnormalFirst')} <KeyCap keys={formatKeys('abnormalFirst')} isSilent />
              </span>
            </ToggleButton>
          </Row>
          <ResultTable panels={panels} beside={beside} focused={focused} onOpen={open} />
        </>
      )}
      <Row as="footer" className={`quiet meta ${styles['foot'] ?? ''}`}>
        {!needsLook(gate.check) && <IdentityBanner gate={gate} masked={masked} />}
        {note}
        {props.stamp}
        <span>{text('labs.print.title')}</span>
      </Row>
    </>
  );
}

function HistoryNote({ history }: { history: Read<OrderHistory> }): ReactElement | null {
  const { data, problem, isFetching, refetch } = history;
  const text = useText();
  if (problem === undefined) {
    const count = data?.value.left_out ?? 0;
    const said = text('history.leftOut', { count });
    return count === 0 ? null : (
      <Quiet as="p" size="row13">
        {said}
      </Quiet>
    );
  }
  const isOffered = problem.kind !== 'notOffered' && problem.kind !== 'notFound';
  const isForbidden = problem.kind === 'forbidden';
  return (
    <Quiet as="p" size="row13" role="status">
      {text(`history.${!isOffered ? 'notOffered' : isForbidden ? 'forbidden' : 'failed'}`)}{' '}
      {isOffered && !isForbidden && (
        <Button isDisabled={isFetching} onPress={refetch}>
          {text('state.retry')}
        </Button>
      )}
    </Quiet>
  );
}
