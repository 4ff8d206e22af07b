import { FlaskConical, IdCard, UsersRound } from 'lucide-react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import type { FoundPerson } from '@caregate/domain';
import { Button, Code, KeyCap } from '../../ui/controls.tsx';
import { dayText } from '../../ui/values/dates.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Quiet } from '../../ui/layout.tsx';
import { Banner } from '../../ui/surfaces.tsx';
import { capOf } from '../../app/keyboard.ts';
import { useMask } from '../../app/mask.tsx';
import type { ScreenName } from '../../app/navigation.tsx';
import { useText } from '../../i18n/text.tsx';
import { CheckFacts } from './check-facts.tsx';
import { alikeOf } from './enter.ts';
import type { Alike } from './enter.ts';
import { FoundLabel } from './found-label.tsx';
import find from './find.module.css';
import styles from './found.module.css';

export function CheckPane(props: {
  readonly one: FoundPerson | undefined;
  /** When the search answered the text as it stands. */
  readonly searchedAt: string | undefined;
  readonly people: readonly FoundPerson[];
  readonly isAll: boolean;
  readonly onChoose: (found: FoundPerson) => void;
  readonly onOpen: (found: FoundPerson, screen?: ScreenName) => void;
  readonly onNarrow: (people: readonly FoundPerson[]) => void;
  readonly onWiden?: () => void;
}): ReactElement {
  const { one, searchedAt, people, isAll, onChoose, onOpen, onNarrow, onWiden } = props;
  const [first] = people;
  const twins = first === undefined ? [] : twinsOf(people, first);
  const text = useText();
  const mask = useMask();
  return (
    <section
      aria-label={text('find.check')}
      className={`column gap3 ${find['beside'] ?? ''} ${styles['check'] ?? ''}`}
    >
      <Quiet as="p" size="meta">
        {text('find.check')}
      </Quiet>
      {one === undefined ? (
        <>
          {first !== undefined && (
            <>
              <Warning isToChoose one={first} people={people} isAll={isAll} />
              <Answers twins={twins} onChoose={onChoose} onNarrow={onNarrow} />
            </>
          )}
          {onWiden !== undefined && (
            <Button kind="quiet" onPress={onWiden}>
              {text('find.widen')}
            </Button>
          )}
          {twins.length > 0 && (
            <Button isDisabled>
              {text('find.open')}
              <KeyCap isSilent keys="Enter" />
            </Button>
          )}
          <p className={twins.length > 0 ? 'meta' : ''}>
            {twins.length > 0
              ? text('find.chooseFirst', { count: people.length })
              : text('find.nobodyChosen')}
          </p>
        </>
      ) : (
        <>
          <h2>{one.name ? <bdi>{mask(one.name)}</bdi> : text('patient.noName')}</h2>
          <Warning one={one} people={people} isAll={isAll} />
          <CheckFacts one={one} isAlike={namedAlike(people, one).length > 0} />
          <Actions one={one} searchedAt={searchedAt} onOpen={onOpen} />
        </>
      )}
    </section>
  );
}

function Warning(props: {
  readonly one: FoundPerson;
  readonly people: readonly FoundPerson[];
  readonly isAll: boolean;
  readonly isToChoose?: boolean;
}): ReactElement | null {
  const { one, people, isAll, isToChoose = false } = props;
  const text = useText();
  const intl = useIntl();
  const mask = useMask();
  const named = namedAlike(people, one);
  if (named.length === 0) return null;
  const isSame = named.some(({ likeness }) => likeness === 'sameName');
  const twins = named.filter(({ isTwin }) => isTwin);
  const born = new Set(named.flatMap(({ other }) => other.birth_date ?? []));
  born.delete(one.birth_date ?? '');
  const dates = [...born].map((date) => dayText(intl, date));
  if (isToChoose && twins.length === 0) return null;
  const count = twins.length > 0 ? twins.length + 1 : named.length + 1;
  const said = text(
    twins.length > 0 ? 'find.haveBoth' : isSame ? 'find.haveName' : 'find.haveNearName',
    { count },
  );
  return (
    <Banner kind="notice" className={`stack row13 ${styles['warning'] ?? ''}`}>
      <p className="line gap1 meta bold noticed">
        <Icon of={UsersRound} />
        {isAll ? said : text('find.orMore', { said })}
      </p>
      <p>
        {text(twins.length > 0 ? 'find.askBoth' : 'find.ask')}{' '}
        {!isToChoose &&
          dates.length > 0 &&
          text('find.othersBorn', { count: dates.length, dates: mask(intl.formatList(dates)) })}
      </p>
    </Banner>
  );
}

