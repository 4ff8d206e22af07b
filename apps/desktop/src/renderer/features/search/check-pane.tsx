import { FlaskConical, IdCard, UsersRound } from 'lucide-react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import type { FoundPerson } from '@caregate/domain';
import { Button, Code, KeyCap } from '../../ui/controls.tsx';
import { dayText } from '../../ui/values/dates.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Quiet } from '../../ui/layout.tsx';
import { Banner } from '../../ui/surfaces.tsx';
import { formatKeys } from '../../app/keyboard.ts';
import { useMask } from '../../app/mask.tsx';
import type { ScreenName } from '../../app/navigation.tsx';
import { useText } from '../../i18n/text.tsx';
import { CheckFacts } from './check-facts.tsx';
import { FoundLabel } from './found-label.tsx';
import { similarPatients } from './same-name.ts';
import type { SimilarPatient } from './same-name.ts';
import styles from './search.module.css';

interface Shown {
  readonly people: readonly FoundPerson[];
  /** Whether nobody else matches. */
  readonly isAll: boolean;
}

interface Choosing {
  readonly onChoose: (found: FoundPerson) => void;
  readonly onNarrow: (people: readonly FoundPerson[]) => void;
}

interface Opening {
  /** When the search answered the text as it stands. */
  readonly searchedAt: string | undefined;
  readonly onOpen: (found: FoundPerson, screen?: ScreenName) => void;
}

/** Shows beside the list who would be opened, and how others that could be meant differ. */
export function CheckPane(
  props: Shown &
    Choosing &
    Opening & { readonly one: FoundPerson | undefined; readonly onWiden?: () => void },
): ReactElement {
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
        <NobodyChosen {...props} />
      ) : (
        <>
          <h2>{one.name ? <bdi>{mask(one.name)}</bdi> : text('patient.noName')}</h2>
          <Warning one={one} people={people} isAll={isAll} />
          <CheckFacts one={one} isSimilar={similarByName(people, one).length > 0} />
          <Actions one={one} searchedAt={searchedAt} onOpen={onOpen} />
        </>
      )}
    </section>
  );
}

function NobodyChosen(
  props: Shown & Choosing & { readonly onWiden?: () => void },
): ReactElement | null {
  const { people, isAll, onChoose, onNarrow, onWiden } = props;
  const text = useText();
  const [first] = people;
  if (first === undefined) return null;
  const others = similarByName(people, first).filter(({ hasSameDob }) => hasSameDob);
  const isTwin = others.length > 0;
  return (
    <>
      {isTwin && (
        <>
          <Warning isToChoose one={first} people={people} isAll={isAll} />
          <Answers
            people={[first, ...others.map(({ other }) => other)]}
            onChoose={onChoose}
            onNarrow={onNarrow}
          />
        </>
      )}
      {onWiden !== undefined && (
        <Button kind="quiet" onPress={onWiden}>
          {text('find.widen')}
        </Button>
      )}
      {isTwin && (
        <Button isDisabled>
          {text('find.open')}
          <KeyCap isSilent keys="Enter" />
        </Button>
      )}
      <p>{text('find.nobodyChosen')}</p>
    </>
  );
}

function Warning(
  props: Shown & { readonly one: FoundPerson; readonly isToChoose?: boolean },
): ReactElement | null {
  const { one, people, isAll, isToChoose = false } = props;
  const text = useText();
  const intl = useIntl();
  const mask = useMask();
  const similar = similarByName(people, one);
  if (similar.length === 0) return null;
  const sameBoth = similar.filter(({ hasSameDob }) => hasSameDob).length;
  const isSame = similar.some(({ likeness }) => likeness === 'sameName');
  const otherDates = new Set(similar.flatMap(({ other }) => other.birth_date ?? []));
  otherDates.delete(one.birth_date ?? '');
  const dates = [...otherDates].map((date) => dayText(intl, date));
  const said = text(
    sameBoth > 0 ? 'find.haveBoth' : isSame ? 'find.haveName' : 'find.haveNearName',
    { count: (sameBoth || similar.length) + 1 },
  );
  return (
    <Banner kind="notice" className={`stack gap1 row13 ${styles['warning'] ?? ''}`}>
      <p className="line gap1 bold noticed">
        <Icon of={UsersRound} />
        {isAll ? said : text('find.orMore', { said })}
      </p>
      <p>
        {text(sameBoth > 0 ? 'find.askBoth' : 'find.ask')}{' '}
        {!isToChoose &&
          dates.length > 0 &&
          text('find.othersBorn', { count: dates.length, dates: mask(intl.formatList(dates)) })}
      </p>
    </Banner>
  );
}

function similarByName(
  people: readonly FoundPerson[],
  one: FoundPerson,
): readonly SimilarPatient[] {
  return similarPatients(people, one).filter(({ likeness }) => likeness !== 'sameBirthDate');
}

/** What the patient may say: an answer of one chooses them, one that several share narrows the list. */
function Answers(props: Choosing & { readonly people: readonly FoundPerson[] }): ReactElement {
  const { people, onChoose, onNarrow } = props;
  const text = useText();
  const mask = useMask();
  const neither = people.filter(({ phone, town }) => !phone && !town);
  const groups = {
    phone: Map.groupBy(people, ({ phone }) => phone?.slice(-4) ?? ''),
    town: Map.groupBy(people, ({ town }) => town ?? ''),
    neither: new Map(neither.length === 0 ? [] : [[text('find.noneOfBoth'), neither]]),
  };
  return (
    <>
      {(['phone', 'town', 'neither'] as const).map((kind) => {
        const known = [...groups[kind]].filter(([answer]) => answer !== '');
        return known.length === 0 ? null : (
          <section key={kind} className={`stack gap1 row13 ${styles['answers'] ?? ''}`}>
            <b>{text(`find.answer.${kind}`)}</b>
            {known.map(([answer, having]) => {
              const [only] = having.length === 1 ? having : [];
              return (
                <Button
                  key={answer}
                  onPress={() => {
                    if (only === undefined) onNarrow(having);
                    else onChoose(only);
                  }}
                >
                  <b>{kind === 'neither' ? answer : <bdi>{mask(answer)}</bdi>}</b>
                  <Quiet size="meta">
                    {only?.client_user_id ? (
                      <Code>{mask(only.client_user_id)}</Code>
                    ) : (
                      text('find.shared', { count: having.length })
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

const screens = [
  ['labs', FlaskConical, 'find.openLabs', 2],
  ['insurance', IdCard, 'find.openInsurance', 3],
] as const;

function Actions(props: Opening & { readonly one: FoundPerson }): ReactElement {
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
      {screens.map(([screen, icon, label, digit]) => (
        <Button
          key={screen}
          kind="quiet"
          onPress={() => {
            onOpen(one, screen);
          }}
        >
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
