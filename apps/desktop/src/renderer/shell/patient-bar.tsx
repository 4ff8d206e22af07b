import { useEffect } from 'react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import { Button, Code } from '../components/controls.tsx';
import { dayText } from '../components/dates.tsx';
import { useCopy } from '../state/clipboard.ts';
import { useMask, useMasked, useToggleMask } from '../state/mask.tsx';
import { endMeasure } from '../state/performance.ts';
import { usePersonQuery } from '../state/person.ts';
import type { Person } from '../state/person.ts';
import { usePerson } from '../state/selection.tsx';
import { useText } from '../text/text.tsx';
import styles from './shell.module.css';

/** Whose data the screens show. It stays while the screens change. */
export function PatientBar(): ReactElement {
  const text = useText();
  const { person } = usePerson();
  return (
    <section aria-label={text('patient.label')} className={styles['patient']}>
      {person === undefined ? <span>{text('patient.none')}</span> : <Facts person={person} />}
    </section>
  );
}

function Facts({ person }: { person: Person }): ReactElement {
  const text = useText();
  const { close } = usePerson();
  const masked = useMasked();
  const toggleMask = useToggleMask();
  const mask = useMask();
  const { mayShow } = usePersonQuery(person);
  const { value: user } = person;
  const birth = user.fallback_birth_date;
  useEffect(() => {
    endMeasure('open');
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
  const { message, copy } = useCopy(value);
  return (
    <Button onPress={copy}>
      <span aria-live="polite">{text(message ?? 'patient.copy')}</span>
    </Button>
  );
}
