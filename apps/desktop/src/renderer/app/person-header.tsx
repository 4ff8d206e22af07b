import { FlaskConical, IdCard, UserRound, UsersRound, X, type LucideIcon } from 'lucide-react';
import { useEffect } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { useIntl } from 'react-intl';
import { useFormatAge } from '../ui/values/age.ts';
import { Code, IconButton, KeyCap } from '../ui/controls.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { formatDate } from '../ui/values/dates.tsx';
import { Icon } from '../ui/icon.tsx';
import { Quiet, Row, VisuallyHidden } from '../ui/layout.tsx';
import { PersonLabel } from '../features/printing/label-button.tsx';
import { HeaderSlot } from './header-slot.tsx';
import { formatKeys } from './keyboard.ts';
import { useMask } from './mask.tsx';
import { useMay } from './me.tsx';
import { TABS, useNavigation } from './navigation.tsx';
import { useIdentity, useSameNames, type Identity } from '../features/patient/identity.ts';
import { usePersonQuery, type Person } from '../features/patient/person.ts';
import { useSelection } from './selection.tsx';
import { useFormatSex, useText } from '../i18n/text.tsx';
import { useWorkspace } from './workspace.tsx';
import styles from './person-header.module.css';

export function PersonHeader() {
  const text = useText();
  const { person } = useSelection();
  if (person === undefined) return null;
  return (
    <section aria-label={text('patient.label')} className={`row ${styles['header'] ?? ''}`}>
      <Header key={`${person.value.user_id} ${person.receivedAt}`} person={person} />
    </section>
  );
}

function Header({ person }: { person: Person }) {
  const text = useText();
  const { close } = useSelection();
  const identity = useIdentity(person);
  const mayShow = usePersonQuery(person).data !== undefined;
  const { describe, forget } = useWorkspace();
  const { user_id: userId } = person.value;
  const { name, birthDate } = identity;
  useEffect(() => {
    if (!mayShow) forget(userId);
    else if (name !== undefined || birthDate !== undefined) describe(userId, { name, birthDate });
  }, [userId, name, birthDate, mayShow, describe, forget]);
  return (
    <>
      <div className={`row ${styles['who'] ?? ''}`}>
        {mayShow ? <Facts person={person} identity={identity} /> : <Withdrawn person={person} />}
      </div>
      <Row as="span" gap="gap1" className={styles['actions']}>
        {mayShow && <PersonLabel person={person} />}
        <HeaderSlot name="print" />
        <IconButton icon={X} label={text('patient.close')} onPress={close} />
      </Row>
      <Row className={styles['below']}>
        <PersonTabs />
        {mayShow && <Alerts person={person} identity={identity} />}
        <HeaderSlot name="refresh" />
      </Row>
    </>
  );
}

/** If the service no longer shows this patient, only a part of the user ID is left. */
function Withdrawn({ person }: { person: Person }) {
  const mask = useMask();
  return (
    <h1>
      <Code>{mask(person.value.user_id.slice(0, 8))}</Code>
    </h1>
  );
}

function Facts(props: { readonly person: Person; readonly identity: Identity }) {
  const { person, identity } = props;
  const text = useText();
  const intl = useIntl();
  const mask = useMask();
  const formatAge = useFormatAge();
  const formatSex = useFormatSex();
  const { name, birthDate, sex } = identity;
  const age = birthDate === undefined ? undefined : formatAge(birthDate, true);
  const { client_user_id: clientUserId } = person.value;
  return (
    <>
      <h1 className="narrow wrap">
        {name === undefined ? text('patient.noName') : <bdi>{mask(name)}</bdi>}
      </h1>
      <Row as="p" className={styles['facts']}>
        {birthDate === undefined ? (
          <Quiet size="row13">{text('patient.noBirthDate')}</Quiet>
        ) : (
          <span>
            <Quiet size="row13">{text('patient.born')}</Quiet>{' '}
            <b>
              <bdi>{mask(formatDate(intl, birthDate))}</bdi>
            </b>
            {age !== undefined && <> ({mask(age)})</>}
          </span>
        )}
        {sex !== undefined && (
          <span>
            <Quiet size="row13">{text('patient.sex')}</Quiet> <b>{mask(formatSex(sex))}</b>
          </span>
        )}
        <span className={`inline gap1 ${styles['id'] ?? ''}`}>
          <VisuallyHidden>{text('patient.clientId')}</VisuallyHidden>
          <b>
            <Code>{mask(clientUserId)}</Code>
          </b>
          <CopyButton value={clientUserId} label={text('patient.copy')} />
        </span>
      </Row>
    </>
  );
}

function Alerts(props: { readonly person: Person; readonly identity: Identity }) {
  const { person, identity } = props;
  const text = useText();
  const intl = useIntl();
  const mask = useMask();
  const { same, near, sameNameAndDob, isAll, isUnchecked } = useSameNames(person, identity);
  const kind = sameNameAndDob > 0 ? 'sameBoth' : same.length > 0 ? 'sameName' : 'nearName';
  const message = text(`patient.${kind}`, { count: sameNameAndDob || same.length || near.length });
  const dates = [...same, ...near]
    .flatMap(({ birth_date: date }) => (date ? [formatDate(intl, date)] : []))
    .slice(0, 2);
  const { otherBirthDate } = identity;
  return (
    <Row role="status" className={styles['alerts']}>
      {otherBirthDate !== undefined && (
        <span className={`inline row13 bold marked ${styles['alert'] ?? ''}`}>
          {text('patient.otherBirthDate', {
            date: mask(formatDate(intl, otherBirthDate)),
          })}
        </span>
      )}
      {same.length + near.length > 0 && (
        <span className={`inline row13 bold marked ${styles['alert'] ?? ''}`}>
          <Icon of={UsersRound} />
          <span>
            {isAll ? message : text('find.orMore', { message })}
            {dates.length > 0 && (
              <>
                {' · '}
                {text('patient.born')} <bdi>{mask(intl.formatList(dates))}</bdi>
              </>
            )}
          </span>
        </span>
      )}
      {isUnchecked && <Quiet size="row13">{text('patient.namesUnchecked')}</Quiet>}
    </Row>
  );
}

type Tab = (typeof TABS)[number];

const icons: Readonly<Record<Tab, LucideIcon>> = {
  person: UserRound,
  labs: FlaskConical,
  insurance: IdCard,
};

function PersonTabs() {
  const text = useText();
  return (
    <nav aria-label={text('patient.tabs')} className={`row gap1 ${styles['tabs'] ?? ''}`}>
      {TABS.map((name, place) => (
        <PersonTab key={name} name={name} place={place} />
      ))}
    </nav>
  );
}

/** A tab of the patient. It is absent if the role may not see its screen. */
function PersonTab({ name, place }: { name: Tab; place: number }) {
  const text = useText();
  const { screen, go } = useNavigation();
  if (useMay(name) === 'no') return null;
  return (
    <AriaButton
      className={`inset line quiet row13 medium ${styles['tab'] ?? ''}`}
      {...(screen === name && { 'aria-current': 'page' as const })}
      onPress={() => go(name)}
    >
      <Icon of={icons[name]} />
      {text(`screen.${name}`)}
      <KeyCap isSilent keys={formatKeys('screen', place + 1)} />
    </AriaButton>
  );
}
