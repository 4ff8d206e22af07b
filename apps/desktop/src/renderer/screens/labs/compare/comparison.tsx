import { useCallback, useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import type { Insurance, Order, OrderHistory } from '@caregate/domain';
import { dayText, momentText } from '../../../components/values/dates.tsx';
import { Quiet } from '../../../components/layout.tsx';
import { Loading } from '../../../components/loading.tsx';
import { useOrderDay } from '../../../components/orders/order-state.tsx';
import { ProblemNote } from '../../../components/problem.tsx';
import { Banner } from '../../../components/surfaces.tsx';
import { useMasked } from '../../../state/mask.tsx';
import { checkIdentity, isSamePatient, needsLook } from '../../../state/orders/identity-check.ts';
import type { IdentityCheck } from '../../../state/orders/identity-check.ts';
import { isSameId } from '../../../state/orders/order-facts.ts';
import { useLabResults } from '../../../state/orders/use-orders.ts';
import type { Person } from '../../../state/person.ts';
import { useRead } from '../../../state/read.ts';
import { useText } from '../../../text/text.tsx';
import { dateOf } from '../history/earlier-values.ts';
import { historyKey, useCorrection } from '../history/use-history.ts';
import { useCopyGuard } from '../identity/copy-guard.ts';
import { IdentityBanner } from '../identity/identity-banner.tsx';
import { useIdentityGate } from '../identity/identity-gate.ts';
import { ComparedTable } from './compared-table.tsx';
import type { Column } from './compared-table.tsx';
import styles from './compare.module.css';

export interface Compared {
  readonly ids: readonly string[];
  readonly withReplaced: boolean;
}

/** Two to five reports of a person, oldest first; one that may be about somebody else stays shut until confirmed. */
export function Comparison(props: {
  readonly openId: string;
  readonly person: Person;
  readonly orders: readonly Order[];
  readonly compared: Compared;
  readonly onClose: () => void;
}): ReactElement {
  const { openId, person, orders, compared, onClose } = props;
  const { ids, withReplaced } = compared;
  const text = useText();
  const intl = useIntl();
  const orderDay = useOrderDay();
  const masked = useMasked();
  const { user_id: personId } = person.value;
  const reads = useLabResults(personId, ids);
  const insurance = useRead<Insurance>(['insurance', personId, 'primary'], undefined).data?.value;
  // Requests nothing: reads what the report has requested.
  const history = useRead<OrderHistory>(historyKey(personId, openId), undefined);
  const openResult = reads.find(({ orderId }) => isSameId(orderId, openId))?.data?.value;
  const correction = useCorrection(openResult, history.data?.value, person.value);
  const [confirmed, setConfirmed] = useState<ReadonlySet<string>>(new Set());
  const read = reads.flatMap(({ orderId: id, data }) =>
    data === undefined ? [] : [{ id, result: data.value }],
  );
  const shut = read
    .map(({ id, result }) => ({
      id,
      check: checkIdentity({ result, person: person.value, insurance }),
    }))
    .filter(({ id, check }) => needsLook(check) && !confirmed.has(id));
  const columns = read
    .filter(({ id }) => !shut.some((one) => one.id === id))
    .map(({ id, result }): Column => {
      const date = dateOf(result);
      const order = orders.find((one) => isSameId(one.id, id));
      return {
        key: id,
        result,
        date,
        head: date ? dayText(intl, date) : orderDay(order),
      };
    })
    .toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
  const { replaced } = correction;
  const replacedColumn =
    withReplaced && replaced !== undefined && openResult !== undefined
      ? [
          {
            ...{ key: 'replaced', result: replaced.result, date: dateOf(replaced.result) },
            head: text('compare.replaced', { at: momentText(intl, replaced.at) }),
          },
        ]
      : [];
  const all = [...replacedColumn, ...columns];
  const first = all[0]?.result.metadata;
  const isOther = all.some(({ result }) => first && !isSamePatient(first, result.metadata));
  const failed = reads.filter(({ problem, isFetching }) => problem !== undefined && !isFetching);
  const problem = failed.map((one) => one.problem).find((one) => one?.missing !== 'result');
  const confirm = useCallback((id: string) => {
    setConfirmed((before) => new Set([...before, id]));
  }, []);
  return (
    <section aria-label={text('compare.title')} className={styles['comparison']}>
      {problem !== undefined && (
        <ProblemNote
          problem={problem}
          onRetry={() => {
            for (const one of failed) one.refetch();
          }}
        />
      )}
      {failed.some((one) => one.problem?.missing === 'result') && (
        <Quiet as="p" size="row13">
          {text('compare.noResult')}
        </Quiet>
      )}
      {isOther && (
        <Banner kind="flag" role="alert">
          <strong>{text('compare.otherPatient')}</strong>
        </Banner>
      )}
      {shut.slice(0, 1).map(({ id, check }) => (
        <Guard key={id} id={id} check={check} masked={masked} onConfirm={confirm} />
      ))}
      {reads.some(({ isFetching, data }) => isFetching && data === undefined) && <Loading />}
      <ComparedTable columns={all} wasOf={correction.wasOf} onClose={onClose} />
    </section>
  );
}

function Guard(props: {
  readonly id: string;
  readonly check: IdentityCheck;
  readonly masked: boolean;
  readonly onConfirm: (id: string) => void;
}): ReactElement {
  const { id, check, masked, onConfirm } = props;
  const gate = useIdentityGate(check);
  const { isBlocked } = gate;
  useCopyGuard(gate);
  useEffect(() => {
    if (!isBlocked) onConfirm(id);
  }, [isBlocked, onConfirm, id]);
  return <IdentityBanner gate={gate} masked={masked} />;
}
