import { ChevronsUpDown } from 'lucide-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog';
import { Popover } from 'react-aria-components/Popover';
import type { Order } from '@caregate/domain';
import { useCommand } from '../../../app/keyboard.ts';
import { useNavigation } from '../../../app/navigation.tsx';
import { Button } from '../../../ui/controls.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Quiet } from '../../../ui/layout.tsx';
import { useText } from '../../../i18n/text.tsx';
import { isSameId } from '../order-facts.ts';
import { useLabResult } from '../use-orders.ts';
import type { ListedOrders } from '../use-orders.ts';
import { StateChip, useOrderDay } from './order-state.tsx';
import styles from './orders.module.css';

/** The open order and a menu of all, for windows without room for the list. Its commands work in every window. */
export function OrderMenu(props: {
  readonly of: ListedOrders;
  readonly openId: string | undefined;
  readonly onOpen: (id: string) => void;
  readonly children: (close: () => void) => ReactNode;
}): ReactElement {
  const { of, openId, onOpen, children } = props;
  const { orders, total, hasMore, isFetching, loadMore } = of;
  const text = useText();
  const orderDay = useOrderDay();
  const button = useRef<HTMLButtonElement>(null);
  const isOpen = ({ id }: Order): boolean => openId !== undefined && isSameId(id, openId);
  const at = orders.findIndex(isOpen);
  const open = orders[at];
  useCommand('newerOrder', () => {
    // IDs may repeat.
    const newer = orders.slice(0, Math.max(0, at)).findLast((one) => !isOpen(one));
    if (newer !== undefined) onOpen(newer.id);
  });
  useCommand('olderOrder', () => {
    const older = orders.slice(at + 1).find((one) => !isOpen(one));
    if (older !== undefined) onOpen(older.id);
    else if (hasMore && !isFetching) loadMore();
  });
  useFocusIfFree(() => button.current);
  return (
    <DialogTrigger>
      <div className={styles['menu']}>
        <Button ref={button}>
          {open === undefined ? (
            text('orders.title')
          ) : (
            <>
              <span className="quiet fixed spare">{text('awaited.step.ordered')}</span>
              <b className="fixed">{orderDay(open)}</b>
              <Laboratory order={open} />
              <StateChip order={open} />
              <Quiet size="meta" className="fixed">
                {text('orders.shown', { count: at + 1, total: total ?? orders.length })}
              </Quiet>
            </>
          )}
          <Icon of={ChevronsUpDown} />
        </Button>
      </div>
      <Popover placement="bottom start" className={styles['popover'] ?? ''}>
        <Dialog aria-label={text('orders.title')}>{({ close }) => children(close)}</Dialog>
      </Popover>
    </DialogTrigger>
  );
}

function Laboratory({ order }: { readonly order: Order }): ReactElement | null {
  const { data } = useLabResult(order.user_id, order.id, { isStored: true });
  const name = data?.value.metadata.laboratory ?? order.lab_test?.name;
  return name ? (
    <bdi className="cut narrow" title={name}>
      {name}
    </bdi>
  ) : null;
}

/** Focuses an element on each visit of the screen, unless something else has the focus. */
export function useFocusIfFree(getElement: () => HTMLElement | null | undefined): void {
  const { visit } = useNavigation();
  const focus = useEffectEvent(() => {
    const active = document.activeElement;
    if (active === document.body || active?.tagName === 'MAIN') getElement()?.focus();
  });
  useEffect(() => {
    // The items of a list come after its first effects.
    const timer = setTimeout(focus);
    return () => {
      clearTimeout(timer);
    };
  }, [visit]);
}
