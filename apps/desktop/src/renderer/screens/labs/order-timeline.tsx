import type { ReactElement } from 'react';
import { LOW_LEVEL_STATUSES, ORDER_ORIGINS, TRANSACTION_STATUSES } from '@caregate/domain';
import type { OrderTransaction, OrderTransactionOrder } from '@caregate/domain';
import { Code } from '../../components/controls.tsx';
import { Moment } from '../../components/values/dates.tsx';
import { KeyValues, OpenValue, OtherFields } from '../../components/key-values.tsx';
import { Quiet } from '../../components/layout.tsx';
import { useMask } from '../../state/mask.tsx';
import type { MessageKey } from '../../text/text.tsx';
import { useText } from '../../text/text.tsx';
import { isSameId } from '../../state/orders/order-facts.ts';
import styles from './labs.module.css';

const statuses = Object.values(TRANSACTION_STATUSES);
const origins = Object.values(ORDER_ORIGINS);
const known = [
  'id',
  'created_at',
  'updated_at',
  'low_level_status',
  'low_level_status_created_at',
  'origin',
];

export function OrderTimeline(props: {
  readonly transaction: OrderTransaction;
  readonly orderId: string;
}): ReactElement {
  const { transaction, orderId } = props;
  const text = useText();
  const mask = useMask();
  const orders = transaction.orders.toSorted((a, b) => when(a) - when(b));
  const named = orders.some(({ id }) => isSameId(id, orderId));
  return (
    <section
      aria-label={text('labs.timeline')}
      className={`stack gap3 wrap ${styles['panel'] ?? ''}`}
    >
      <h2>{text('labs.timeline')}</h2>
      <p>
        <OpenValue value={transaction.status} known={statuses} words={statusWords} />
      </p>
      {orders.length === 0 && <p>{text('labs.noOrders')}</p>}
      {orders.length > 0 && !named && <p role="note">{text('labs.orderNotNamed')}</p>}
      <ol className={`stack gap4 ${styles['timeline'] ?? ''}`}>
        {orders.map((order, index) => (
          <li key={index} aria-current={isSameId(order.id, orderId) ? 'true' : undefined}>
            <Order order={order} isShown={isSameId(order.id, orderId)} />
          </li>
        ))}
      </ol>
      <Quiet as="p" size="row13">
        {text('labs.transactionId')} <Code>{mask(transaction.id)}</Code>
      </Quiet>
      <OtherFields of={transaction} known={['id', 'status', 'orders']} />
    </section>
  );
}

function Order(props: { order: OrderTransactionOrder; isShown: boolean }): ReactElement {
  const { order, isShown } = props;
  const text = useText();
  const mask = useMask();
  const since = order.low_level_status_created_at;
  return (
    <>
      <h3>
        <OpenValue value={order.origin} known={origins} words={originWords} />
        {isShown && <> ({text('labs.shownOrder')})</>}
      </h3>
      <p>
        <OpenValue value={order.low_level_status} known={LOW_LEVEL_STATUSES} />
      </p>
      <KeyValues
        entries={[
          [text('labs.since'), since && <Moment at={since} />],
          [text('labs.created'), <Moment key="created" at={order.created_at} />],
          [text('labs.updated'), <Moment key="updated" at={order.updated_at} />],
          [text('labs.orderId'), mask(<Code>{order.id}</Code>)],
        ]}
      />
      <OtherFields of={order} known={known} />
    </>
  );
}

function when({ created_at }: OrderTransactionOrder): number {
  const time = Date.parse(created_at);
  return Number.isNaN(time) ? Number.MAX_SAFE_INTEGER : time;
}

const statusWords = (value: string): MessageKey => `labs.transaction.${value}` as MessageKey;
const originWords = (value: string): MessageKey => `labs.origin.${value}` as MessageKey;
