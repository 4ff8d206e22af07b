import { useEffect } from 'react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import { Button, Code } from '../components/controls.tsx';
import { dayText } from '../components/dates.tsx';
import { useMask } from '../components/mask.ts';
import { useCopy } from '../components/use-copy.ts';
import { useText } from '../text/text.tsx';
import { useDesk } from './desk.tsx';
import type { Person } from './desk.tsx';
import { end } from './measures.ts';
import { usePerson } from './use-person.ts';
import styles from './shell.module.css';

/** Whose data the screens show. It stays while the screens change. */
export function PatientBar(): ReactElement {
  const text = useText();
  const { person } = useDesk();
  return (
    <section aria-label={text('patient.label')} className={styles['patient']}>
      {person === undefined ? <span>{text('patient.none')}</span> : <Facts person={person} />}
    </section>
  );
}

function Facts({ person }: { person: Person }): ReactElement {
  const text = useText();
  const { masked, toggleMask, close } = useDesk();
  const mask = useMask();
  const { mayShow } = usePerson(person);
  const { value: user } = person;
  const birth = user.fallback_birth_date;
  useEffect(() => {
    end('open');
  }, [person]);
  if (!mayShow) {
    return (
      <>
        <Code>{mask(user.user_id.slice(0, 8))}</Code>
        <span className={styles['gap']} />
        <Button onPress={close}>{text('patient.close')}</Button>
      </>
    );
  }
  return (
    <>
      <strong>
        <Code>{mask(user.client_user_id)}</Code>
      </strong>
      <Code>{mask(user.user_id.slice(0, 8))}</Code>
      <span>
        {birth ? (
          <Birth date={birth.value} source={birth.source_slug} />
        ) : (
          text('patient.noBirthDate')
        )}
      </span>
      <Code>{user.fallback_time_zone.id}</Code>
      <span>{text('patient.sources', { count: user.connected_sources.length })}</span>
      <span className={styles['actions']}>
        <Copy value={user.client_user_id} />
        <Button onPress={toggleMask}>{text(masked ? 'patient.unmask' : 'patient.mask')}</Button>
        <Button onPress={close}>{text('patient.close')}</Button>
      </span>
    </>
  );
}

function Birth({ date, source }: { date: string; source: string }): ReactElement {
  const text = useText();
  const mask = useMask();
  const intl = useIntl();
  const shown = mask(dayText(intl, date) ?? date);
  return <>{text('patient.birthDate', { date: shown, source })}</>;
}

function Copy({ value }: { value: string }): ReactElement {
  const text = useText();
  const { said, copy } = useCopy(value);
  return (
    <Button onPress={copy}>
      <span aria-live="polite">{text(said ?? 'patient.copy')}</span>
    </Button>
  );
}
