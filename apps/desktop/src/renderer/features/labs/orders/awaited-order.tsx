import { RefreshCw } from 'lucide-react';
import { useIntl } from 'react-intl';
import type { Order } from '@caregate/domain';
import { Stack } from '../../../ui/layout.tsx';
import { Button, Code } from '../../../ui/controls.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { useMask } from '../../../app/mask.tsx';
import { useText } from '../../../i18n/text.tsx';
import { formatDateTime } from '../../../ui/values/dates.tsx';
import { readCourse, readOrderState } from '../order-facts.ts';
import { NonEmptyFacts } from '../result/result-facts.tsx';
import styles from './orders.module.css';

export function AwaitedOrder(props: {
  readonly orderId: string;
  readonly status: string | undefined;
  readonly order: Order | undefined;
  readonly isFetching: boolean;
  readonly onCheck: () => void;
}) {
  const { orderId, status, order, isFetching, onCheck } = props;
  const text = useText();
  const intl = useIntl();
  const mask = useMask();
  const state = readOrderState({
    id: orderId,
    last_event: status === undefined ? null : { status },
  });
  const ended = state.kind === 'cancelled' || state.kind === 'failed' ? state.kind : undefined;
  const isPlaced = ended === undefined && state.kind !== 'unknown' && status !== undefined;
  const course = isPlaced ? readCourse(status) : undefined;
  // Unknown statuses and obstacles are shown in the laboratory's own words.
  const word =
    state.kind === 'unknown' || course === 'heldUp' ? status?.split('.').at(-1) : undefined;
  const { first_name: first, last_name: last } = order?.physician ?? {};
  const physician = [first, last].filter(Boolean).join(' ');
  return (
    <Stack as="section" gap="gap3" aria-labelledby="awaited" className={styles['awaited']}>
      <h2 id="awaited">{text(ended === undefined ? 'awaited.title' : `orders.state.${ended}`)}</h2>
      <p>{text(`awaited.${ended === undefined ? (course ?? 'unknown') : 'ended'}`)}</p>
      {word !== undefined && (
        <p>{text('labs.says', { word: text('value.quoted', { value: word }) })}</p>
      )}
      <NonEmptyFacts
        entries={[
          ['result.ordered', order?.created_at && formatDateTime(intl, order.created_at)],
          ['result.orderedBy', physician && <bdi>{physician}</bdi>],
          ['awaited.tests', order?.lab_test?.name && <bdi>{order.lab_test.name}</bdi>],
          ['labs.orderId', <Code key="id">{mask(orderId)}</Code>],
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
