import { FlaskConical, IdCard, UsersRound } from 'lucide-react';
import { useIntl } from 'react-intl';
import type { FoundPerson } from '@caregate/domain';
import { Button, KeyCap } from '../../ui/controls.tsx';
import { formatDate } from '../../ui/values/dates.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Quiet } from '../../ui/layout.tsx';
import { Banner } from '../../ui/surfaces.tsx';
import { formatKeys } from '../../app/keyboard.ts';
import { useMask } from '../../app/mask.tsx';
import { useMay } from '../../app/me.tsx';
import type { ScreenName } from '../../app/navigation.tsx';
import { useText } from '../../i18n/text.tsx';
import { CheckFacts } from './check-facts.tsx';
import { FoundLabel } from './found-label.tsx';
import { findSimilarPatients } from './same-name.ts';
import styles from './search.module.css';

interface ShownPeople {
  readonly people: readonly FoundPerson[];
  /** Whether nobody else matches. */
  readonly isAll: boolean;
}

interface OpenProps {
  /** When the search for the current text was answered. */
  readonly searchedAt: string | undefined;
  readonly onOpen: (found: FoundPerson, screen?: ScreenName) => void;
}

/** Shows the selected patient beside the list, and how similar patients differ. */
export function CheckPane(
  props: ShownPeople & OpenProps & { readonly one: FoundPerson | undefined },
) {
  const { one, people, isAll, searchedAt, onOpen } = props;
  const text = useText();
  const mask = useMask();
  return (
    <section
      aria-label={text('find.check')}
      className={`column gap3 ${styles['beside'] ?? ''} ${styles['check'] ?? ''}`}
    >
      <Quiet as="p" size="meta">
        {text('find.check')}
      </Quiet>
      {one === undefined ? (
        <ChoosePrompt people={people} isAll={isAll} />
      ) : (
        <>
          <h2>{one.name ? <bdi>{mask(one.name)}</bdi> : text('patient.noName')}</h2>
          <Warning one={one} people={people} isAll={isAll} />
          <CheckFacts one={one} isSimilar={findSimilarPatients(people, one).length > 0} />
          <Actions one={one} searchedAt={searchedAt} onOpen={onOpen} />
        </>
      )}
    </section>
  );
}

/** Shown until a patient is selected. The rows show phone and town of patients with the same name and birth date. */
function ChoosePrompt({ people, isAll }: ShownPeople) {
  const text = useText();
  const [first] = people;
  if (first === undefined) return null;
  const isOneNameAndDob = findSimilarPatients(people, first).some(({ hasSameDob }) => hasSameDob);
  return (
    <>
      {isOneNameAndDob && <Warning isToChoose one={first} people={people} isAll={isAll} />}
      <p>{text('find.nobodyChosen')}</p>
    </>
  );
}

function Warning(
  props: ShownPeople & { readonly one: FoundPerson; readonly isToChoose?: boolean },
) {
  const { one, people, isAll, isToChoose = false } = props;
  const text = useText();
  const intl = useIntl();
  const mask = useMask();
  const similar = findSimilarPatients(people, one);
  if (similar.length === 0) return null;
  const sameBoth = similar.filter(({ hasSameDob }) => hasSameDob).length;
  const isSame = similar.some(({ likeness }) => likeness === 'sameName');
  const others = similar.flatMap(({ other: { birth_date: date, client_user_id: id } }) =>
    date && id ? [`${formatDate(intl, date)}, ${id}`] : [],
  );
  const message = text(
    sameBoth > 0 ? 'find.haveBoth' : isSame ? 'find.haveName' : 'find.haveNearName',
    { count: (sameBoth || similar.length) + 1 },
  );
  return (
    <Banner kind="notice" className={`stack gap1 row13 ${styles['warning'] ?? ''}`}>
      <p className="line gap1 bold noticed">
        <Icon of={UsersRound} />
        {isAll ? message : text('find.orMore', { message })}
      </p>
      <p>
        {text(sameBoth > 0 ? 'find.askBoth' : 'find.ask')}{' '}
        {!isToChoose &&
          sameBoth === 0 &&
          others.length > 0 &&
          text('find.others', { count: similar.length, others: mask(others.join('; ')) })}
      </p>
    </Banner>
  );
}

const screens = [
  ['labs', FlaskConical, 'find.openLabs', 2],
  ['insurance', IdCard, 'find.openInsurance', 3],
] as const;

function Actions(props: OpenProps & { readonly one: FoundPerson }) {
  const { one, searchedAt, onOpen } = props;
  const { client_user_id: clientUserId } = one;
  const text = useText();
  const may = { labs: useMay('labs'), insurance: useMay('insurance') };
  const mayOpen = screens.filter(([screen]) => may[screen] !== 'no');
  if (!clientUserId) return <p>{text('find.noClientId')}</p>;
  return (
    <div className={styles['actions']}>
      <Button kind="main" onPress={() => onOpen(one)}>
        {text('find.open')}
        <KeyCap isSilent keys="Enter" />
      </Button>
      {mayOpen.map(([screen, icon, label, digit]) => (
        <Button key={screen} kind="quiet" onPress={() => onOpen(one, screen)}>
          <Icon of={icon} />
          {text(label)}
          <KeyCap isSilent keys={formatKeys('screen', digit)} />
        </Button>
      ))}
      {searchedAt !== undefined && (
        <FoundLabel one={one} clientUserId={clientUserId} searchedAt={searchedAt} />
      )}
    </div>
  );
}
