import type { ReactElement, ReactNode } from 'react';
import { useIntl } from 'react-intl';
import type { FoundPerson, Order } from '@caregate/domain';
import type { Problem } from '../../../shared/problem.ts';
import { useFormatAge } from '../../ui/values/age.ts';
import { Code } from '../../ui/controls.tsx';
import { formatDate } from '../../ui/values/dates.tsx';
import { Quiet } from '../../ui/layout.tsx';
import { formatPhone } from '../../ui/values/phone.ts';
import { useFormatProblem } from '../../ui/problem.tsx';
import { Fact, Facts } from '../../ui/surfaces.tsx';
import { useAfter } from '../../ui/hooks.ts';
import { useMask } from '../../app/mask.tsx';
import { useMayAsk } from '../../app/me.tsx';
import { findLatestWithResults, readOrderState } from '../labs/order-facts.ts';
import { StateChip, useOrderDay } from '../labs/orders/order-state.tsx';
import { useOrders } from '../labs/use-orders.ts';
import { useInsurance } from '../insurance/use-insurance.ts';
import { useText } from '../../i18n/text.tsx';
import { useFormatWord } from './found-list.tsx';
import styles from './search.module.css';

/** What tells a found patient from others. */
export function CheckFacts(props: {
  readonly one: FoundPerson;
  /** Whether others have the same name or nearly: insurance and orders tell them apart. */
  readonly isSimilar: boolean;
}): ReactElement {
  const { one, isSimilar } = props;
  const text = useText();
  const intl = useIntl();
  const mask = useMask();
  const formatAge = useFormatAge();
  const formatWord = useFormatWord();
  // What the service then reads is recorded as seen, so it is read for a patient chosen for a second.
  const isAtRest = useAfter(1000);
  const { birth_date: born, client_user_id: clientUserId, last_seen: lastSeen, phone, town } = one;
  const { name_source: nameSource, name_as_of: asOf } = one;
  const age = born ? formatAge(born) : undefined;
  const renderOrNone = (value: ReactNode): ReactNode =>
    value || <Quiet>{text('value.none')}</Quiet>;
  return (
    <Facts className={styles['facts']}>
      <Fact label={text('patient.born')}>
        {renderOrNone(
          born && (
            <>
              <b className={styles['dob']}>{mask(formatDate(intl, born))}</b>{' '}
              {age !== undefined && mask(age)}
            </>
          ),
        )}
      </Fact>
      <Fact label={text('patient.clientId')}>
        {renderOrNone(clientUserId && <Code>{mask(clientUserId)}</Code>)}
      </Fact>
      <Fact label={text('person.phone')}>
        {renderOrNone(phone && <bdi dir="ltr">{mask(formatPhone(phone))}</bdi>)}
      </Fact>
      <Fact label={text('find.town')}>{renderOrNone(town && <bdi>{mask(town)}</bdi>)}</Fact>
      {isSimilar && <InsuranceFact userId={one.user_id} isAtRest={isAtRest} />}
      {isSimilar && <ResultsFact userId={one.user_id} isAtRest={isAtRest} />}
      <Fact label={text('find.nameSource')}>
        {renderOrNone(
          nameSource && (
            <>
              {formatWord('source', nameSource)}{' '}
              {asOf && <Quiet size="meta">{formatDate(intl, asOf)}</Quiet>}
            </>
          ),
        )}
      </Fact>
      <Fact label={text('column.lastSeen')}>
        {lastSeen ? formatDate(intl, lastSeen) : text('find.neverSeen')}
      </Fact>
    </Facts>
  );
}

interface ReadFact {
  readonly userId: string;
  readonly isAtRest: boolean;
}

function InsuranceFact({ userId, isAtRest }: ReadFact): ReactElement | null {
  const text = useText();
  const mask = useMask();
  const mayAsk = useMayAsk('latestInsurance') === 'yes';
  const { data, problem } = useInsurance(userId, 'primary', { isWanted: mayAsk && isAtRest });
  if (!mayAsk) return null;
  return (
    <Fact label={text('screen.insurance')}>
      {data === undefined ? (
        <Unread problem={problem} isNone={problem?.missing === 'insurance'} isAtRest={isAtRest} />
      ) : (
        <>
          <Code>{mask(data.value.payor_code)}</Code>{' '}
          <Quiet size="meta">
            {text('find.endsIn', { end: mask(data.value.member_id.slice(-4)) })}
          </Quiet>
        </>
      )}
    </Fact>
  );
}

function ResultsFact({ userId, isAtRest }: ReadFact): ReactElement | null {
  const text = useText();
  const mayAsk = useMayAsk('listOrders') === 'yes';
  const { orders, problem, isMissing } = useOrders(mayAsk && isAtRest ? userId : undefined);
  if (!mayAsk || isMissing) return null;
  return (
    <Fact label={text('labs.title')}>
      <span role="status" className="stack gap1 narrow">
        {orders === undefined || orders.length === 0 ? (
          <Unread problem={problem} isNone={orders !== undefined} isAtRest={isAtRest} />
        ) : (
          <ReportAndPending orders={orders} />
        )}
      </span>
    </Fact>
  );
}

function ReportAndPending({ orders }: { readonly orders: readonly Order[] }): ReactElement {
  const text = useText();
  const orderDay = useOrderDay();
  const latest = findLatestWithResults(orders);
  const pending = orders.filter((order) => readOrderState(order).kind === 'awaited').length;
  return (
    <>
      {latest === undefined ? (
        <Quiet>{text('find.noReport')}</Quiet>
      ) : (
        <span>
          {orderDay(latest)} <StateChip order={latest} />
        </span>
      )}
      {pending > 0 && <span>{text('overview.pending', { count: pending })}</span>}
    </>
  );
}

function Unread(props: {
  readonly problem: Problem | undefined;
  readonly isNone: boolean;
  readonly isAtRest: boolean;
}): ReactElement {
  const { problem, isNone, isAtRest } = props;
  const text = useText();
  const formatProblem = useFormatProblem();
  if (isNone) return <Quiet>{text('find.noneKnown')}</Quiet>;
  if (problem !== undefined) return <Quiet>{formatProblem(problem)}</Quiet>;
  return <Quiet>{isAtRest ? text('state.loading') : '…'}</Quiet>;
}
