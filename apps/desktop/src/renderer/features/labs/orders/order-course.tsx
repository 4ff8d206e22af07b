import type { ReactElement } from 'react';
import type { Order } from '@caregate/domain';
import { courseOf } from '../order-facts.ts';
import type { Course } from '../order-facts.ts';
import { useText } from '../../../i18n/text.tsx';
import { Moment } from '../../../ui/values/dates.tsx';
import styles from './order-state.module.css';

const steps = ['ordered', 'collected', 'laboratory', 'result'] as const;
const reached: Readonly<Partial<Record<Course, number>>> = {
  ...{ ordered: 0, collecting: 0, collected: 1, laboratory: 2, done: 2 },
};

export function OrderCourse(props: {
  readonly status: string;
  readonly order: Order | undefined;
  readonly isWide?: boolean;
}): ReactElement | null {
  const { status, order, isWide = false } = props;
  const text = useText();
  const place = reached[courseOf(status)];
  if (place === undefined) return null;
  const times = timesOf(order);
  return (
    <ol className={`${styles['course'] ?? ''} ${isWide ? (styles['wide'] ?? '') : ''}`}>
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
  );
}

function Physician({ of }: { readonly of: Order['physician'] }): ReactElement | null {
  const name = [of?.first_name, of?.last_name].filter(Boolean).join(' ');
  return name === '' ? null : <bdi className="quiet meta">{name}</bdi>;
}

function timesOf(order: Order | undefined): readonly (string | undefined)[] {
  const events = order?.events ?? (order?.last_event ? [order.last_event] : []);
  return steps.map((_step, at) => {
    const first = events.find(({ status }) => reached[courseOf(status)] === at)?.created_at;
    return (at === 0 ? order?.created_at : undefined) ?? first ?? undefined;
  });
}