function namedAlike(people: readonly FoundPerson[], one: FoundPerson): readonly Alike[] {
  return alikeOf(people, one).filter(({ likeness }) => likeness !== 'sameBirthDate');
}

function twinsOf(people: readonly FoundPerson[], one: FoundPerson): readonly FoundPerson[] {
  const others = alikeOf(people, one).filter(({ isTwin }) => isTwin);
  return others.length === 0 ? [] : [one, ...others.map(({ other }) => other)];
}

/** What the person may say: an answer of one chooses them, one that several share narrows the list. */
function Answers(props: {
  readonly twins: readonly FoundPerson[];
  readonly onChoose: (found: FoundPerson) => void;
  readonly onNarrow: (people: readonly FoundPerson[]) => void;
}): ReactElement {
  const { twins, onChoose, onNarrow } = props;
  const text = useText();
  const mask = useMask();
  const phones = Map.groupBy(twins, ({ phone }) => phone?.slice(-4) ?? '');
  const towns = Map.groupBy(twins, ({ town }) => town ?? '');
  const neither = twins.filter(({ phone, town }) => !phone && !town);
  const answers = [
    ['phone', [...phones]],
    ['town', [...towns]],
    ['neither', neither.length === 0 ? [] : [[text('find.noneOfBoth'), neither] as const]],
  ] as const;
  return (
    <>
      {answers.map(([kind, groups]) => {
        const known = groups.filter(([answer]) => answer !== '');
        return known.length === 0 ? null : (
          <section key={kind} className={`stack gap1 row13 ${styles['answers'] ?? ''}`}>
            <b>{text(`find.answer.${kind}`)}</b>
            {known.map(([answer, people]) => {
              const [only] = people;
              return (
                <Button
                  key={answer}
                  onPress={() => {
                    if (only !== undefined && people.length === 1) onChoose(only);
                    else onNarrow(people);
                  }}
                >
                  <b>{kind === 'neither' ? answer : <bdi>{mask(answer)}</bdi>}</b>
                  <Quiet size="meta">
                    {people.length > 1 || !only?.client_user_id ? (
                      text('find.shared', { count: people.length })
                    ) : (
                      <Code>{mask(only.client_user_id)}</Code>
                    )}
                  </Quiet>
                </Button>
              );
            })}
          </section>
        );
      })}
    </>
  );
}

const shortcuts = [
  ['labs', FlaskConical, 'find.openLabs', 2],
  ['insurance', IdCard, 'find.openInsurance', 3],
] as const;

function Actions(props: {
  readonly one: FoundPerson;
  readonly searchedAt: string | undefined;
  readonly onOpen: (found: FoundPerson, screen?: ScreenName) => void;
}): ReactElement {
  const { one, searchedAt, onOpen } = props;
  const { client_user_id: clientUserId } = one;
  const text = useText();
  if (!clientUserId) return <p>{text('find.noClientId')}</p>;
  return (
    <div className={styles['actions']}>
      <Button
        kind="main"
        onPress={() => {
          onOpen(one);
        }}
      >
        {text('find.open')}
        <KeyCap isSilent keys="Enter" />
      </Button>
      {shortcuts.map(([screen, icon, label, digit]) => (
        <Button
          key={screen}
          kind="quiet"
          onPress={() => {
            onOpen(one, screen);
          }}
        >
          <Icon of={icon} />
          {text(label)}
          <KeyCap isSilent keys={capOf('screen', digit)} />
        </Button>
      ))}
      {searchedAt !== undefined && (
        <FoundLabel one={one} clientUserId={clientUserId} searchedAt={searchedAt} />
      )}
    </div>
  );
}
