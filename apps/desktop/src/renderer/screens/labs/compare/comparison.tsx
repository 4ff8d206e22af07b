import { X } from 'lucide-react';
import { useCallback, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import type { BiomarkerResult, Insurance, LabOrderResult, Order, User } from '@caregate/domain';
import { Button, controls } from '../../../components/controls.tsx';
import { dayOf, dayText, momentText } from '../../../components/dates.tsx';
import { Icon } from '../../../components/icon.tsx';
import { Quiet, Row } from '../../../components/layout.tsx';
import { Loading } from '../../../components/loading.tsx';
import { ProblemNote } from '../../../components/problem.tsx';
import { Banner } from '../../../components/surfaces.tsx';
import { useText } from '../../../text/text.tsx';
import type { Correction } from '../history/use-correction.ts';
import { changeOf, pairsOf } from '../history/versions.ts';
import { useCopyGuard } from '../identity/copy-guard.ts';
import { IdentityBanner } from '../identity/identity-banner.tsx';
import { checkIdentity, isSamePatient } from '../identity/identity-check.ts';
import { useIdentityGate } from '../identity/identity-gate.ts';
import { useLabResult } from '../../../state/orders/use-orders.ts';
import { RangeWords } from '../ranges/range-bar.tsx';
import { isSameId } from '../../../state/orders/order-facts.ts';
import { Flag } from '../results/flag.tsx';
import { readingOf } from '../results/result-reading.ts';
import styles from './compare.module.css';

/** The version that a report replaced, or another order by its id. */
export type Compared = 'replaced' | { readonly orderId: string };

interface ComparisonProps {
  readonly orderId: string;
  readonly result: LabOrderResult;
  readonly person: User | undefined;
  readonly insurance: Insurance | undefined;
  readonly replaced: Correction['replaced'];
  readonly orders: readonly Order[];
  readonly compared: Compared;
  readonly onCompare: (compared: Compared | undefined) => void;
  readonly masked: boolean;
}

/** The open report beside another; one that may be about somebody else stays hidden until confirmed. */
export function Comparison(props: ComparisonProps): ReactElement {
  const { result, person, insurance, replaced, compared, onCompare, masked } = props;
  const text = useText();
  const intl = useIntl();
  const orderId = compared === 'replaced' ? undefined : compared.orderId;
  const read = useLabResult(person?.user_id, orderId);
  const { problem, isFetching } = read;
  const other = compared === 'replaced' ? replaced?.result : read.data?.value;
  const gate = useIdentityGate(
    checkIdentity({ result: other ?? { metadata: {} }, person, insurance }),
  );
  const { isBlocked, onAttempt } = gate;
  const refuse = useCallback(() => {
    onAttempt('copy');
  }, [onAttempt]);
  useCopyGuard(isBlocked ? refuse : undefined);
  const headOf = ({ metadata }: LabOrderResult): string => {
    const date = metadata.date_collected ?? metadata.date_reported;
    return date ? (dayText(intl, date) ?? date) : text('orders.noDate');
  };
  return (
    <section aria-label={text('compare.title')} className={styles['comparison']}>
      <Row className={styles['bar']}>
        <Choice {...props} />
        <Button
          kind="quiet"
          onPress={() => {
            onCompare(undefined);
          }}
        >
          <Icon of={X} />
          {text('compare.close')}
        </Button>
      </Row>
      {isFetching && other === undefined && <Loading what="labs.title" />}
      {orderId !== undefined && problem !== undefined && !isFetching && (
        <ProblemNote problem={problem} onRetry={read.refetch} />
      )}
      {other !== undefined && (
        <>
          {!isSamePatient(result.metadata, other.metadata) && (
            <Banner kind="flag" role="alert">
              <strong>{text('compare.otherPatient')}</strong>
            </Banner>
          )}
          <IdentityBanner key={JSON.stringify(gate.check)} gate={gate} masked={masked} />
          {!isBlocked && (
            <ComparedTable
              now={result}
              before={other}
              heads={[
                text('compare.this', { date: headOf(result) }),
                compared === 'replaced'
                  ? text('compare.replaced', { at: momentText(intl, replaced?.at ?? '') ?? '' })
                  : headOf(other),
              ]}
            />
          )}
        </>
      )}
    </section>
  );
}

/** What to compare with; focused when the comparison opens. */
function Choice(props: ComparisonProps): ReactElement {
  const { orderId, replaced, orders, compared, onCompare } = props;
  const text = useText();
  const intl = useIntl();
  const id = useId();
  const select = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    select.current?.focus();
  }, []);
  const others = orders.filter((order) => !isSameId(order.id, orderId));
  return (
    <>
      <label htmlFor={id}>{text('compare.with')}</label>
      <select
        ref={select}
        id={id}
        className={`${controls.input} ${styles['choice'] ?? ''}`}
        value={compared === 'replaced' ? 'replaced' : compared.orderId}
        onChange={({ target }) => {
          onCompare(target.value === 'replaced' ? 'replaced' : { orderId: target.value });
        }}
      >
        {replaced !== undefined && (
          <option value="replaced">
            {text('compare.replaced', { at: momentText(intl, replaced.at) ?? replaced.at })}
          </option>
        )}
        {others.map((order, place) => (
          <option key={`${order.id} ${String(place)}`} value={order.id}>
            {(order.created_at ? dayOf(intl, order.created_at) : undefined) ??
              text('orders.noDate')}
          </option>
        ))}
      </select>
    </>
  );
}

