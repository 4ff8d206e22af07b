import { CircleAlert } from 'lucide-react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import type {
  EarlierResult,
  Insurance,
  LabOrderResult,
  Order,
  OrderHistory,
} from '@caregate/domain';
import { INTERPRETATIONS } from '@caregate/domain';
import { entryClass } from '../../ui/entry.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Quiet, Row } from '../../ui/layout.tsx';
import { Findings, StateChip, useOrderDay } from '../labs/orders/order-state.tsx';
import { Count, Flag } from '../labs/results/flag.tsx';
import { RangeWords } from '../labs/results/range-bar.tsx';
import { createGetName } from '../labs/results/result-names.ts';
import { getGroup, readResults, sortResults, countByGroup } from '../labs/results/result-order.ts';
import type { Group } from '../labs/results/result-order.ts';
import { checkIdentity, isSamePatient, needsLook } from '../labs/identity/identity-check.ts';
import { getReportDate, createFindEarlier, toPoints } from '../labs/history/earlier-values.ts';
import type { DatedValue } from '../labs/history/earlier-values.ts';
import { isFlagged, interpretResult } from '../labs/results/result-reading.ts';
import { formatDate } from '../../ui/values/dates.tsx';
import type { MessageKey } from '../../i18n/text.tsx';
import { useText } from '../../i18n/text.tsx';
import styles from './overview.module.css';

const maxRows = 6;
const columns = [
  ...(['labs.name', 'labs.result', 'labs.flag', 'labs.range'] as const),
  ...(['history.previous', 'overview.trend'] as const),
] as const;
const plain: readonly Group[] = ['inside', 'noRange', 'notAssessed'];

/** What a report misses and what is outside of its range; nothing of one that may be about somebody else. */
export function LatestResults(props: {
  readonly result: LabOrderResult;
  readonly birthDates: readonly string[] | undefined;
  readonly insurance?: Insurance | undefined;
  readonly name: string | undefined;
  /** Of this report; undefined until it is read. */
  readonly history?: OrderHistory | undefined;
}): ReactElement {
  const { result, birthDates, insurance, name, history } = props;
  const text = useText();
  const { metadata, results, missing_results: absent } = result;
  const isOther =
    needsLook(checkIdentity({ result, birthDates, insurance })) ||
    (name !== undefined &&
      metadata.patient &&
      !isSamePatient({ patient: metadata.patient }, { patient: name }));
  if (isOther) {
    return (
      <p className="line gap2 bold flagged">
        <Icon of={CircleAlert} />
        {text('identity.title')}
      </p>
    );
  }
  const missing = absent ?? [];
  const all = readResults(results);
  const getName = createGetName(results, text);
  const counts = countByGroup(all, missing);
  const notable = sortResults(all, 'urgent').filter(
    ({ reading }) => !plain.includes(getGroup(reading)),
  );
  const more = missing.length + notable.length - maxRows;
  const interpretation = metadata.interpretation;
  const findEarlier = createFindEarlier(history ?? { biomarkers: [] }, results);
  const date = getReportDate(result);
  return (
    <>
      {missing.length + notable.length > 0 && (
        <table className={styles['results']}>
          <thead className="quiet meta">
            <tr>
              {columns.map((key) => (
                <th key={key} scope="col">
                  {text(key)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {missing.slice(0, maxRows).map((one, place) => (
              <tr key={`missing ${String(place)}`}>
                <th scope="row">
                  <bdi>{one.name}</bdi>
                </th>
                <td>
                  <Count group="missing" />
                </td>
                <td colSpan={4}>
                  <bdi>{one.note ?? one.inferred_failure_type?.replaceAll('_', ' ')}</bdi>
                </td>
              </tr>
            ))}
            {notable
              .slice(0, Math.max(0, maxRows - missing.length))
              .map(({ result: one, reading }, place) => (
                <tr key={place} data-of={reading.flag}>
                  <th scope="row">
                    <bdi>{getName(one)}</bdi>
                  </th>
                  <td>
                    <span dir="ltr">
                      <bdi className="value">{one.result}</bdi>{' '}
                      {one.unit ? (
                        <Quiet>
                          <bdi>{one.unit}</bdi>
                        </Quiet>
                      ) : null}
                    </span>
                  </td>
                  <td>
                    <Flag reading={reading} />
                  </td>
                  <td>
                    <RangeWords range={reading.range} />
                  </td>
                  <td>
                    <Previous value={findEarlier(one)[0]} />
                  </td>
                  <td>
                    <Trend values={[{ date, measured: one }, ...findEarlier(one)]} />
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
      )}
      <Row gap="wide" className="quiet meta between">
        <Row as="span" gap="gap3">
          {more > 0 && <b>{text('overview.more', { count: more })}</b>}
          {plain
            .filter((group) => counts[group] > 0)
            .map((group) => (
              <span key={group}>{text(`labs.group.${group}`, { count: counts[group] })}</span>
            ))}
        </Row>
        {interpretation === INTERPRETATIONS.abnormal ||
        interpretation === INTERPRETATIONS.critical ? (
          <span>
            {text('labs.says', {
              word: text(`labs.read.${interpretation}` as MessageKey).toLowerCase(),
            })}
          </span>
        ) : null}
      </Row>
    </>
  );
}

/** The latest earlier value in the same unit, with its own flag; its day by the pointer. */
function Previous({ value }: { readonly value: EarlierResult | undefined }): ReactElement | null {
  const intl = useIntl();
  if (value === undefined) return null;
  const reading = interpretResult(value.measured);
  return (
    <span className="row tight" data-of={reading.flag} title={formatDate(intl, value.date)}>
      <bdi dir="ltr" className={isFlagged(reading) ? 'value' : 'numbers'}>
        {value.measured.result}
      </bdi>
      {isFlagged(reading) && <Flag reading={reading} />}
    </span>
  );
}

/** The numbers of up to ten reports, oldest first; the words are in the other columns. */
function Trend({ values }: { readonly values: readonly DatedValue[] }): ReactElement | null {
  const numbers = toPoints(values).map(({ value }) => value);
  if (numbers.length < 2) return null;
  const [lowest, highest] = [Math.min(...numbers), Math.max(...numbers)];
  const points = numbers.map((value, place) => ({
    x: 2 + (56 * place) / (numbers.length - 1),
    y: highest === lowest ? 10 : 18 - (16 * (value - lowest)) / (highest - lowest),
  }));
  const last = points.at(-1);
  return (
    <svg viewBox="0 0 60 20" aria-hidden="true" className={styles['trend']}>
      <polyline points={points.map(({ x, y }) => `${String(x)},${String(y)}`).join(' ')} />
      <circle cx={last?.x} cy={last?.y} r="2" />
    </svg>
  );
}

export function EarlierReports(props: {
  readonly orders: readonly Order[];
  readonly onOpen: (id: string) => void;
}): ReactElement {
  const { orders, onOpen } = props;
  const orderDay = useOrderDay();
  return (
    <ul>
      {orders.map((order, place) => (
        <li key={`${order.id} ${String(place)}`}>
          <button
            type="button"
            className={`${entryClass} ${styles['earlier'] ?? ''}`}
            onClick={() => {
              onOpen(order.id);
            }}
          >
            <b>{orderDay(order)}</b>
            <Findings order={order} />
            <StateChip order={order} />
          </button>
        </li>
      ))}
    </ul>
  );
}
