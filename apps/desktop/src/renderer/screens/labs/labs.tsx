import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { Unseen } from '../../components/layout.tsx';
import { Loading } from '../../components/loading.tsx';
import { say } from '../../state/say.ts';
import { useKeyDown } from '../../state/hooks.ts';
import { useSelection } from '../../state/selection.tsx';
import { useText } from '../../text/text.tsx';
import type { Compared } from './compare/comparison.tsx';
import { MOST_COMPARED } from './compare/compared-rows.ts';
import { LabOrder } from './lab-order.tsx';
import { hasResults, isSameId, latestWithResults } from '../../state/orders/order-facts.ts';
import { OrdersPane } from './orders/orders-pane.tsx';
import { labResultKey, useOrders } from '../../state/orders/use-orders.ts';
import styles from './labs.module.css';

const Comparison = lazy(async () => ({
  default: (await import('./compare/comparison.tsx')).Comparison,
}));

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
  const [comparing, setComparing] = useState<{ readonly of: string } & Compared>();
  // Another order that is opened, by a scan or a key, ends it.
  const compared = comparing?.of === shown ? comparing : undefined;
  const begin = (withReplaced: boolean): void => {
    if (shown === undefined) return;
    const rest = listed.filter((one) => hasResults(one) && !isSameId(one.id, shown));
    const at = listed.findIndex(({ id }) => isSameId(id, shown));
    const other = rest.find((one) => listed.indexOf(one) > at) ?? rest[0];
    const ids = withReplaced || other === undefined ? [shown] : [shown, other.id];
    setComparing({ of: shown, ids, withReplaced });
  };
  const tick = (id: string): void => {
    if (compared === undefined) return;
    const { ids } = compared;
    const isOn = ids.includes(id);
    if (!isOn && ids.length >= MOST_COMPARED) say('compare.most');
    else setComparing({ ...compared, ids: isOn ? ids.filter((one) => one !== id) : [...ids, id] });
  };
  const end = (): void => {
    setComparing(undefined);
  };
  useKeyDown(({ key, target }) => {
    const isElsewhere = target instanceof Element && target.closest('[role=dialog]') !== null;
    if (key === 'Escape' && compared !== undefined && !isElsewhere) end();
  });
  return (
    <div className={styles['labs']} data-listed={isListed || undefined}>
      <Unseen as="h1">{text('labs.title')}</Unseen>
      <OrdersPane
        of={person === undefined ? undefined : orders}
        openId={shown}
        ticked={compared?.ids}
        onOpen={compared === undefined ? (isListed ? chooseOrder : openTyped) : tick}
      />
      <div className={styles['report']}>
        {shown !== undefined && compared === undefined && (
          <LabOrder key={shown} orderId={shown} orders={listed} onCompare={begin} />
        )}
        {shown !== undefined && compared !== undefined && person !== undefined && (
          <Suspense fallback={<Loading />}>
            <Comparison
              openId={shown}
              person={person}
              orders={listed}
              compared={compared}
              onClose={end}
            />
          </Suspense>
        )}
        {shown === undefined && !orders.isFetching && orders.orders?.length !== 0 && (
          <p className={styles['state']}>{text(isListed ? 'orders.noResults' : 'labs.empty')}</p>
        )}
      </div>
    </div>
  );
}
