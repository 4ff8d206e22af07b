import { FlaskConical } from 'lucide-react';
import { useIntl } from 'react-intl';
import { Button, KeyCap } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Quiet, Row } from '../../ui/layout.tsx';
import { formatDay } from '../../ui/values/dates.tsx';
import { formatKeys } from '../../app/keyboard.ts';
import { useAutoFocus, useNavigation } from '../../app/navigation.tsx';
import { useText } from '../../i18n/text.tsx';
import { hasResults, readOrderState } from '../labs/order-facts.ts';
import { StateChip } from '../labs/orders/order-state.tsx';
import { ContactPart } from './contact.tsx';
import { Mindfulness } from './mindfulness.tsx';
import { getOrdersNote, OpenInsurance, Part, type ViewProps } from './part.tsx';
import { Policies } from './policy.tsx';
import styles from './overview.module.css';

/**
 * The Overview of the front desk and billing: contact details and insurance first, then one line about lab reports,
 * without values.
 */
export function DeskOverview({ person, overview, failure }: ViewProps) {
  const { may, days, mindfulness } = overview;
  const text = useText();
  const next = useAutoFocus<HTMLButtonElement>();
  return (
    <div className={styles['desk']}>
      {failure}
      <div className={styles['cards']}>
        <div className={styles['card']}>
          <ContactPart overview={overview} />
        </div>
        {may.insurance && (
          <div className={styles['card']}>
            <Part title={text('screen.insurance')} action={<OpenInsurance ref={next} />}>
              <Policies overview={overview} />
            </Part>
          </div>
        )}
      </div>
      {may.labs && <ResultsLine overview={overview} />}
      {may.mindfulness && mindfulness.data !== undefined && (
        <div className={styles['card']}>
          <Mindfulness person={person} days={days} sources={mindfulness.data.value} />
        </div>
      )}
    </div>
  );
}

const newMs = 30 * 86_400_000;

function ResultsLine({ overview }: Pick<ViewProps, 'overview'>) {
  const { orders, listed, latest } = overview;
  const text = useText();
  const intl = useIntl();
  const { go } = useNavigation();
  const title = text('labs.results');
  const pending = listed.filter((order) => readOrderState(order).kind === 'awaited').length;
  const oldest = Date.now() - newMs;
  const fresh = listed.filter(
    (order) => hasResults(order) && Date.parse(order.last_event?.created_at ?? '') >= oldest,
  );
  const reportedAt = latest?.last_event?.created_at;
  return (
    <Row as="section" aria-label={title} gap="gap3" className={styles['card']}>
      <Icon big of={FlaskConical} />
      <Row as="span" gap="gap3" className="grow body">
        <span>
          <b>{title}:</b>{' '}
          {latest !== undefined &&
            intl.formatList(
              [
                text('overview.newReports', { count: fresh.length }),
                ...(pending > 0 ? [text('overview.pending', { count: pending })] : []),
              ],
              { type: 'unit' },
            )}
        </span>
        {latest === undefined
          ? !orders.isFetching && <Quiet size="row13">{text(getOrdersNote(orders))}</Quiet>
          : reportedAt && (
              <Quiet size="meta">
                {text('overview.reported', { day: formatDay(intl, reportedAt) })}
              </Quiet>
            )}
        {latest !== undefined && readOrderState(latest).kind !== 'final' && (
          <StateChip order={latest} />
        )}
      </Row>
      <Button onPress={() => go('labs')}>
        {text('find.openLabs')}
        <KeyCap isSilent keys={formatKeys('screen', 2)} />
      </Button>
    </Row>
  );
}
