import { Clock, Table } from 'lucide-react';
import type { ReactNode } from 'react';
import { useIntl } from 'react-intl';
import type { Order } from '@caregate/domain';
import { Button, KeyCap } from '../../ui/controls.tsx';
import { Entry } from '../../ui/entry.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Quiet } from '../../ui/layout.tsx';
import { formatDate, formatDay } from '../../ui/values/dates.tsx';
import { formatKeys } from '../../app/keyboard.ts';
import { useAutoFocus, useNavigation } from '../../app/navigation.tsx';
import { useSelection } from '../../app/selection.tsx';
import { useText } from '../../i18n/text.tsx';
import { hasResults, readCourse, readOrderState } from '../labs/order-facts.ts';
import { Findings, StateChip, useOrderDay } from '../labs/orders/order-state.tsx';
import { ContactPart } from './contact.tsx';
import { useBirthDates, useIdentity } from './identity.ts';
import { LatestResults } from './latest-results.tsx';
import { Mindfulness } from './mindfulness.tsx';
import { getOrdersNote, OpenInsurance, Part, type ViewProps } from './part.tsx';
import { Policies } from './policy.tsx';
import styles from './overview.module.css';

const earlierShown = 3;

/** The Overview of clinicians: the latest results first, with contact details and insurance beside them. */
export function ClinicianOverview({ person, overview, failure }: ViewProps) {
  const { may, days, mindfulness } = overview;
  const text = useText();
  return (
    <div className={`bleed ${styles['overview'] ?? ''}`}>
      <div className={styles['main']}>
        {failure}
        {may.labs && <Labs person={person} overview={overview} />}
        {may.mindfulness && mindfulness.data !== undefined && (
          <Mindfulness person={person} days={days} sources={mindfulness.data.value} />
        )}
      </div>
      <aside className={styles['aside']} aria-label={text('overview.beside')}>
        <ContactPart overview={overview} />
        {may.insurance && (
          <>
            <Policies overview={overview} />
            <div className={styles['part']}>
              <OpenInsurance />
            </div>
          </>
        )}
      </aside>
    </div>
  );
}

function Labs({ person, overview }: Pick<ViewProps, 'person' | 'overview'>) {
  const { orders, listed, latest } = overview;
  const text = useText();
  const { go } = useNavigation();
  const { openOverTime } = useSelection();
  const next = useAutoFocus<HTMLButtonElement>();
  const isNone = orders.orders !== undefined && latest === undefined;
  const pending = listed.filter((order) => readOrderState(order).kind === 'awaited');
  const earlier = listed.filter((order) => order !== latest && hasResults(order));
  return (
    <>
      <Part
        title={text('overview.latest')}
        about={<ReportFacts overview={overview} />}
        action={
          <Button ref={next} onPress={() => go('labs')}>
            {text(isNone ? 'screen.labs' : 'person.latestReport')}
            <KeyCap isSilent keys={formatKeys('screen', 2)} />
          </Button>
        }
      >
        <Results person={person} overview={overview} />
        {latest === undefined && !orders.isFetching && (
          <Quiet as="p" size="row13">
            {text(getOrdersNote(orders))}
          </Quiet>
        )}
      </Part>
      {pending.length > 0 && (
        <Part
          title={text('overview.pendingOrders')}
          about={text('overview.orders', { count: pending.length })}
        >
          <ul>
            {pending.map((order, place) => (
              <OrderLine key={`${order.id} ${String(place)}`} order={order}>
                <Icon of={Clock} />
                <bdi>{order.lab_test?.name ?? order.id}</bdi>
                <Course order={order} />
              </OrderLine>
            ))}
          </ul>
        </Part>
      )}
      {earlier.length > 0 && (
        <Part
          title={text('grid.more')}
          action={
            <Button kind="quiet" onPress={openOverTime}>
              <Icon of={Table} />
              {text('labs.view.overTime')}
            </Button>
          }
        >
          <EarlierReports orders={earlier.slice(0, earlierShown)} />
        </Part>
      )}
    </>
  );
}

function ReportFacts({ overview }: Pick<ViewProps, 'overview'>) {
  const { latest, report, findEarlier } = overview;
  const text = useText();
  const intl = useIntl();
  const { date_collected: collected, laboratory } = report.data?.value.metadata ?? {};
  const [previous] = (report.data?.value.results ?? [])
    .flatMap((one) => findEarlier(one)[0]?.date ?? [])
    .toSorted()
    .reverse();
  const day = collected && formatDate(intl, collected);
  return (
    <>
      {laboratory && <bdi>{laboratory}</bdi>}
      {day && (
        <span>
          {previous === undefined
            ? text('orders.collectedOn', { day })
            : text('overview.collected', { day, previous: formatDate(intl, previous) })}
        </span>
      )}
      {latest !== undefined && readOrderState(latest).kind !== 'final' && (
        <StateChip order={latest} />
      )}
    </>
  );
}

function Results({ person, overview }: Pick<ViewProps, 'person' | 'overview'>) {
  const { report, primary, findEarlier } = overview;
  const { name, isPending } = useIdentity(person);
  const { birthDates } = useBirthDates(person);
  return (
    report.data !== undefined &&
    !isPending && (
      <LatestResults
        result={report.data.value}
        birthDates={birthDates}
        insurance={primary.data?.value}
        name={name}
        findEarlier={findEarlier}
      />
    )
  );
}

function EarlierReports({ orders }: { readonly orders: readonly Order[] }) {
  const formatOrderDay = useOrderDay();
  return (
    <ul>
      {orders.map((order, place) => (
        <OrderLine key={`${order.id} ${String(place)}`} order={order}>
          <b>{formatOrderDay(order)}</b>
          <Findings order={order} />
          <StateChip order={order} />
        </OrderLine>
      ))}
    </ul>
  );
}

function OrderLine(props: { readonly order: Order; readonly children: ReactNode }) {
  const { order, children } = props;
  const { openOrder } = useSelection();
  return (
    <li>
      <Entry className={styles['order']} onPress={() => openOrder(order.id)}>
        {children}
      </Entry>
    </li>
  );
}

/** Shows the progress of a pending order and its date. */
function Course({ order }: { readonly order: Order }) {
  const text = useText();
  const intl = useIntl();
  const events = order.events ?? (order.last_event ? [order.last_event] : []);
  const course = readCourse(order.last_event?.status ?? order.status ?? '');
  if (course === 'heldUp') return <b>{text('awaited.heldUp')}</b>;
  const isSent = course === 'collected' || course === 'laboratory';
  const reached = events.find(({ status }) => readCourse(status) === course)?.created_at;
  const at = isSent ? reached : order.created_at;
  if (!at) return <StateChip order={order} />;
  const day = formatDay(intl, at);
  return <Quiet>{text(`overview.course.${isSent ? course : 'ordered'}`, { day })}</Quiet>;
}
