import { ChevronDown, ChevronUp, ChevronsUpDown } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import type { ReactElement, RefObject } from 'react';
import type { Order } from '@caregate/domain';
import { Button } from '../../../ui/controls.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Quiet } from '../../../ui/layout.tsx';
import { StateChip, useOrderDay } from './order-state.tsx';
import { useNavigation } from '../../../app/navigation.tsx';
import { useCommand } from '../../../app/keyboard.ts';
import { useText } from '../../../i18n/text.tsx';
import { isSameId } from '../order-facts.ts';
import { useLabResult } from '../use-orders.ts';
import type { Orders } from '../use-orders.ts';
import styles from './orders.module.css';

/** One order at a time, for windows without room for the list; its keys work in all of them. */
export function OrderSwitcher(props: {
  readonly of: Orders & { readonly orders: readonly Order[] };
  readonly openId: string | undefined;
  readonly onOpen: (id: string) => void;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  readonly buttonRef: RefObject<HTMLButtonElement | null>;
}): ReactElement {
  const { of, openId, onOpen, isOpen, onToggle, buttonRef } = props;
  const { orders, total, hasMore, isFetching, more } = of;
  const text = useText();
  const orderDay = useOrderDay();
  const isShown = ({ id }: Order): boolean => openId !== undefined && isSameId(id, openId);
  const at = orders.findIndex(isShown);
  const open = orders[at];
  // Ids may repeat.
  const newer = orders.slice(0, Math.max(0, at)).findLast((one) => !isShown(one));
  const older = orders.slice(at + 1).find((one) => !isShown(one));
  const goTo = (order: Order | undefined): void => {
    if (order !== undefined) onOpen(order.id);
  };
  useCommand('newerOrder', () => {
    goTo(newer);
  });
  useCommand('olderOrder', () => {
    goTo(older);
    if (older === undefined && hasMore && !isFetching) more();
  });
  useFocusIfFree(() => buttonRef.current);
  return (
    <div className={styles['switcher']}>
      <Step icon={ChevronUp} word={text('orders.newer')} to={newer} onGo={goTo} />
      <Step icon={ChevronDown} word={text('orders.older')} to={older} onGo={goTo} />
      <Button ref={buttonRef} aria-expanded={isOpen} onPress={onToggle}>
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
  );
}

function Step(props: {
  readonly icon: typeof ChevronUp;
  readonly word: string;
  readonly to: Order | undefined;
  readonly onGo: (order: Order | undefined) => void;
}): ReactElement {
  const { icon, word, to, onGo } = props;
  return (
    <Button
      isDisabled={to === undefined}
      onPress={() => {
        onGo(to);
      }}
    >
      <Icon of={icon} />
      <span className="spare">{word}</span>
    </Button>
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

export function useFocusIfFree(elementOf: () => HTMLElement | null | undefined): void {
  const { visit } = useNavigation();
  const focus = useEffectEvent(() => {
    const active = document.activeElement;
    if (active === document.body || active?.tagName === 'MAIN') elementOf()?.focus();
  });
  useEffect(() => {
    // The items of a list come after its first effects.
    const timer = setTimeout(focus);
    return () => {
      clearTimeout(timer);
    };
  }, [visit]);
}
