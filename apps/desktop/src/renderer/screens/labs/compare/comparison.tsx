import { ChevronDown, ChevronRight, X } from 'lucide-react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import type {
  BiomarkerResult,
  Insurance,
  LabOrderResult,
  Order,
  OrderHistory,
} from '@caregate/domain';
import { Button, KeyCap } from '../../../components/controls.tsx';
import { dayText, momentText } from '../../../components/values/dates.tsx';
import { Icon } from '../../../components/icon.tsx';
import { Quiet, Row } from '../../../components/layout.tsx';
import { Loading } from '../../../components/loading.tsx';
import { useOrderDay } from '../../../components/orders/order-state.tsx';
import { ProblemNote } from '../../../components/problem.tsx';
import { Flag } from '../../../components/results/flag.tsx';
import { RangeWords } from '../../../components/results/range-bar.tsx';
import { groupOf } from '../../../components/results/result-order.ts';
import { Banner } from '../../../components/surfaces.tsx';
import { useMasked } from '../../../state/mask.tsx';
import { checkIdentity, isSamePatient, needsLook } from '../../../state/orders/identity-check.ts';
import type { IdentityCheck } from '../../../state/orders/identity-check.ts';
import { isSameId } from '../../../state/orders/order-facts.ts';
import { useLabResults } from '../../../state/orders/use-orders.ts';
import type { Person } from '../../../state/person.ts';
import { useRead } from '../../../state/read.ts';
import { useText } from '../../../text/text.tsx';
import { trendValues } from '../history/earlier-values.ts';
import { Trend } from '../history/trend.tsx';
import { useCorrection } from '../history/use-correction.ts';
import { historyKey } from '../history/use-history.ts';
import { useCopyGuard } from '../identity/copy-guard.ts';
import { IdentityBanner } from '../identity/identity-banner.tsx';
import { useIdentityGate } from '../identity/identity-gate.ts';
import { comparedRows, FOLDED, KINDS } from './compared-rows.ts';
import type { Cell, ComparedRow, Kind } from './compared-rows.ts';
import styles from './compare.module.css';

/** Which reports are compared. */
export interface Compared {
  /** Ids of orders. */
  readonly ids: readonly string[];
  /** Also the version that a correction of the open report replaced. */
  readonly withReplaced: boolean;
}

interface Column {
  readonly key: string;
  readonly result: LabOrderResult;
  readonly date: string;
  readonly head: string;
}

/** Two to five reports of a person, oldest first; one that may be about somebody else stays shut until confirmed. */
export function Comparison(props: {
  readonly openId: string;
  readonly person: Person;
  readonly orders: readonly Order[];
  readonly compared: Compared;
  readonly onClose: () => void;
}): ReactElement {
  const { openId, person, orders, compared, onClose } = props;
  const { ids, withReplaced } = compared;
  const text = useText();
  const intl = useIntl();
  const orderDay = useOrderDay();
  const masked = useMasked();
  const { user_id: personId } = person.value;
  const reads = useLabResults(personId, ids);
  const insurance = useRead<Insurance>(['insurance', personId, 'primary'], undefined).data?.value;
  // Of what the report itself has asked for.
  const history = useRead<OrderHistory>(historyKey(personId, openId), undefined);
  const openResult = reads.find(({ orderId }) => isSameId(orderId, openId))?.data?.value;
  const correction = useCorrection(openResult, history.data?.value, person.value);
  const [confirmed, setConfirmed] = useState<ReadonlySet<string>>(new Set());
  const read = reads.flatMap(({ orderId: id, data }) =>
    data === undefined ? [] : [{ id, result: data.value }],
  );
  const shut = read
    .map(({ id, result }) => ({
      id,
      check: checkIdentity({ result, person: person.value, insurance }),
    }))
    .filter(({ id, check }) => needsLook(check) && !confirmed.has(id));
  const columns = read
    .filter(({ id }) => !shut.some((one) => one.id === id))
    .map(({ id, result }): Column => {
      const date = dateOf(result);
      const order = orders.find((one) => isSameId(one.id, id));
      return {
        key: id,
        result,
        date,
        head: date ? (dayText(intl, date) ?? date) : orderDay(order),
      };
    })
    .toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
  const { replaced } = correction;
  const replacedColumn =
    withReplaced && replaced !== undefined && openResult !== undefined
      ? [
          {
            ...{ key: 'replaced', result: replaced.result, date: dateOf(replaced.result) },
            head: text('compare.replaced', { at: momentText(intl, replaced.at) ?? replaced.at }),
          },
        ]
      : [];
  const all = [...replacedColumn, ...columns];
  const first = all[0]?.result.metadata;
  const isOther = all.some(({ result }) => first && !isSamePatient(first, result.metadata));
  const failed = reads.filter(({ problem, isFetching }) => problem !== undefined && !isFetching);
  const problem = failed.map((one) => one.problem).find((one) => one?.missing !== 'result');
  const confirm = useCallback((id: string) => {
    setConfirmed((before) => new Set([...before, id]));
  }, []);
  return (
    <section aria-label={text('compare.title')} className={styles['comparison']}>
      {problem !== undefined && (
        <ProblemNote
          problem={problem}
          onRetry={() => {
            for (const one of failed) one.refetch();
          }}
        />
      )}
      {failed.some((one) => one.problem?.missing === 'result') && (
        <Quiet as="p" size="row13">
          {text('compare.noResult')}
        </Quiet>
      )}
      {isOther && (
        <Banner kind="flag" role="alert">
          <strong>{text('compare.otherPatient')}</strong>
        </Banner>
      )}
      {shut.slice(0, 1).map(({ id, check }) => (
        <Guard key={id} id={id} check={check} masked={masked} onConfirm={confirm} />
      ))}
      {reads.some(({ isFetching, data }) => isFetching && data === undefined) && <Loading />}
      <ComparedTable columns={all} wasOf={correction.wasOf} onClose={onClose} />
    </section>
  );
}

/** The day of the specimen, else of the report. */
function dateOf({ metadata }: LabOrderResult): string {
  return metadata.date_collected ?? metadata.date_received ?? metadata.date_reported ?? '';
}

function Guard(props: {
  readonly id: string;
  readonly check: IdentityCheck;
  readonly masked: boolean;
  readonly onConfirm: (id: string) => void;
}): ReactElement {
  const { id, check, masked, onConfirm } = props;
  const gate = useIdentityGate(check);
  const { isBlocked, onAttempt } = gate;
  const refuse = useCallback(() => {
    onAttempt('copy');
  }, [onAttempt]);
  useCopyGuard(isBlocked ? refuse : undefined);
  useEffect(() => {
    if (!isBlocked) onConfirm(id);
  }, [isBlocked, onConfirm, id]);
  return <IdentityBanner gate={gate} masked={masked} />;
}

type WasOf = (result: BiomarkerResult) => BiomarkerResult | 'added' | undefined;

function ComparedTable(props: {
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
      ),
    [columns, wasOf],
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
          className={`inset ${styles['scroll'] ?? ''}`}
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
                    <b>{head}</b>
                    {result.metadata.laboratory && (
                      <bdi className="cut" title={result.metadata.laboratory}>
                        {result.metadata.laboratory}
                      </bdi>
                    )}
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
                .join(', ')}
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
        <bdi className={styles['value']} data-of={reading.flag}>
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
