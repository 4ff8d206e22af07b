import { useEffect } from 'react';
import type { ReactElement } from 'react';
import type { Order } from '@caregate/domain';
import { useMasked } from '../../app/mask.tsx';
import { useRecents, useSelection } from '../../app/selection.tsx';
import { useCorrection, useHistory } from './history/corrections.ts';
import { OtherName } from './identity/identity-banner.tsx';
import { checkIdentity } from './identity/identity-check.ts';
import { useIdentityGate } from './identity/identity-gate.ts';
import { useIdentitySources } from './identity/identity-gate.ts';
import { LabAnswer } from './lab-answer.tsx';
import { LabPrint } from './lab-print.tsx';
import { useLabResult } from './use-orders.ts';
import { isSameId } from './order-facts.ts';

export function LabOrder(props: {
  readonly orderId: string;
  readonly orders: readonly Order[];
}): ReactElement {
  const { orderId, orders } = props;
  const { person } = useSelection();
  const { addOrder } = useRecents();
  const masked = useMasked();
  const personId = person?.value.user_id;
  const read = useLabResult(personId, orderId);
  const { birthDates, insurance, isPending } = useIdentitySources(person);
  // Nothing of a report is shown before it is known whom it must be about.
  const data = isPending ? undefined : read.data;
  const isAnswered = data !== undefined && read.problem === undefined;
  useEffect(() => {
    if (isAnswered) addOrder(orderId, person);
  }, [isAnswered, addOrder, orderId, person]);
  const gate = useIdentityGate(
    checkIdentity({
      result: data?.value ?? { metadata: {} },
      birthDates,
      insurance,
    }),
  );
  // The earlier values of a report about somebody else would be theirs.
  const history = useHistory({ orderId, personId, enabled: isAnswered && !gate.isBlocked });
  const isHistoryShown = history?.problem === undefined;
  const correction = useCorrection(
    data?.value,
    isHistoryShown ? history?.data?.value : undefined,
    birthDates,
  );
  const listed = orders.find(({ id }) => isSameId(id, orderId));
  return (
    <LabAnswer
      orderId={orderId}
      read={{ ...read, data, isFetching: read.isFetching || isPending }}
      order={listed}
      gate={gate}
      masked={masked}
      correction={correction}
      history={history}
      nameNote={
        person !== undefined && data !== undefined ? (
          <OtherName patient={data.value.metadata.patient} person={person} />
        ) : undefined
      }
    >
      {data !== undefined && (
        <LabPrint
          orderId={orderId}
          received={data}
          person={person}
          birthDates={birthDates}
          insurance={insurance}
          gate={gate}
          wasOf={correction.wasOf}
          history={isHistoryShown ? history?.data : undefined}
        />
      )}
    </LabAnswer>
  );
}
