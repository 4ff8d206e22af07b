import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ReactElement, SyntheticEvent } from 'react';
import type { Insurance } from '@caregate/domain';
import type { Received } from '../../../bridge/channels.ts';
import { Button, Code, Field } from '../../components/controls.tsx';
import { hidden } from '../../components/mask.ts';
import { useDesk } from '../../shell/desk.tsx';
import { useArrival } from '../../shell/use-arrival.ts';
import { useText } from '../../text/text.tsx';
import { checkIdentity } from './identity-check.ts';
import { useIdentityGate } from './identity-gate.ts';
import { LabAnswer } from './lab-answer.tsx';
import { LabPrint } from './lab-print.tsx';
import { ask } from '../../service/ask.ts';
import styles from './labs.module.css';

/** More would push the result itself out of sight. */
const mostRecents = 3;

/** Lab results by the order's id: typed, scanned, from a link or from the ones shown before. */
export function LabsScreen(): ReactElement {
  const text = useText();
  const { order, openOrder, recentOrders, person, masked } = useDesk();
  const field = useArrival<HTMLInputElement>();
  const [typed, setTyped] = useState(order ?? '');
  const id = typed.trim();
  const onSubmit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (id !== '') openOrder(id);
  };
  const personId = person?.value.user_id;
  // An order that was opened under somebody else's name isn't offered under this one.
  const recents = recentOrders
    .filter((one) => one.personId === personId && one.id !== order)
    .slice(0, mostRecents);
  return (
    <div className={styles['labs']}>
      <h1>{text('labs.title')}</h1>
      <form onSubmit={onSubmit} className={styles['form']}>
        <Field
          code
          inputRef={field}
          type={masked ? 'password' : 'text'}
          label={text('labs.field')}
          help={text('labs.help')}
          value={typed}
          onChange={setTyped}
          maxLength={1024}
          autoComplete="off"
        />
        <Button kind="main" type="submit" isDisabled={id === ''}>
          {text('labs.submit')}
        </Button>
      </form>
      {recents.length > 0 && (
        <div role="group" aria-label={text('labs.recents')} className={styles['recents']}>
          <span aria-hidden="true">{text('labs.recents')}</span>
          {recents.map((recent, place) => (
            <Button
              key={recent.id}
              onPress={() => {
                setTyped(recent.id);
                openOrder(recent.id);
              }}
            >
              <Code>{masked ? `${hidden} ${String(place + 1)}` : recent.id}</Code>
            </Button>
          ))}
        </div>
      )}
      {order === undefined ? <p>{text('labs.empty')}</p> : <Asked key={order} orderId={order} />}
    </div>
  );
}

function Asked({ orderId }: { orderId: string }): ReactElement | null {
  const { person, masked, noteOrder } = useDesk();
  const queries = useQueryClient();
  const queryKey = ['labResult', person?.value.user_id, orderId];
  const { data, error, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => ask('labResult', { orderId }, signal),
  });
  const isAnswered = data !== undefined && error === null;
  useEffect(() => {
    if (isAnswered) noteOrder(orderId);
  }, [isAnswered, noteOrder, orderId]);
  // Only what is held already: nobody's insurance is looked at for a comparison alone.
  const { data: held } = useQuery<Received<Insurance>>({
    queryKey: ['insurance', person?.value.user_id, 'primary'],
    queryFn: skipToken,
  });
  const gate = useIdentityGate(
    checkIdentity({
      result: data?.value ?? { metadata: {} },
      person: person?.value,
      insurance: held?.value,
    }),
  );
  return (
    <LabAnswer
      orderId={orderId}
      received={data}
      error={error}
      isFetching={isFetching}
      onRetry={() => void refetch()}
      onCancel={() => void queries.cancelQueries({ queryKey })}
      gate={gate}
      masked={masked}
    >
      {data !== undefined && (
        <LabPrint
          orderId={orderId}
          received={data}
          person={person?.value}
          insurance={held?.value}
          gate={gate}
        />
      )}
    </LabAnswer>
  );
}
