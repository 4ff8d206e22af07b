import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ReactElement } from 'react';
import { Unseen } from '../../components/layout.tsx';
import { useSelection } from '../../state/selection.tsx';
import { useText } from '../../text/text.tsx';
import { LabOrder } from './lab-order.tsx';
import { latestWithResults } from '../../state/orders/order-facts.ts';
import { OrdersPane } from './orders/orders-pane.tsx';
import { labResultKey, useOrders } from '../../state/orders/use-orders.ts';
import styles from './labs.module.css';

export function LabsScreen(): ReactElement {
  const text = useText();
  const { person, order, openOrder, chooseOrder } = useSelection();
  const queries = useQueryClient();
  const orders = useOrders(person?.value.user_id);
  const listed = orders.orders ?? [];
  const latest = latestWithResults(listed)?.id;
  useEffect(() => {
    if (order === undefined && latest !== undefined) chooseOrder(latest);
  }, [order, latest, chooseOrder]);
  const isListed = listed.length > 0;
  const shown = order ?? latest;
  const openTyped = (id: string): void => {
    openOrder(id);
    // Entering the open order's number again refreshes it.
    if (id === shown) {
      void queries.refetchQueries({ queryKey: labResultKey(person?.value.user_id, id) });
    }
  };
  return (
    <div className={styles['labs']} data-listed={isListed || undefined}>
      <Unseen as="h1">{text('labs.title')}</Unseen>
      <OrdersPane
        of={person === undefined ? undefined : orders}
        openId={shown}
        onOpen={isListed ? chooseOrder : openTyped}
      />
      <div className={styles['report']}>
        {shown !== undefined && <LabOrder key={shown} orderId={shown} orders={listed} />}
        {shown === undefined && !orders.isFetching && orders.orders?.length !== 0 && (
          <p className={styles['state']}>{text(isListed ? 'orders.noResults' : 'labs.empty')}</p>
        )}
      </div>
    </div>
  );
}
