import { CircleAlert } from 'lucide-react';
import type { ReactElement } from 'react';
import type { Insurance, LabOrderResult, Order } from '@caregate/domain';
import { INTERPRETATIONS } from '@caregate/domain';
import { entryClass } from '../../ui/entry.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Quiet, Row } from '../../ui/layout.tsx';
import { Findings, StateChip, useOrderDay } from '../labs/orders/order-state.tsx';
import { Count, Flag } from '../labs/results/flag.tsx';
import { RangeWords } from '../labs/results/range-bar.tsx';
import { namesIn } from '../labs/results/result-names.ts';
import { groupOf, readResults, sorted, summaryOf } from '../labs/results/result-order.ts';
import type { Group } from '../labs/results/result-order.ts';
import { checkIdentity, isSamePatient, needsLook } from '../labs/identity/identity-check.ts';
import type { MessageKey } from '../../i18n/text.tsx';
import { useText } from '../../i18n/text.tsx';
import styles from './overview.module.css';

const most = 6;
const plain: readonly Group[] = ['inside', 'noRange', 'notAssessed'];

/** What a report misses and what is outside of its range; nothing of one that may be about somebody else. */
export function LatestResults(props: {
  readonly result: LabOrderResult;
  readonly birthDates: readonly string[] | undefined;
  readonly insurance?: Insurance | undefined;
  readonly name: string | undefined;
}): ReactElement {
  const { result, birthDates, insurance, name } = props;
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
  const nameOf = namesIn(results, text);
  const counts = summaryOf(all, missing);
  const seen = sorted(all, 'urgent').filter(({ reading }) => !plain.includes(groupOf(reading)));
  const more = missing.length + seen.length - most;
  const said = metadata.interpretation;
  return (
    <>
      {missing.length + seen.length > 0 && (
        <table className={styles['results']}>
          <colgroup>
            <col />
            <col />
            <col />
            <col />
          </colgroup>
          <thead className="unseen">
            <tr>
              {(['labs.flag', 'labs.name', 'labs.result', 'labs.range'] as const).map((key) => (
                <th key={key} scope="col">
                  {text(key)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {missing.slice(0, most).map((one, place) => (
              <tr key={`missing ${String(place)}`}>
                <td>
                  <Count group="missing" />
                </td>
                <th scope="row">
                  <bdi>{one.name}</bdi>
                </th>
                <td colSpan={2}>
                  <bdi>{one.note ?? one.inferred_failure_type?.replaceAll('_', ' ')}</bdi>
                </td>
              </tr>
            ))}
            {seen
              .slice(0, Math.max(0, most - missing.length))
              .map(({ result: one, reading }, place) => (
                <tr key={place} data-of={reading.flag}>
                  <td>
                    <Flag reading={reading} />
                  </td>
                  <th scope="row">
                    <bdi>{nameOf(one)}</bdi>
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
                    <RangeWords range={reading.range} />
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
        {said === INTERPRETATIONS.abnormal || said === INTERPRETATIONS.critical ? (
          <span>
            {text('labs.says', { word: text(`labs.read.${said}` as MessageKey).toLowerCase() })}
          </span>
        ) : null}
      </Row>
    </>
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
