import { FileText, Table } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Row, VisuallyHidden } from '../../ui/layout.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { useSelection } from '../../app/selection.tsx';
import { HeaderSlot } from '../../app/header-slot.tsx';
import { useCommand } from '../../app/keyboard.ts';
import { useWorkspaceState } from '../../app/workspace.tsx';
import { useText } from '../../i18n/text.tsx';
import { LabOrder } from './lab-order.tsx';
import { findLatestWithResults } from './order-facts.ts';
import { OverTime } from './over-time/over-time.tsx';
import { OrderMenu } from './orders/order-menu.tsx';
import { OrdersPane } from './orders/orders-pane.tsx';
import { useOrders } from './use-orders.ts';
import styles from './labs.module.css';

type View = 'report' | 'overTime';

export default function LabsScreen() {
  const text = useText();
  const { person, order, openOrder, chooseOrder } = useSelection();
  const orders = useOrders(person?.value.user_id);
  const [toolbar, setToolbar] = useState<HTMLElement | null>(null);
  const listed = orders.orders ?? [];
  const latest = findLatestWithResults(listed)?.id;
  useEffect(() => {
    if (order === undefined && latest !== undefined) chooseOrder(latest);
  }, [order, latest, chooseOrder]);
  const isListed = listed.length > 0;
  const shown = order ?? latest;
  const [chosenView, setView] = useState<View>(
    useWorkspaceState('isOverTime') ? 'overTime' : 'report',
  );
  const view = isListed ? chosenView : 'report';
  useCommand('overTime', () => setView(view === 'report' ? 'overTime' : 'report'));
  const views = isListed && (
    <SegmentedControl
      quiet
      label={text('labs.view')}
      value={view}
      options={[
        ['report', text('labs.view.report'), FileText],
        ['overTime', text('labs.view.overTime'), Table],
      ]}
      onChange={setView}
    />
  );
  if (view === 'overTime' && person !== undefined) {
    return (
      <div className={`column ${styles['labs'] ?? ''}`}>
        <VisuallyHidden as="h1">{text('labs.title')}</VisuallyHidden>
        <OverTime person={person} orders={{ ...orders, orders: listed }}>
          {views}
        </OverTime>
      </div>
    );
  }
  return (
    <div className={`column ${styles['labs'] ?? ''}`}>
      <VisuallyHidden as="h1">{text('labs.title')}</VisuallyHidden>
      <Row className={`${styles['toolbar'] ?? ''} ${(person && styles['ofReport']) ?? ''}`}>
        {views}
        {isListed && (
          <OrderMenu of={{ ...orders, orders: listed }} openId={shown} onOpen={chooseOrder} />
        )}
        <span ref={setToolbar} className="end" />
        {person === undefined && (
          <>
            <HeaderSlot name="refresh" />
            <HeaderSlot name="print" />
          </>
        )}
      </Row>
      <div className={styles['body']}>
        <OrdersPane
          of={person === undefined ? undefined : orders}
          openId={shown}
          onOpen={isListed ? chooseOrder : openOrder}
        />
        <div className={`column narrow ${styles['report'] ?? ''}`}>
          {shown !== undefined && (
            <LabOrder key={shown} orderId={shown} orders={listed} toolbar={toolbar} />
          )}
          {shown === undefined && !orders.isFetching && orders.orders?.length !== 0 && (
            <p className={styles['state']}>{text(isListed ? 'orders.noResults' : 'labs.empty')}</p>
          )}
        </div>
      </div>
    </div>
  );
}
