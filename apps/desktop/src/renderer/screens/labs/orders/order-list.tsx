import { useEffect, useRef, useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import { Button } from '../../../components/controls.tsx';
import { ProblemNote } from '../../../components/problem.tsx';
import { useNavigation } from '../../../state/navigation.tsx';
import { useText } from '../../../text/text.tsx';
import { isSameId } from '../report-status/report-status.ts';
import { sharedIds } from './order-facts.ts';
import { OrderRow } from './order-row.tsx';
import type { Orders } from './use-orders.ts';
import styles from './orders.module.css';

/** The orders of a person, newest first, as one tab stop: arrows move, Enter opens. */
export function OrderList(props: {
  readonly of: Orders & { readonly orders: NonNullable<Orders['orders']> };
  readonly openId: string | undefined;
  readonly onOpen: (id: string) => void;
}): ReactElement {
  const { of, openId, onOpen } = props;
  const { orders, total, foreign, hasMore, loadMore, isFetching, problem, retry } = of;
  const text = useText();
  const { visit } = useNavigation();
  const rows = useRef<(HTMLButtonElement | null)[]>([]);
  const opened = orders.findIndex(({ id }) => openId !== undefined && isSameId(id, openId));
  const [at, setAt] = useState<number>();
  const current = Math.min(at ?? Math.max(0, opened), orders.length - 1);
  const shared = sharedIds(orders);
  // Focused on a visit unless something else has the focus.
  const currentNow = useRef(current);
  useEffect(() => {
    currentNow.current = current;
  });
  useEffect(() => {
    const active = document.activeElement;
    const isFree = active === document.body || active?.tagName === 'MAIN';
    if (isFree) rows.current[currentNow.current]?.focus();
  }, [visit]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = placeAfter(event.key, current, orders.length);
    if (next === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    if (next >= orders.length) {
      if (hasMore && !isFetching) loadMore();
      return;
    }
    rows.current[next]?.focus();
  };
  return (
    <>
      <ol className={styles['list']} aria-label={text('orders.title')} onKeyDown={onKeyDown}>
        {orders.map((order, place) => (
          // Ids may repeat.
          <li key={`${order.id} ${String(place)}`}>
            <OrderRow
              order={order}
              isOpen={place === opened}
              isShared={shared.has(order.id.toLowerCase())}
              tabIndex={place === current ? 0 : -1}
              buttonRef={(element) => {
                rows.current[place] = element;
              }}
              onOpen={() => {
                onOpen(order.id);
              }}
              onFocus={() => {
                setAt(place);
              }}
            />
          </li>
        ))}
      </ol>
      {foreign > 0 && (
        <p role="alert" className={styles['foreign']}>
          {text('orders.foreign', { count: foreign })}
        </p>
      )}
      {hasMore && (
        <div className={styles['more']}>
          <Button isDisabled={isFetching} onPress={loadMore}>
            {text('orders.more')}
          </Button>
          {total !== undefined && (
            <span>{text('orders.shown', { count: orders.length, total })}</span>
          )}
        </div>
      )}
      {problem !== undefined && <ProblemNote problem={problem} onRetry={retry} />}
    </>
  );
}

function placeAfter(key: string, current: number, length: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return current + 1;
    case 'ArrowUp':
      return Math.max(0, current - 1);
    case 'Home':
      return 0;
    case 'End':
      return length - 1;
    default:
      return undefined;
  }
}
