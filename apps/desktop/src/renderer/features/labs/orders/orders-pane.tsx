import { FlaskConical } from 'lucide-react';
import { useRef } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Button } from '../../../ui/controls.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { entryClass } from '../../../ui/entry.tsx';
import { Quiet, Row, Stack } from '../../../ui/layout.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { ProblemNote } from '../../../ui/problem.tsx';
import { useText } from '../../../i18n/text.tsx';
import { isSameId, findSharedIds } from '../order-facts.ts';
import { OrderField } from './order-field.tsx';
import { Findings, StateChip, useOrderDay } from './order-state.tsx';
import { OrderMenu, useFocusIfFree } from './order-menu.tsx';
import type { ListedOrders, Orders } from '../use-orders.ts';
import styles from './orders.module.css';

export function OrdersPane(props: {
  readonly of: Orders | undefined;
  readonly openId: string | undefined;
  readonly onOpen: (id: string) => void;
  /** The choice of view. */
  readonly children: ReactNode;
}): ReactElement {
  const { of, openId, onOpen, children } = props;
  const text = useText();
  const orders = of?.orders;
  const listed = of !== undefined && orders?.length ? { ...of, orders } : undefined;
  return (
    <section
      aria-label={text('orders.title')}
      className={`column gap2 ${styles['pane'] ?? ''}`}
      data-listed={listed && ''}
    >
      {children}
      {listed && (
        <OrderMenu of={listed} openId={openId} onOpen={onOpen}>
          {(close) => (
            <OrderList
              autoFocus
              of={listed}
              openId={openId}
              onOpen={(id) => {
                onOpen(id);
                close();
              }}
            />
          )}
        </OrderMenu>
      )}
      <div className={`column gap2 ${styles['choices'] ?? ''}`}>
        <h2>
          {text('orders.title')}
          {listed && <small>{text('orders.newest')}</small>}
        </h2>
        {listed && <OrderList of={listed} openId={openId} onOpen={onOpen} />}
        {orders?.length === 0 && <NoOrders foreign={of?.otherPatients ?? 0} />}
        {of !== undefined && orders === undefined && <NotListed of={of} />}
        {(of === undefined || (orders === undefined && !of.isFetching)) && (
          <OrderField key={openId ?? ''} onOpen={onOpen} />
        )}
      </div>
    </section>
  );
}

function OrderList(props: {
  readonly of: ListedOrders;
  readonly openId: string | undefined;
  readonly onOpen: (id: string) => void;
  readonly autoFocus?: boolean;
}): ReactElement {
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
          // A click on the open order deselects it.
          const [place = opened] = keys === 'all' ? [] : keys;
          const order = orders[Number(place)];
          if (order !== undefined) onOpen(order.id);
        }}
        className={styles['list'] ?? ''}
      >
        {orders.map((order, place) => (
          // IDs may repeat.
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

function NoOrders({ foreign }: { foreign: number }): ReactElement {
  const text = useText();
  return (
    <Stack className={`quiet row13 ${styles['none'] ?? ''}`}>
      <Icon big of={FlaskConical} />
      <strong>{text('orders.none')}</strong>
      <p>{text('orders.noneHelp')}</p>
      <OtherPatientsOrders count={foreign} />
    </Stack>
  );
}

function OtherPatientsOrders({ count }: { readonly count: number }): ReactElement | null {
  const text = useText();
  return count === 0 ? null : (
    <p role="alert" className={`meta bold noticed ${styles['note'] ?? ''}`}>
      {text('orders.foreign', { count })}
    </p>
  );
}

function NotListed({ of }: { of: Orders }): ReactElement | null {
  const { isFetching, isMissing, problem, retry, cancel } = of;
  const text = useText();
  if (isFetching) return <Loading what="orders.title" onCancel={cancel} />;
  if (isMissing) {
    return (
      <Quiet as="p" size="row13" className={styles['note']}>
        {text('orders.notOffered')}
      </Quiet>
    );
  }
  return <ProblemNote problem={problem ?? { kind: 'cancelled' }} onRetry={retry} />;
}
