import { FlaskConical } from 'lucide-react';
import type { ReactElement } from 'react';
import { Icon } from '../../../components/icon.tsx';
import { Loading } from '../../../components/loading.tsx';
import { ProblemNote } from '../../../components/problem.tsx';
import { useText } from '../../../text/text.tsx';
import { OrderField } from './order-field.tsx';
import { OrderList } from './order-list.tsx';
import type { Orders } from './use-orders.ts';
import styles from './orders.module.css';

/** The person's orders, or a field for an order number. */
export function OrdersPane(props: {
  /** Undefined without a person. */
  readonly of: Orders | undefined;
  readonly openId: string | undefined;
  readonly onOpen: (id: string) => void;
}): ReactElement {
  const { of, openId, onOpen } = props;
  const text = useText();
  const orders = of?.orders;
  return (
    <section aria-label={text('orders.title')} className={styles['pane']}>
      <h2>
        {text('orders.title')}
        {orders !== undefined && orders.length > 0 && <small>{text('orders.newest')}</small>}
      </h2>
      {of !== undefined && orders !== undefined && orders.length > 0 && (
        <OrderList of={{ ...of, orders }} openId={openId} onOpen={onOpen} />
      )}
      {orders?.length === 0 && <NoOrders foreign={of?.foreign ?? 0} />}
      {of !== undefined && orders === undefined && <NotListed of={of} />}
      {(of === undefined || (orders === undefined && !of.isFetching)) && (
        <OrderField key={openId ?? ''} onOpen={onOpen} />
      )}
    </section>
  );
}

function NoOrders({ foreign }: { foreign: number }): ReactElement {
  const text = useText();
  return (
    <div className={styles['none']}>
      <Icon big of={FlaskConical} />
      <strong>{text('orders.none')}</strong>
      <p>{text('orders.noneHelp')}</p>
      {foreign > 0 && (
        <p role="alert" className={styles['foreign']}>
          {text('orders.foreign', { count: foreign })}
        </p>
      )}
    </div>
  );
}

function NotListed({ of }: { of: Orders }): ReactElement | null {
  const { isFetching, isMissing, problem, retry, cancel } = of;
  const text = useText();
  if (isFetching) return <Loading onCancel={cancel} />;
  if (isMissing) return <p className={styles['note']}>{text('orders.notOffered')}</p>;
  return <ProblemNote problem={problem ?? { kind: 'cancelled' }} onRetry={retry} />;
}
