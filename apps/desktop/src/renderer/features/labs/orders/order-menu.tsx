import { CalendarDays, ChevronDown } from 'lucide-react';
import { useRef } from 'react';
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog';
import { Popover } from 'react-aria-components/Popover';
import type { Order } from '@caregate/domain';
import { useCommand } from '../../../app/keyboard.ts';
import { Button } from '../../../ui/controls.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { useText } from '../../../i18n/text.tsx';
import { isSameId } from '../order-facts.ts';
import type { ListedOrders } from '../use-orders.ts';
import { OrderList, useFocusIfFree } from './order-list.tsx';
import { useOrderDay, useOrderName } from './order-state.tsx';
import styles from './orders.module.css';

/** Shows the open order and a menu of all orders in windows too narrow for the list. Its commands work in every window. */
export function OrderMenu(props: {
  readonly of: ListedOrders;
  readonly openId: string | undefined;
  readonly onOpen: (id: string) => void;
}) {
  const { of, openId, onOpen } = props;
  const { orders, hasMore, isFetching, loadMore } = of;
  const text = useText();
  const orderDay = useOrderDay();
  const button = useRef<HTMLButtonElement>(null);
  const isOpen = ({ id }: Order): boolean => openId !== undefined && isSameId(id, openId);
  const at = orders.findIndex(isOpen);
  const open = orders[at];
  useCommand('newerOrder', () => {
    // The same ID may occur twice, so skip the open order's duplicates.
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
          <Icon of={CalendarDays} />
          {open === undefined ? (
            text('orders.title')
          ) : (
            <>
              <b className="fixed">{orderDay(open)}</b>
              <Name order={open} />
            </>
          )}
          <Icon of={ChevronDown} />
        </Button>
      </div>
      <Popover placement="bottom start" className={styles['popover'] ?? ''}>
        <Dialog aria-label={text('orders.title')}>
          {({ close }) => (
            <OrderList
              autoFocus
              of={of}
              openId={openId}
              onOpen={(id) => {
                onOpen(id);
                close();
              }}
            />
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

function Name({ order }: { readonly order: Order }) {
  const name = useOrderName(order);
  return (
    <bdi className="quiet cut narrow" title={name}>
      {name}
    </bdi>
  );
}
