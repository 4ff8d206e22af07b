import { RefreshCw } from 'lucide-react';
import type { ReactElement } from 'react';
import type { Order } from '@caregate/domain';
import { Stack } from '../../../components/layout.tsx';
import { Button, Code } from '../../../components/controls.tsx';
import { Moment } from '../../../components/dates.tsx';
import { Icon } from '../../../components/icon.tsx';
import { Facts } from '../../../components/surfaces.tsx';
import { useMask } from '../../../state/mask.tsx';
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
  const mask = useMask();
  const times = timesOf(order);
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
              {at <= place && (
                <span>
                  {times[at] && <Moment at={times[at]} plain />}
                  {at === 0 && <Physician of={order?.physician} />}
                </span>
              )}
            </li>
          ))}
        </ol>
      )}
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
          {text('awaited.check')}
        </Button>
      </div>
    </Stack>
  );
}

function Physician({ of }: { readonly of: Order['physician'] }): ReactElement | null {
  const name = [of?.first_name, of?.last_name].filter(Boolean).join(' ');
  return name === '' ? null : <bdi className="quiet meta">{name}</bdi>;
}

/** When each step was first reached, as far as the order's events say. */
function timesOf(order: Order | undefined): readonly (string | undefined)[] {
  const events = order?.events ?? (order?.last_event ? [order.last_event] : []);
  return steps.map((_step, at) => {
    const first = events.find(({ status }) => reached[courseOf(status)] === at)?.created_at;
    return (at === 0 ? order?.created_at : undefined) ?? first ?? undefined;
  });
}
