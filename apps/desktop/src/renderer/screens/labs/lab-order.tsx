import { Columns2 } from 'lucide-react';
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import type { Insurance, LabOrderResult, Order } from '@caregate/domain';
import type { Received } from '../../../bridge/channels.ts';
import { Button } from '../../components/controls.tsx';
import { Icon } from '../../components/icon.tsx';
import { Loading } from '../../components/loading.tsx';
import { useMasked } from '../../state/mask.tsx';
import { useRecents } from '../../state/recents.tsx';
import { usePerson } from '../../state/selection.tsx';
import { callService } from '../../state/service-call.ts';
import { useText } from '../../text/text.tsx';
import type { Compared } from './compare/other-report.ts';
import { useCorrection } from './history/use-correction.ts';
import { useHistory } from './history/use-history.ts';
import { checkIdentity } from './identity/identity-check.ts';
import { useIdentityGate } from './identity/identity-gate.ts';
import { OtherName } from './identity/other-name.tsx';
import { LabAnswer } from './lab-answer.tsx';
import { LabPrint } from './lab-print.tsx';
import { labResultKey } from './orders/use-orders.ts';
import { isSameId } from './report-status/report-status.ts';

const Comparison = lazy(async () => ({
  default: (await import('./compare/comparison.tsx')).Comparison,
}));

const noResult: LabOrderResult = { metadata: {}, results: [] };

/** One order's report under the person who is open: asked for, then what came before it; printed; compared. */
export function LabOrder(props: {
  readonly orderId: string;
  /** The person's orders, as far as they are listed. */
  readonly orders: readonly Order[];
  /** The list is there, and whole. */
  readonly isWhole: boolean;
}): ReactElement {
  const { orderId, orders, isWhole } = props;
  const text = useText();
  const { person } = usePerson();
  const { addOrder } = useRecents();
  const masked = useMasked();
  const queries = useQueryClient();
  const [compared, setCompared] = useState<Compared>();
  const personId = person?.value.user_id;
  const queryKey = labResultKey(personId, orderId);
  const { data, error, isFetching, refetch } = useQuery<Received<LabOrderResult>>({
    queryKey,
    queryFn: ({ signal }) => callService('labOrderResult', { orderId }, signal),
  });
  const isAnswered = data !== undefined && error === null;
  useEffect(() => {
    if (isAnswered) addOrder(orderId, person);
  }, [isAnswered, addOrder, orderId, person]);
  // Only what is held already: nobody's insurance is looked at for a comparison alone.
  const { data: held } = useQuery<Received<Insurance>>({
    queryKey: ['insurance', personId, 'primary'],
    queryFn: skipToken,
  });
  const gate = useIdentityGate(
    checkIdentity({
      result: data?.value ?? { metadata: {} },
      person: person?.value,
      insurance: held?.value,
    }),
  );
  // Not of a report that may be about somebody else: its earlier values would be theirs.
  const history = useHistory({ orderId, personId, enabled: isAnswered && !gate.isBlocked });
  const { replaced } = useCorrection(data?.value ?? noResult, history, person?.value);
  const listed = orders.find(({ id }) => isSameId(id, orderId));
  const another = orders.find(({ id }) => !isSameId(id, orderId))?.id;
  const first: Compared | undefined =
    replaced !== undefined ? 'replaced' : another === undefined ? undefined : { orderId: another };
  return (
    <LabAnswer
      orderId={orderId}
      received={data}
      error={error}
      isFetching={isFetching}
      onRetry={() => void refetch()}
      order={listed}
      isStrange={isWhole && listed === undefined}
      onCancel={() => void queries.cancelQueries({ queryKey })}
      gate={gate}
      masked={masked}
      person={person?.value}
      history={history}
      nameNote={
        person !== undefined && data !== undefined ? (
          <OtherName patient={data.value.metadata.patient} person={person} />
        ) : undefined
      }
      onCompare={() => {
        setCompared('replaced');
      }}
      comparison={
        compared === undefined || data === undefined ? undefined : (
          <Suspense fallback={<Loading />}>
            <Comparison
              orderId={orderId}
              result={data.value}
              person={person?.value}
              insurance={held?.value}
              replaced={replaced}
              orders={orders}
              compared={compared}
              onCompare={setCompared}
              masked={masked}
            />
          </Suspense>
        )
      }
    >
      {first !== undefined && (
        <Button
          kind="quiet"
          aria-pressed={compared !== undefined}
          onPress={() => {
            setCompared(compared === undefined ? first : undefined);
          }}
        >
          <Icon of={Columns2} />
          {text('compare.open')}
        </Button>
      )}
      {data !== undefined && (
        <LabPrint
          orderId={orderId}
          received={data}
          person={person}
          insurance={held?.value}
          gate={gate}
        />
      )}
    </LabAnswer>
  );
}
