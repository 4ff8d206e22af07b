import { IdCard } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import type { ReactElement } from 'react';
import { dayOf, timeText } from '../../components/dates.tsx';
import { useIntl } from 'react-intl';
import type { Problem } from '../../../bridge/problem.ts';
import { Button } from '../../components/controls.tsx';
import { Icon } from '../../components/icon.tsx';
import { ProblemNote } from '../../components/problem.tsx';
import { useScanner } from '../../scanner/use-scanner.ts';
import { useLastAtDesk, useStatus } from '../../state/app-state.ts';
import { useText } from '../../text/text.tsx';
import styles from './gate.module.css';
import { StaffCards } from './staff-cards.tsx';
import { Unlock } from './unlock.tsx';
import { useBrowser } from './use-browser.ts';

/** Who is at this desk: a card and six digits open it again, for the same person or for the next. */
export function StaffLock({ onKey }: { onKey: () => void }): ReactElement {
  const text = useText();
  const { people, chosen, provider } = useStatus();
  const last = useLastAtDesk();
  const [badge, setBadge] = useState<Problem>();
  const [isBroken, setBroken] = useState(false);
  const browser = useBrowser();
  // Whoever was here last, unless somebody was picked: they most often come back.
  const picked = people.find(({ staffId }) => staffId === (chosen ?? last)) ?? onlyOne(people);
  const choose = (staffId: string): void => {
    setBadge(undefined);
    void window.caregate.switchTo({ staffId });
  };
  useCardKeys(
    people.map(({ staffId }) => staffId),
    picked?.staffId,
    choose,
  );
  useScanner({
    onScan: ({ code }) => {
      setBroken(false);
      void window.caregate.scanBadge({ badge: code }).then((outcome) => {
        setBadge(outcome.ok ? undefined : outcome.problem);
      });
    },
    onBroken: () => {
      setBroken(true);
    },
  });
  const signIn = provider === undefined ? onKey : browser.begin;
  const problem = badge ?? browser.problem;
  return (
    <div className={styles['locked']}>
      <h1 className={styles['unseen']}>{text('lock.title')}</h1>
      <Clock />
      <StaffCards people={people} picked={picked?.staffId} onPick={choose} />
      {isBroken && <p role="alert">{text('lock.badgeBroken')}</p>}
      {problem !== undefined && <ProblemNote problem={problem} />}
      {browser.waiting ? (
        <div role="status" className={styles['wait']}>
          <b>{text('browser.waiting')}</b>
          <p>{text('browser.waitingHelp', { provider: provider?.name ?? '' })}</p>
          <Button onPress={browser.cancel}>{text('state.cancel')}</Button>
        </div>
      ) : picked === undefined ? (
        <p className={styles['lead']}>{text('lock.chooseFirst')}</p>
      ) : (
        <Unlock key={picked.staffId} person={picked} onSignIn={signIn} />
      )}
      <div className={styles['badge']}>
        <Icon big of={IdCard} />
        <p>
          <b>{text('lock.badge')}</b>{' '}
          <span className={styles['lead']}>{text('lock.badgeHelp')}</span>
        </p>
        <Button kind="quiet" onPress={signIn}>
          {text('lock.someoneElse')}
        </Button>
      </div>
    </div>
  );
}

function onlyOne<T>(list: readonly T[]): T | undefined {
  return list.length === 1 ? list[0] : undefined;
}

/** Alt with the number of a card; arrows to the next one, wherever the focus is. */
function useCardKeys(
  ids: readonly string[],
  picked: string | undefined,
  choose: (staffId: string) => void,
): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const next = wanted(event, ids, ids.indexOf(picked ?? ''));
    if (next === undefined) return;
    event.preventDefault();
    choose(next);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      onKey(event);
    };
    window.addEventListener('keydown', listen);
    return () => {
      window.removeEventListener('keydown', listen);
    };
  }, []);
}

function wanted(event: KeyboardEvent, ids: readonly string[], at: number): string | undefined {
  const { key, code, altKey, ctrlKey, metaKey, target } = event;
  const digit = /^(?:Digit|Numpad)(?<digit>[1-9])$/u.exec(code)?.groups?.['digit'];
  if (altKey && digit !== undefined) return ids[Number(digit) - 1];
  if (altKey || ctrlKey || metaKey || target instanceof HTMLSelectElement) return undefined;
  const forward = document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
  const back = forward === 'ArrowLeft' ? 'ArrowRight' : 'ArrowLeft';
  if (key === forward) return ids[(at + 1) % ids.length];
  if (key === back) return ids[(Math.max(at, 0) - 1 + ids.length) % ids.length];
  return undefined;
}

/** The time of day, large enough to be read across a room. */
function Clock(): ReactElement {
  const intl = useIntl();
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(new Date());
    }, 1000);
    return () => {
      clearInterval(timer);
    };
  }, []);
  // Beside the computer's own clock another time wants its zone's name.
  const isElsewhere = minuteIn(intl.timeZone, now) !== minuteIn(undefined, now);
  return (
    <div className={styles['time']}>
      <time className={styles['clock']}>{timeText(intl, now)}</time>
      <p className={styles['lead']}>
        {intl.formatDate(now, { weekday: 'long' })} {dayOf(intl, now.toISOString())}
        {isElsewhere && ` · ${timeText(intl, now, { zone: true })}`}
      </p>
    </div>
  );
}

function minuteIn(timeZone: string | undefined, at: Date): string {
  const zone = timeZone !== undefined && { timeZone };
  return new Intl.DateTimeFormat('en', { ...zone, timeStyle: 'short' }).format(at);
}
