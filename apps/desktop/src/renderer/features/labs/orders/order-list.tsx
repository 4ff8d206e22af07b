import { useEffect, useEffectEvent, useRef } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { useNavigation } from '../../../app/navigation.tsx';
import { Button } from '../../../ui/controls.tsx';
import { entryClass } from '../../../ui/entry.tsx';
import { Row, Stack } from '../../../ui/layout.tsx';
import { ProblemNote } from '../../../ui/problem.tsx';
import { useText } from '../../../i18n/text.tsx';
import { isSameId, findSharedIds } from '../order-facts.ts';
import type { ListedOrders } from '../use-orders.ts';
import { Findings, StateChip, useOrderDay } from './order-state.tsx';
import styles from './orders.module.css';

export function OrderList(props: {
  readonly of: ListedOrders;
  readonly openId: string | undefined;
  readonly onOpen: (id: string) => void;
  readonly autoFocus?: boolean;
}) {
  const { of, openId, onOpen, autoFocus = false } = props;
  const { orders, total, otherPatients, hasMore, loadMore, isFetching, problem, retry } = of;
  const text = useText();
  const list = useRef<HTMLDivElement>(null);
  const orderDay = useOrderDay();
  const opened = orders.findIndex(({ id }) => openId !== undefined && isSameId(id, openId));
  const shared = findSharedIds(orders);
  useFocusIfFree(() => list.current);
  return (
    <>
      <ListBox
        ref={list}
        autoFocus={autoFocus}
        aria-label={text('orders.title')}
        selectionMode="single"
        selectedKeys={[opened]}
        onSelectionChange={(keys) => {
          // A click on the open order deselects it, so the order stays open.
          const [place = opened] = keys === 'all' ? [] : keys;
          const order = orders[Number(place)];
          if (order !== undefined) onOpen(order.id);
        }}
        className={styles['list'] ?? ''}
      >
        {orders.map((order, place) => (
          // Orders are keyed by index, since IDs may repeat.
          <ListBoxItem
            key={place}
            id={place}
            textValue={orderDay(order)}
            data-current={place === opened || undefined}
            className={`${entryClass} ${styles['order'] ?? ''}`}
          >
            <Row as="span" gap="tight" className="between">
              <strong className="grow">{orderDay(order)}</strong> <StateChip order={order} />
            </Row>
            <Findings order={order} />
            {shared.has(order.id.toLowerCase()) && (
              <span className="meta bold noticed">{text('orders.shared')}</span>
            )}
          </ListBoxItem>
        ))}
      </ListBox>
      <OtherPatientsOrders count={otherPatients} />
      {hasMore && (
        <Stack gap="gap1" className={`quiet meta ${styles['more'] ?? ''}`}>
          <Button isDisabled={isFetching} onPress={loadMore}>
            {text('orders.more')}
          </Button>
          {total !== undefined && (
            <span>{text('orders.shown', { count: orders.length, total })}</span>
          )}
        </Stack>
      )}
      {problem !== undefined && <ProblemNote problem={problem} onRetry={retry} />}
    </>
  );
}

export function OtherPatientsOrders({ count }: { readonly count: number }) {
  const text = useText();
  return count === 0 ? null : (
    <p role="alert" className={`meta bold noticed ${styles['note'] ?? ''}`}>
      {text('orders.foreign', { count })}
    </p>
  );
}

/** Focuses an element on each visit of the screen, unless another control has the focus. */
export function useFocusIfFree(getElement: () => HTMLElement | null | undefined): void {
  const { visit } = useNavigation();
  const focus = useEffectEvent(() => {
    const active = document.activeElement;
    if (active === document.body || active?.tagName === 'MAIN') getElement()?.focus();
  });
  useEffect(() => {
    // React Aria adds the items of a list after its first effects.
    const timer = setTimeout(focus);
    return () => clearTimeout(timer);
  }, [visit]);
}
