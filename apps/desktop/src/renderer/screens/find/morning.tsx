import { Clock, Siren } from 'lucide-react';
import { useRef } from 'react';
import type { KeyboardEvent, ReactElement, ReactNode, Ref, RefObject } from 'react';
import { useIntl } from 'react-intl';
import { KeyCap } from '../../components/controls.tsx';
import { dayText, timeText } from '../../components/values/dates.tsx';
import { Entry } from '../../components/entry.tsx';
import { Icon } from '../../components/icon.tsx';
import { Quiet } from '../../components/layout.tsx';
import { RecentEntry } from '../../components/day/recent-entry.tsx';
import { Chip } from '../../components/surfaces.tsx';
import { TodayList, todayRow } from '../../components/day/today-list.tsx';
import type { TodayPerson } from '../../../bridge/app-state.ts';
import { useSettings, useStatus } from '../../state/app-state.ts';
import { useNow } from '../../state/hooks.ts';
import { useLookUp } from '../../state/look-up.tsx';
import { hidden, useMask, useMasked } from '../../state/mask.tsx';
import { useMayAsk } from '../../state/me.tsx';
import { useOrders } from '../../state/orders/use-orders.ts';
import { useToday } from '../../state/people/today.tsx';
import { useRecents } from '../../state/recents.tsx';
import { useText } from '../../text/text.tsx';
import type { MessageKey } from '../../text/text.tsx';
import { Results } from './results.tsx';
import styles from './find.module.css';

export function Morning(props: {
  readonly listRef: Ref<HTMLElement>;
  readonly onField: () => void;
}): ReactElement {
  const { listRef, onField } = props;
  const aside = useRef<HTMLElement>(null);
  return (
    <div className={`${styles['split'] ?? ''} ${styles['morning'] ?? ''}`}>
      <TodayList
        listRef={listRef}
        onLeave={(to) => {
          if (to === 'up') onField();
          else aside.current?.querySelector('button')?.focus();
        }}
      />
      <Waiting asideRef={aside} />
    </div>
  );
}

function Waiting({ asideRef }: { asideRef: RefObject<HTMLElement | null> }): ReactElement {
  const text = useText();
  const { people } = useToday();
  const { people: recent } = useRecents();
  const { hideRecentNames } = useSettings();
  const masked = useMasked();
  const here = people
    .filter(({ state }) => state === 'arrived')
    .toSorted((one, other) => ((one.arrivedAt ?? '') < (other.arrivedAt ?? '') ? -1 : 1));
  const onKey = (event: KeyboardEvent): void => {
    const entries = [...(asideRef.current?.querySelectorAll('button') ?? [])];
    const at = entries.findIndex((one) => one === event.target);
    const back = document.documentElement.dir === 'rtl' ? 'ArrowRight' : 'ArrowLeft';
    if (event.key === 'ArrowDown') entries[at + 1]?.focus();
    else if (event.key === 'ArrowUp') entries[at - 1]?.focus();
    else if (event.key === back)
      asideRef.current?.parentElement?.querySelector<HTMLElement>(todayRow)?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <aside
      ref={asideRef}
      aria-label={text('waiting.title')}
      className={`stack one ${styles['beside'] ?? ''} ${styles['aside'] ?? ''}`}
      onKeyDownCapture={onKey}
    >
      {here.length > 0 && (
        <Part of="waiting.title" beside={<Quiet size="meta">{text('waiting.here')}</Quiet>}>
          {here.map((one) => (
            <Here key={one.userId} one={one} place={people.indexOf(one)} />
          ))}
        </Part>
      )}
      <EmergencyPart />
      {recent.length > 0 && (
        <Part of="recents.lastOpened" beside={<KeyCap isSilent keys="Ctrl Tab" />}>
          {recent.map((one, place) => (
            <li key={one.userId}>
              <RecentEntry isWide one={one} place={place + 1} />
            </li>
          ))}
          {hideRecentNames && !masked && (
            <li>
              <Quiet size="meta">{text('recents.onPointer')}</Quiet>
            </li>
          )}
        </Part>
      )}
    </aside>
  );
}

function Part(props: {
  readonly of: MessageKey;
  readonly beside: ReactNode;
  readonly children: ReactNode;
}): ReactElement {
  const { of, beside, children } = props;
  const text = useText();
  return (
    <section className={`stack one ${styles['part'] ?? ''}`}>
      <div className="row between tight">
        <h2 className="head">{text(of)}</h2>
        {beside}
      </div>
      <ul>{children}</ul>
    </section>
  );
}

/** Longer than somebody waits; each reading is recorded. */
const whileWaitingMs = 15 * 60_000;

function Here({ one, place }: { one: TodayPerson; place: number }): ReactElement {
  const { userId, clientUserId, name, birthDate, arrivedAt } = one;
  const text = useText();
  const intl = useIntl();
  const mask = useMask();
  const masked = useMasked();
  const { lookUp } = useLookUp();
  const mayAsk = useMayAsk('listOrders') === 'yes';
  const { orders } = useOrders(mayAsk ? userId : undefined, whileWaitingMs);
  return (
    <li>
      <Entry
        className={styles['here']}
        onPress={() => {
          lookUp(clientUserId);
        }}
      >
        <span className="stack wrap narrow grow">
          <span className="row between tight">
            <span>
              <b>
                <bdi>{masked ? `${hidden} ${String(place + 1)}` : (name ?? clientUserId)}</bdi>
              </b>{' '}
              {birthDate !== undefined && <Quiet>{mask(dayText(intl, birthDate))}</Quiet>}
            </span>
            {arrivedAt !== undefined && (
              <b className="meta numbers">
                {text('waiting.since', { time: timeText(intl, arrivedAt) })}
              </b>
            )}
          </span>
          {orders !== undefined && orders.length > 0 && (
            <span className="meta stack one">
              <Results orders={orders} />
            </span>
          )}
        </span>
      </Entry>
    </li>
  );
}

function EmergencyPart(): ReactElement | null {
  const text = useText();
  const mask = useMask();
  const now = useNow();
  const { emergency } = useStatus();
  const { people } = useRecents();
  const { lookUp } = useLookUp();
  const one = people.find(({ userId }) => userId === emergency?.userId);
  if (emergency === undefined || one === undefined) return null;
  const left = Math.ceil((Date.parse(emergency.expiresAt) - now.getTime()) / 60_000);
  return (
    <Part of="waiting.emergency" beside={<Quiet size="meta">{text('waiting.endsSoon')}</Quiet>}>
      <li>
        <Entry
          className={styles['here']}
          onPress={() => {
            lookUp(one.clientUserId);
          }}
        >
          <Icon of={Siren} />
          <span className="wrap grow">
            <b>
              <bdi>{mask(one.name ?? one.clientUserId)}</bdi>
            </b>
          </span>
          <Chip kind="notice" icon={Clock}>
            {text('waiting.left', { minutes: Math.max(0, left) })}
          </Chip>
        </Entry>
      </li>
    </Part>
  );
}
