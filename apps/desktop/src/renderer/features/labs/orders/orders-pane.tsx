import { FlaskConical } from 'lucide-react';
import { Icon } from '../../../ui/icon.tsx';
import { Quiet, Stack } from '../../../ui/layout.tsx';
import { Loading } from '../../../ui/loading.tsx';
import { ProblemNote } from '../../../ui/problem.tsx';
import { useText } from '../../../i18n/text.tsx';
import type { Orders } from '../use-orders.ts';
import { OrderField } from './order-field.tsx';
import { OrderList, OtherPatientsOrders } from './order-list.tsx';
import styles from './orders.module.css';

export function OrdersPane(props: {
  readonly of: Orders | undefined;
  readonly openId: string | undefined;
  readonly onOpen: (id: string) => void;
}) {
  const { of, openId, onOpen } = props;
  const text = useText();
  const orders = of?.orders;
  const listed = of !== undefined && orders?.length ? { ...of, orders } : undefined;
  return (
    <section
      aria-label={text('orders.title')}
      className={`column gap2 ${styles['pane'] ?? ''}`}
      data-listed={listed && ''}
    >
      <h2>
        {text('orders.title')}
        {listed && <Quiet size="meta">{text('orders.newest')}</Quiet>}
      </h2>
      {listed && <OrderList of={listed} openId={openId} onOpen={onOpen} />}
      {orders?.length === 0 && <NoOrders foreign={of?.otherPatients ?? 0} />}
      {of !== undefined && orders === undefined && <NotListed of={of} />}
      {(of === undefined || (orders === undefined && !of.isFetching)) && (
        <OrderField key={openId ?? ''} onOpen={onOpen} />
      )}
    </section>
  );
}

function NoOrders({ foreign }: { foreign: number }) {
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

function NotListed({ of }: { of: Orders }) {
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
