import { FlaskConical } from 'lucide-react';
import type { ReactElement } from 'react';
import { Button, KeyCap } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Quiet, Row, Stack } from '../../ui/layout.tsx';
import { StateChip, useOrderDay } from '../labs/orders/order-state.tsx';
import { formatKeys } from '../../app/keyboard.ts';
import { useAutoFocus, useNavigation } from '../../app/navigation.tsx';
import { readOrderState } from '../labs/order-facts.ts';
import { useText } from '../../i18n/text.tsx';
import { ContactPart } from './contact.tsx';
import { Mindfulness } from './mindfulness.tsx';
import { getOrdersNote, Part } from './part.tsx';
import type { ViewProps } from './part.tsx';
import { Policies } from './policy.tsx';
import type { OverviewReads } from './use-overview.ts';
import styles from './overview.module.css';

/** For the front desk and billing: contact and insurance first, the state of the labs in one line, no values. */
export function DeskOverview({ person, overview, failure }: ViewProps): ReactElement {
  const { may, info, primary, secondary, panels, days } = overview;
  const text = useText();
  const { go } = useNavigation();
  const next = useAutoFocus<HTMLButtonElement>();
  return (
    <div className={styles['desk']}>
      {failure}
      <div className={styles['cards']}>
        <Stack className={styles['card']}>
          <ContactPart info={info} mayLook={may.info} />
        </Stack>
        {may.insurance && (
          <Stack className={styles['card']}>
            <Part
              title={text('screen.insurance')}
              action={
                <Button
                  kind="quiet"
                  ref={next}
                  onPress={() => {
                    go('insurance');
                  }}
                >
                  {text('find.openInsurance')}
                  <KeyCap isSilent keys={formatKeys('screen', 3)} />
                </Button>
              }
            >
              <Policies primary={primary} secondary={secondary} />
            </Part>
          </Stack>
        )}
      </div>
      {may.labs && <ResultsLine overview={overview} />}
      {may.mindfulness && panels.data !== undefined && (
        <div className={styles['card']}>
          <Mindfulness person={person} days={days} panels={panels.data.value} />
        </div>
      )}
    </div>
  );
}

function ResultsLine({ overview }: { readonly overview: OverviewReads }): ReactElement {
  const { orders, listed, latest } = overview;
  const text = useText();
  const { go } = useNavigation();
  const orderDay = useOrderDay();
  const pending = listed.filter((order) => readOrderState(order).kind === 'awaited').length;
  const title = text('labs.results');
  return (
    <Row as="section" aria-label={title} gap="gap3" className={styles['card']}>
      <Icon big of={FlaskConical} />
      <h2 className={styles['lineTitle']}>{title}</h2>
      <Row as="span" className="grow row13">
        {latest === undefined ? (
          !orders.isFetching && <Quiet>{text(getOrdersNote(orders))}</Quiet>
        ) : (
          <>
            <span>{text('overview.latestOn', { day: orderDay(latest) })}</span>
            <StateChip order={latest} />
          </>
        )}
        {pending > 0 && <span>{text('overview.pending', { count: pending })}</span>}
      </Row>
      <Button
        onPress={() => {
          go('labs');
        }}
      >
        {text('person.labs')}
        <KeyCap isSilent keys={formatKeys('screen', 2)} />
      </Button>
    </Row>
  );
}
