import { RefreshCw } from 'lucide-react';
import type { ReactElement } from 'react';
import type { Order } from '@caregate/domain';
import { Stack } from '../../../components/layout.tsx';
import { Button } from '../../../components/controls.tsx';
import { Moment } from '../../../components/dates.tsx';
import { Icon } from '../../../components/icon.tsx';
import { useText } from '../../../text/text.tsx';
import { courseOf, orderStateOf } from '../../../state/orders/order-facts.ts';
import type { Course } from '../../../state/orders/order-facts.ts';
import styles from './orders.module.css';

const steps = ['ordered', 'collected', 'laboratory', 'result'] as const;
const reached: Readonly<Partial<Record<Course, number>>> = {
  ...{ ordered: 0, collecting: 0, collected: 1, laboratory: 2, done: 2 },
};

/** The course of an order that has no result yet, or never will. */
export function AwaitedOrder(props: {
  readonly orderId: string;
  /** From the answer that there is no result. */
  readonly status: string | undefined;
  readonly order: Order | undefined;
  readonly isFetching: boolean;
  readonly onCheck: () => void;
}): ReactElement {
  const { orderId, status, order, isFetching, onCheck } = props;
  const text = useText();
  const state = orderStateOf({ id: orderId, last_event: status === undefined ? null : { status } });
  const ended = state.kind === 'cancelled' || state.kind === 'failed' ? state.kind : undefined;
  const isPlaced = ended === undefined && state.kind !== 'unknown' && status !== undefined;
  const course = isPlaced ? courseOf(status) : undefined;
  const place = course === undefined ? undefined : reached[course];
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
      {place !== undefined && (
        <ol className={styles['course']}>
          {steps.map((step, at) => (
            <li key={step} data-done={at <= place} aria-current={at === place ? 'step' : undefined}>
              <strong>{text(`awaited.step.${step}`)}</strong>
              <Since order={order} isFirst={at === 0} isLast={at === place} />
            </li>
          ))}
        </ol>
      )}
      {order?.lab_test?.name && (
        <p>
          <bdi>{order.lab_test.name}</bdi>
        </p>
      )}
      <div>
        <Button isDisabled={isFetching} onPress={onCheck}>
          <Icon of={RefreshCw} />
          {text('awaited.check')}
        </Button>
      </div>
    </Stack>
  );
}

function Since(props: {
  readonly order: Order | undefined;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}): ReactElement | null {
  const { order, isFirst, isLast } = props;
  const at = isFirst ? order?.created_at : isLast ? order?.last_event?.created_at : undefined;
  return at ? <Moment at={at} plain /> : null;
}
