import type { ReactElement, Ref } from 'react';
import type { Order } from '@caregate/domain';
import { entryClass } from '../../../ui/entry.tsx';
import { Row } from '../../../ui/layout.tsx';
import { Findings, StateChip, useOrderDay } from './order-state.tsx';
import { useText } from '../../../i18n/text.tsx';
import styles from './orders.module.css';

export function OrderRow(props: {
  readonly order: Order;
  readonly isOpen: boolean;
  readonly isShared: boolean;
  readonly tabIndex: number;
  readonly buttonRef: Ref<HTMLButtonElement>;
  readonly onOpen: () => void;
  readonly onFocus: () => void;
}): ReactElement {
  const { order, isOpen, isShared, tabIndex, buttonRef, onOpen, onFocus } = props;
  const text = useText();
  const orderDay = useOrderDay();
  return (
    <button
      ref={buttonRef}
      type="button"
      className={`${entryClass} ${styles['order'] ?? ''}`}
      tabIndex={tabIndex}
      aria-current={isOpen ? 'true' : undefined}
      onClick={onOpen}
      onFocus={onFocus}
    >
      <Row as="span" gap="tight" className="between">
        <strong className="grow">{orderDay(order)}</strong> <StateChip order={order} />
      </Row>
      <Findings order={order} />
      {isShared && <span className="meta bold noticed">{text('orders.shared')}</span>}
    </button>
  );
}
