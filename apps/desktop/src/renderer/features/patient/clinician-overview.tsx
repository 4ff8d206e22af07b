import type { ReactElement } from 'react';
import { Button, KeyCap } from '../../ui/controls.tsx';
import { Day } from '../../ui/values/dates.tsx';
import { Quiet } from '../../ui/layout.tsx';
import { OrderCourse } from '../labs/orders/awaited-order.tsx';
import { StateChip } from '../labs/orders/order-state.tsx';
import { formatKeys } from '../../app/keyboard.ts';
import { useAutoFocus, useNavigation } from '../../app/navigation.tsx';
import { hasResults, readOrderState } from '../labs/order-facts.ts';
import { useBirthDates, useIdentity } from './identity.ts';
import type { Person } from './person.ts';
import { useSelection } from '../../app/selection.tsx';
import { useText } from '../../i18n/text.tsx';
import { ContactPart } from './contact.tsx';
import { Mindfulness } from './mindfulness.tsx';
import { getOrdersNote, Part } from './part.tsx';
import type { ViewProps } from './part.tsx';
import { Policies } from './policy.tsx';
import { EarlierReports, LatestResults } from './reports.tsx';
import type { OverviewReads } from './use-overview.ts';
import styles from './overview.module.css';

const earlierShown = 3;

/** For clinicians: the latest results first, contact and insurance beside them. */
export function ClinicianOverview({ person, overview, failure }: ViewProps): ReactElement {
  const { may, days, info, primary, secondary, panels } = overview;
  const text = useText();
  return (
    <div className={`bleed ${styles['overview'] ?? ''}`}>
      <div className={styles['main']}>
        {failure}
        {may.labs && <Labs person={person} overview={overview} />}
        {may.mindfulness && panels.data !== undefined && (
          <Mindfulness person={person} days={days} panels={panels.data.value} />
        )}
      </div>
      <aside className={styles['aside']} aria-label={text('overview.beside')}>
        <ContactPart info={info} mayLook={may.info} />
        {may.insurance && <Policies primary={primary} secondary={secondary} />}
      </aside>
    </div>
  );
}

function Labs(props: { readonly person: Person; readonly overview: OverviewReads }): ReactElement {
  const { person, overview } = props;
  const { orders, listed, latest, report, history, primary } = overview;
  const text = useText();
  const { go } = useNavigation();
  const { openOrder } = useSelection();
  const next = useAutoFocus<HTMLButtonElement>();
  const { name, isPending } = useIdentity(person);
  const { birthDates } = useBirthDates(person);
  const awaited = listed.find((order) => readOrderState(order).kind === 'awaited');
  const earlier = listed.filter((order) => order !== latest && hasResults(order));
  const result = report.data?.value;
  const { date_collected: collected, laboratory } = result?.metadata ?? {};
  return (
    <>
      <Part
        title={text('overview.latest')}
        about={
          latest !== undefined && (
            <>
              {laboratory && <bdi>{laboratory}</bdi>}
              {collected && (
                <span>
                  {text('labs.collected')} <Day date={collected} />
                </span>
              )}
              {readOrderState(latest).kind !== 'final' && <StateChip order={latest} />}
            </>
          )
        }
        action={
          <Button
            ref={next}
            onPress={() => {
              go('labs');
            }}
          >
            {text(
              orders.orders !== undefined && latest === undefined
                ? 'screen.labs'
                : 'person.latestReport',
            )}
            <KeyCap isSilent keys={formatKeys('screen', 2)} />
          </Button>
        }
      >
        {result !== undefined && !isPending && (
          <LatestResults
            result={result}
            birthDates={birthDates}
            insurance={primary.data?.value}
            name={name}
            history={history?.data?.value}
          />
        )}
        {latest === undefined && !orders.isFetching && (
          <Quiet as="p" size="row13">
            {text(getOrdersNote(orders))}
          </Quiet>
        )}
      </Part>
      {awaited !== undefined && (
        <Part
          title={text('result.next')}
          about={<bdi>{awaited.lab_test?.name}</bdi>}
          action={
            <Button
              kind="quiet"
              onPress={() => {
                openOrder(awaited.id);
              }}
            >
              {text('overview.openOrder')}
            </Button>
          }
        >
          <OrderCourse
            isWide
            status={awaited.last_event?.status ?? awaited.status ?? ''}
            order={awaited}
          />
        </Part>
      )}
      {earlier.length > 0 && (
        <Part
          title={text('grid.more')}
          action={
            <Button
              kind="quiet"
              onPress={() => {
                go('labs');
              }}
            >
              {text('overview.all', { count: orders.total ?? listed.length })}
            </Button>
          }
        >
          <EarlierReports orders={earlier.slice(0, earlierShown)} onOpen={openOrder} />
        </Part>
      )}
    </>
  );
}