/** Two reports, one biomarker per row. */
function ComparedTable(props: {
  readonly now: LabOrderResult;
  readonly before: LabOrderResult;
  readonly heads: readonly [now: string, before: string];
}): ReactElement {
  const { now, before, heads } = props;
  const text = useText();
  const [onlyDifferent, setOnlyDifferent] = useState(false);
  const rows = useMemo(
    () => pairsOf(now, before).map((pair) => ({ ...pair, change: changeOf(pair) })),
    [now, before],
  );
  const different = rows.filter(({ change }) => change !== undefined);
  const shown = onlyDifferent ? different : rows;
  return (
    <>
      <Row as="p">
        {text('compare.different', { count: different.length, total: rows.length })}{' '}
        <Button
          aria-pressed={onlyDifferent}
          onPress={() => {
            setOnlyDifferent(!onlyDifferent);
          }}
        >
          {text('compare.onlyDifferent')}
        </Button>
      </Row>
      <div
        className={`inset ${styles['scroll'] ?? ''}`}
        tabIndex={0}
        role="region"
        aria-label={text('labs.results')}
      >
        <table className={styles['table']}>
          <thead>
            <tr>
              <th scope="col">{text('labs.name')}</th>
              <th scope="col">{heads[0]}</th>
              <th scope="col">{heads[1]}</th>
              <th scope="col">{text('compare.difference')}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ now: mine, before: theirs, change }, place) => (
              <tr key={place} data-change={change}>
                <th scope="row">
                  <bdi>{mine?.name ?? theirs?.name}</bdi>
                </th>
                <td>
                  <Measured of={mine} missing={isMissing(now, mine ?? theirs)} />
                </td>
                <td>
                  <Measured of={theirs} missing={isMissing(before, mine ?? theirs)} />
                </td>
                <td>{change === undefined ? '' : text(`compare.change.${change}`)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Measured(props: {
  readonly of: BiomarkerResult | undefined;
  readonly missing: boolean;
}): ReactElement {
  const { of, missing } = props;
  const text = useText();
  if (of === undefined) {
    return <Quiet>{text(missing ? 'flag.missing' : 'compare.absent')}</Quiet>;
  }
  const reading = readingOf(of);
  return (
    <>
      <span dir="ltr" className={styles['measured']}>
        <bdi className={styles['value']}>{of.result}</bdi>{' '}
        {of.unit ? (
          <Quiet>
            <bdi>{of.unit}</bdi>
          </Quiet>
        ) : null}
      </span>{' '}
      <Flag reading={reading} />{' '}
      {reading.range.kind !== 'none' && <RangeWords range={reading.range} />}
      {reading.reportedNormal && <Quiet> {text('flag.reportedNormal')}</Quiet>}
      {of.notes ? <bdi className={styles['note']}>{of.notes}</bdi> : null}
    </>
  );
}

function isMissing(
  { missing_results: missing }: LabOrderResult,
  of: BiomarkerResult | undefined,
): boolean {
  return (missing ?? []).some((one) => one.slug === of?.slug);
}
