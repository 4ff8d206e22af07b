import type { ReactNode } from 'react';
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
import { useOrderDay } from '../labs/orders/order-state.tsx';
import { useOrders } from '../labs/use-orders.ts';
import { useInsurance } from '../insurance/use-insurance.ts';
import { useText } from '../../i18n/text.tsx';
import styles from './search.module.css';

/** Shows what distinguishes a found patient from others. */
export function CheckFacts(props: {
  readonly one: FoundPerson;
  /** Whether others have the same or a similar name. If so, insurance and orders are shown too. */
  readonly isSimilar: boolean;
}) {
  const { one, isSimilar } = props;
  const text = useText();
  const intl = useIntl();
  const mask = useMask();
  const formatAge = useFormatAge();
  const { birth_date: born, client_user_id: clientUserId, phone, town } = one;
  const none = <Quiet>{text('value.none')}</Quiet>;
  return (
    <>
      <div>
        <Quiet size="meta">{text('patient.born')}</Quiet>
        <p>
          {born ? <b className={styles['dob']}>{mask(formatDate(intl, born))}</b> : none}{' '}
          {born && <Quiet>{mask(formatAge(born))}</Quiet>}
        </p>
      </div>
      <Facts className={styles['facts']}>
        <Fact label={text('patient.clientId')}>
          {clientUserId ? <Code>{mask(clientUserId)}</Code> : none}
        </Fact>
        <Fact label={text('person.phone')}>
          {phone ? <bdi dir="ltr">{mask(formatPhone(phone))}</bdi> : none}
        </Fact>
        <Fact label={text('find.town')}>{town ? <bdi>{mask(town)}</bdi> : none}</Fact>
        {isSimilar && <ReadFacts userId={one.user_id} />}
      </Facts>
    </>
  );
}

/** Reads insurance and orders once a patient has been selected for a second, since each read is recorded in the audit log. */
function ReadFacts({ userId }: { readonly userId: string }) {
  const text = useText();
  const mask = useMask();
  const isAtRest = useAfter(1000);
  const maySeeInsurance = useMayAsk('latestInsurance') === 'yes';
  const maySeeOrders = useMayAsk('listOrders') === 'yes';
  const insurance = useInsurance(userId, 'primary', { isWanted: maySeeInsurance && isAtRest });
  const { orders, problem, isMissing } = useOrders(maySeeOrders && isAtRest ? userId : undefined);
  const isUninsured = insurance.problem?.missing === 'insurance';
  return (
    <>
      {maySeeInsurance && (
        <Fact label={text('screen.insurance')}>
          <Answer problem={isUninsured ? undefined : insurance.problem} isNone={isUninsured}>
            {insurance.data && <Code>{mask(insurance.data.value.payor_code)}</Code>}
          </Answer>
        </Fact>
      )}
      {maySeeOrders && !isMissing && (
        <Fact label={text('labs.title')}>
          <Answer problem={problem} isNone={orders?.length === 0}>
            {orders && <ReportAndPending orders={orders} />}
          </Answer>
        </Fact>
      )}
    </>
  );
}

function ReportAndPending({ orders }: { readonly orders: readonly Order[] }) {
  const text = useText();
  const orderDay = useOrderDay();
  const latest = findLatestWithResults(orders);
  const pending = orders.filter((order) => readOrderState(order).kind === 'awaited').length;
  return (
    <>
      {latest === undefined ? text('find.noReport') : orderDay(latest)}
      {pending > 0 && `, ${text('overview.pending', { count: pending })}`}
    </>
  );
}

function Answer(props: {
  readonly problem: Problem | undefined;
  readonly isNone: boolean;
  readonly children: ReactNode;
}) {
  const { problem, isNone, children } = props;
  const text = useText();
  const formatProblem = useFormatProblem();
  if (isNone) return <Quiet>{text('find.noneKnown')}</Quiet>;
  if (problem !== undefined) return <Quiet>{formatProblem(problem)}</Quiet>;
  return <>{children ?? <Quiet>{text('state.loading')}</Quiet>}</>;
}
