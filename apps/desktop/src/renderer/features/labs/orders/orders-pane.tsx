import { FlaskConical } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import { Button } from '../../../ui/controls.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Quiet, Stack } from '../../../ui/layout.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { ProblemNote } from '../../../ui/problem.tsx';
import { useText } from '../../../i18n/text.tsx';
import { isSameId, sharedIds } from '../order-facts.ts';
import { OrderField } from './order-field.tsx';
import { OrderRow } from './order-row.tsx';
import { OrderSwitcher, useFocusIfFree } from './order-switcher.tsx';
import type { Orders } from '../use-orders.ts';
import styles from './orders.module.css';

function OrderList(props: {
  readonly of: Orders & { readonly orders: NonNullable<Orders['orders']> };
  readonly openId: string | undefined;
  readonly onOpen: (id: string) => void;
}): ReactElement {
  const { of, openId, onOpen } = props;
  const { orders, total, foreign, hasMore, more, isFetching, problem, retry } = of;
  const text = useText();
  const rows = useRef<(HTMLButtonElement | null)[]>([]);
  const opened = orders.findIndex(({ id }) => openId !== undefined && isSameId(id, openId));
  const [at, setAt] = useState<number>();
  const current = Math.min(at ?? Math.max(0, opened), orders.length - 1);
  const shared = sharedIds(orders);
  useFocusIfFree(() => rows.current[current]);
  // Another key than the list's own opened another order.
  useEffect(() => {
    const isHere = document.activeElement?.closest('ol') === rows.current[0]?.closest('ol');
    if (isHere) rows.current[opened]?.focus();
  }, [opened]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = placeAfter(event.key, current, orders.length);
    if (next === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    if (next >= orders.length) {
      if (hasMore && !isFetching) more();
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
        <p role="alert" className={`meta bold noticed ${styles['foreign'] ?? ''}`}>
          {text('orders.foreign', { count: foreign })}
        </p>
      )}
      {hasMore && (
        <Stack gap="gap1" className={`quiet meta ${styles['more'] ?? ''}`}>
          <Button isDisabled={isFetching} onPress={more}>
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

export function OrdersPane(props: {
  readonly of: Orders | undefined;
  readonly openId: string | undefined;
  readonly onOpen: (id: string) => void;
}): ReactElement {
  const { of, openId, onOpen } = props;
  const text = useText();
  const [isOpen, setOpen] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const switcher = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isOpen) list.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, [isOpen]);
  const close = (): void => {
    if (!isOpen) return;
    setOpen(false);
    switcher.current?.focus();
  };
  const orders = of?.orders;
  const listed = of !== undefined && orders !== undefined && orders.length > 0;
  return (
    <section
      aria-label={text('orders.title')}
      className={styles['pane']}
      data-listed={listed || undefined}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        event.stopPropagation();
        close();
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (isOpen && !currentTarget.contains(relatedTarget)) setOpen(false);
      }}
    >
      {listed && (
        <OrderSwitcher
          of={{ ...of, orders }}
          openId={openId}
          onOpen={onOpen}
          isOpen={isOpen}
          onToggle={() => {
            setOpen(!isOpen);
          }}
          buttonRef={switcher}
        />
      )}
      <div ref={list} className={`column gap2 ${styles['choices'] ?? ''}`} data-open={isOpen}>
        <h2>
          {text('orders.title')}
          {listed && <small>{text('orders.newest')}</small>}
        </h2>
        {listed && (
          <OrderList
            of={{ ...of, orders }}
            openId={openId}
            onOpen={(id) => {
              onOpen(id);
              close();
            }}
          />
        )}
        {orders?.length === 0 && <NoOrders foreign={of?.foreign ?? 0} />}
        {of !== undefined && orders === undefined && <NotListed of={of} />}
        {(of === undefined || (orders === undefined && !of.isFetching)) && (
          <OrderField key={openId ?? ''} onOpen={onOpen} />
        )}
      </div>
    </section>
  );
}

function NoOrders({ foreign }: { foreign: number }): ReactElement {
  const text = useText();
  return (
    <Stack className={`quiet row13 ${styles['none'] ?? ''}`}>
      <Icon big of={FlaskConical} />
      <strong>{text('orders.none')}</strong>
      <p>{text('orders.noneHelp')}</p>
      {foreign > 0 && (
        <p role="alert" className={`meta bold noticed ${styles['foreign'] ?? ''}`}>
          {text('orders.foreign', { count: foreign })}
        </p>
      )}
    </Stack>
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
