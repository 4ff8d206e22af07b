import { ArrowDownUp } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import type { LabOrderResult, OrderHistory } from '@caregate/domain';
import { Quiet, Row, Stack } from '../../components/layout.tsx';
import { Button } from '../../components/controls.tsx';
import { Icon } from '../../components/icon.tsx';
import type { Read } from '../../state/read.ts';
import { useShown } from '../../state/shown-records.ts';
import { useText } from '../../text/text.tsx';
import { namesIn } from '../../components/results/result-names.ts';
import { changeSentences } from './history/versions.ts';
import { comparableIn, dateOf, earlierValuesIn } from './history/earlier-values.ts';
import { noCorrection } from './history/use-history.ts';
import type { Correction } from './history/use-history.ts';
import { useCopyGuard } from './identity/copy-guard.ts';
import { IdentityBanner } from './identity/identity-banner.tsx';
import { needsLook } from '../../state/orders/identity-check.ts';
import type { IdentityGate } from './identity/identity-gate.ts';
import { LabHeader } from './lab-header.tsx';
import { groupOf, readResults, sorted, summaryOf } from '../../components/results/result-order.ts';
import type { Group, SortOrder } from '../../components/results/result-order.ts';
import { reportNoticesOf } from './report-status/report-status.ts';
import { ResultTable, Summary } from './results/result-table.tsx';
import { ReportStatusBanner } from './report-status/report-status-banner.tsx';
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

export function LabReport(props: LabReportProps): ReactElement {
  const { result, orderId, gate, masked, history } = props;
  const text = useText();
  const notices = reportNoticesOf(result, orderId);
  const { replaced, changes, isOfAnother, wasOf } = props.correction ?? noCorrection;
  const isReplaced = replaced !== undefined;
  const isCorrected = notices.some(({ kind }) => kind === 'corrected');
  const sentences = useMemo(() => {
    if (isOfAnother) return [text('changes.otherPerson')];
    return isReplaced && (changes.length > 0 || isCorrected)
      ? changeSentences(changes, namesIn(result.results, text), text)
      : [];
  }, [isOfAnother, isReplaced, isCorrected, changes, result, text]);
  useCopyGuard(gate);
  return (
    <>
      <LabHeader
        metadata={result.metadata}
        orderId={orderId}
        ordered={props.ordered}
        notices={notices}
        masked={masked}
      >
        {props.actions}
      </LabHeader>
      <Stack className={styles['banners']}>
        {/* A reason typed for one pair of dates isn't kept for another. */}
        {needsLook(gate.check) && (
          <IdentityBanner key={JSON.stringify(gate.check)} gate={gate} masked={masked} />
        )}
        {props.nameNote}
        <ReportStatusBanner notices={notices} changes={sentences} />
      </Stack>
      <Results result={result} history={history} wasOf={wasOf} gate={gate} />
      <Row as="footer" className={`quiet meta ${styles['foot'] ?? ''}`}>
        {!needsLook(gate.check) && <IdentityBanner gate={gate} masked={masked} />}
        {history !== undefined && <HistoryNote history={history} />}
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

function Results(props: {
  readonly result: LabOrderResult;
  readonly history: Read<OrderHistory> | undefined;
  readonly wasOf: Correction['wasOf'];
  readonly gate: IdentityGate;
}): ReactElement {
  const { result, history, wasOf } = props;
  const { isBlocked, onAttempt } = props.gate;
  const text = useText();
  const [only, setOnly] = useState<Group>();
  const [order, setOrder] = useState<SortOrder>('urgent');
  const all = useMemo(() => readResults(result.results), [result]);
  const shown = useMemo(
    () =>
      sorted(
        all.filter(({ reading }) => only === undefined || groupOf(reading) === only),
        order,
      ),
    [all, only, order],
  );
  const missing = useMemo(() => result.missing_results ?? [], [result]);
  const earlier = history?.problem === undefined ? history?.data?.value : undefined;
  const beside = useMemo(
    () => ({
      nameOf: namesIn(result.results, text),
      earlierOf: earlier === undefined ? undefined : earlierValuesIn(earlier, result.results),
      canCompare: comparableIn(result.results),
      date: dateOf(result),
      wasOf,
    }),
    [earlier, result, text, wasOf],
  );
  const shownNow = useShown();
  const copy = useCallback(
    (copied: string) => {
      if (isBlocked) onAttempt('copy');
      else void window.caregate.copyText({ text: copied, from: shownNow() });
    },
    [isBlocked, onAttempt, shownNow],
  );
  if (all.length === 0 && missing.length === 0) {
    return <p className={styles['state']}>{text('labs.noResults')}</p>;
  }
  return (
    <>
      <Row className={styles['bar']}>
        <Summary counts={summaryOf(all, missing)} only={only} onOnly={setOnly} />
        <Button
          kind="quiet"
          onPress={() => {
            setOrder(order === 'urgent' ? 'laboratory' : 'urgent');
          }}
        >
          <Icon of={ArrowDownUp} />
          <span className="spare">{text(`labs.order.${order}`)}</span>
        </Button>
      </Row>
      <ResultTable
        missing={only === undefined || only === 'missing' ? missing : nothing}
        results={shown}
        beside={beside}
        onCopy={copy}
      />
    </>
  );
}

const nothing: NonNullable<LabOrderResult['missing_results']> = [];
