import { RefreshCw } from 'lucide-react';
import type { ReactElement } from 'react';
import type { Order } from '@caregate/domain';
import { Stack } from '../../../ui/layout.tsx';
import { Button, Code } from '../../../ui/controls.tsx';
import { OrderCourse } from './order-course.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Facts } from '../../../ui/surfaces.tsx';
import { useMask } from '../../../app/mask.tsx';
import { useText } from '../../../i18n/text.tsx';
import { courseOf, orderStateOf } from '../order-facts.ts';
import styles from './orders.module.css';

export function AwaitedOrder(props: {
  readonly orderId: string;
  readonly status: string | undefined;
  readonly order: Order | undefined;
  readonly isFetching: boolean;
  readonly onCheck: () => void;
}): ReactElement {
  const { orderId, status, order, isFetching, onCheck } = props;
  const text = useText();
  const mask = useMask();
  const state = orderStateOf({ id: orderId, last_event: status === undefined ? null : { status } });
  const ended = state.kind === 'cancelled' || state.kind === 'failed' ? state.kind : undefined;
  const isPlaced = ended === undefined && state.kind !== 'unknown' && status !== undefined;
  const course = isPlaced ? courseOf(status) : undefined;
  // Unknown statuses and obstacles are shown in the laboratory's own word.
  const word =
    state.kind === 'unknown' || course === 'heldUp' ? status?.split('.').at(-1) : undefined;
  return (
    <Stack as="section" gap="gap3" aria-labelledby="awaited" className={styles['awaited']}>
      <h2 id="awaited">{text(ended === undefined ? 'awaited.title' : `orders.state.${ended}`)}</h2>
      <p>{text(`awaited.${ended === undefined ? (course ?? 'unknown') : 'ended'}`)}</p>
      {word !== undefined && (
        <p>{text('labs.says', { word: text('value.quoted', { value: word }) })}</p>
      )}
      {isPlaced && <OrderCourse status={status} order={order} />}
      <Facts
        entries={[
          ...(order?.lab_test?.name
            ? [[text('awaited.tests'), <bdi key="tests">{order.lab_test.name}</bdi>] as const]
            : []),
          [text('labs.orderId'), <Code key="id">{mask(orderId)}</Code>],
        ]}
      />
      <div>
        <Button isDisabled={isFetching} onPress={onCheck}>
          <Icon of={RefreshCw} />
          {text('state.checkNow')}
        </Button>
      </div>
    </Stack>
  );
}
