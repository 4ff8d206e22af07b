import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ReactElement, SyntheticEvent } from 'react';
import type { Insurance } from '@caregate/domain';
import type { Received } from '../../../bridge/channels.ts';
import { Button, Code, Field } from '../../components/controls.tsx';
import { hidden, useMasked } from '../../state/mask.tsx';
import { useAutoFocus } from '../../state/navigation.tsx';
import { useRecents } from '../../state/recents.tsx';
import { useOrder, usePerson } from '../../state/selection.tsx';
import { callService } from '../../state/service-call.ts';
import { useText } from '../../text/text.tsx';
import { checkIdentity } from './identity/identity-check.ts';
import { useIdentityGate } from './identity/identity-gate.ts';
import { LabAnswer } from './lab-answer.tsx';
import { LabPrint } from './lab-print.tsx';
import styles from './labs.module.css';

/** More would push the result itself out of sight. */
const maxRecents = 3;

/** Lab results by the order's id: typed, scanned, from a link or from the ones shown before. */
export function LabsScreen(): ReactElement {
  const text = useText();
  const { order, openOrder } = useOrder();
  const { orders } = useRecents();
  const { person } = usePerson();
  const masked = useMasked();
  const field = useAutoFocus<HTMLInputElement>();
  const [typed, setTyped] = useState(order ?? '');
  const id = typed.trim();
  const onSubmit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (id !== '') openOrder(id);
  };
  const personId = person?.value.user_id;
  // An order that was opened under somebody else's name isn't offered under this one.
  const recents = orders
    .filter((one) => one.personId === personId && one.id !== order)
    .slice(0, maxRecents);
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
      {order === undefined ? <p>{text('labs.empty')}</p> : <LabOrder key={order} orderId={order} />}
    </div>
  );
}

function LabOrder({ orderId }: { orderId: string }): ReactElement | null {
  const { person } = usePerson();
  const { addOrder } = useRecents();
  const masked = useMasked();
  const queries = useQueryClient();
  const queryKey = ['labResult', person?.value.user_id, orderId];
  const { data, error, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => callService('labResult', { orderId }, signal),
  });
  const isAnswered = data !== undefined && error === null;
  useEffect(() => {
    if (isAnswered) addOrder(orderId, person);
  }, [isAnswered, addOrder, orderId, person]);
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
