import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import type { Order } from '@caregate/domain';
import { dayOf } from '../../ui/values/dates.tsx';
import { Quiet } from '../../ui/layout.tsx';
import { courseOf, latestWithResults, orderStateOf } from '../labs/order-facts.ts';
import type { Course } from '../labs/order-facts.ts';
import { useText } from '../../i18n/text.tsx';
import type { MessageKey } from '../../i18n/text.tsx';

export function Results({ orders }: { orders: readonly Order[] }): ReactElement {
  const text = useText();
  const latest = latestWithResults(orders);
  const since = latest === undefined ? orders : orders.slice(0, orders.indexOf(latest));
  const awaited = since.find((order) => orderStateOf(order).kind === 'awaited');
  const shown = [awaited, latest].filter((order) => order !== undefined);
  const [newest] = orders;
  return (
    <>
      {(shown.length > 0 || newest === undefined ? shown : [newest]).map((order) => (
        <span key={order.id} className="stack narrow">
          <span>
            <Fate order={order} />
          </span>
          {order.lab_test?.name && (
            <Quiet size="meta" className="cut" dir="auto" title={order.lab_test.name}>
              {order.lab_test.name}
            </Quiet>
          )}
        </span>
      ))}
      {latest === undefined && <Quiet size="meta">{text('find.noReport')}</Quiet>}
    </>
  );
}

const courseWords = {
  ordered: 'orders.state.awaited',
  collecting: 'awaited.collecting',
  collected: 'awaited.step.collected',
  laboratory: 'awaited.step.laboratory',
  done: 'awaited.done',
  heldUp: 'awaited.heldUp',
} as const satisfies Record<Course, MessageKey>;

function Fate({ order }: { order: Order }): ReactElement {
  const text = useText();
  const intl = useIntl();
  const state = orderStateOf(order);
  const day = (at: string | null | undefined): string | undefined =>
    at ? dayOf(intl, at) : undefined;
  const word =
    state.kind === 'unknown'
      ? text('value.quoted', { value: state.word })
      : text(state.kind === 'none' ? 'labs.title' : `orders.state.${state.kind}`);
  const isReport = ['final', 'corrected', 'partial'].includes(state.kind);
  const came = isReport ? day(order.last_event?.created_at) : undefined;
  const ordered = day(order.created_at);
  if (state.kind === 'awaited') {
    const status = order.last_event?.status ?? order.status ?? '';
    return (
      <>
        <b>{ordered === undefined ? word : text('find.ordered', { day: ordered })}</b>{' '}
        {text(courseWords[courseOf(status)])}
      </>
    );
  }
  return (
    <>
      <b>
        <bdi>{word}</bdi>
      </b>{' '}
      {came === undefined
        ? ordered !== undefined && text('find.ordered', { day: ordered })
        : text('find.came', { day: came })}
    </>
  );
}
