import { FlaskConical, IdCard, UsersRound } from 'lucide-react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import type { FoundPerson } from '@caregate/domain';
import { Button, Code, KeyCap } from '../../ui/controls.tsx';
import { formatDate } from '../../ui/values/dates.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Quiet } from '../../ui/layout.tsx';
import { Banner } from '../../ui/surfaces.tsx';
import { formatKeys } from '../../app/keyboard.ts';
import { useMask } from '../../app/mask.tsx';
import type { ScreenName } from '../../app/navigation.tsx';
import { useText } from '../../i18n/text.tsx';
import { CheckFacts } from './check-facts.tsx';
import { FoundLabel } from './found-label.tsx';
import { findSimilarPatients } from './same-name.ts';
import type { SimilarPatient } from './same-name.ts';
import styles from './search.module.css';

interface ShownPeople {
  readonly people: readonly FoundPerson[];
  /** Whether nobody else matches. */
  readonly isAll: boolean;
}

interface ChooseProps {
  readonly onChoose: (found: FoundPerson) => void;
  readonly onNarrow: (people: readonly FoundPerson[]) => void;
}

interface OpenProps {
  /** When the search answered the text as it stands. */
  readonly searchedAt: string | undefined;
  readonly onOpen: (found: FoundPerson, screen?: ScreenName) => void;
}

/** Shows beside the list who would be opened, and how others that could be meant differ. */
export function CheckPane(
  props: ShownPeople &
    ChooseProps &
    OpenProps & { readonly one: FoundPerson | undefined; readonly onWiden?: () => void },
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
        <ChoosePrompt {...props} />
      ) : (
        <>
          <h2>{one.name ? <bdi>{mask(one.name)}</bdi> : text('patient.noName')}</h2>
          <Warning one={one} people={people} isAll={isAll} />
          <CheckFacts one={one} isSimilar={findSimilarByName(people, one).length > 0} />
          <Actions one={one} searchedAt={searchedAt} onOpen={onOpen} />
        </>
      )}
    </section>
  );
}

function ChoosePrompt(
  props: ShownPeople & ChooseProps & { readonly onWiden?: () => void },
): ReactElement | null {
  const { people, isAll, onChoose, onNarrow, onWiden } = props;
  const text = useText();
  const [first] = people;
  if (first === undefined) return null;
  const others = findSimilarByName(people, first).filter(({ hasSameDob }) => hasSameDob);
  const hasSameNameAndDob = others.length > 0;
  return (
    <>
      {hasSameNameAndDob && (
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
      {hasSameNameAndDob && (
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
  props: ShownPeople & { readonly one: FoundPerson; readonly isToChoose?: boolean },
): ReactElement | null {
  const { one, people, isAll, isToChoose = false } = props;
  const text = useText();
  const intl = useIntl();
  const mask = useMask();
  const similar = findSimilarByName(people, one);
  if (similar.length === 0) return null;
  const sameBoth = similar.filter(({ hasSameDob }) => hasSameDob).length;
  const isSame = similar.some(({ likeness }) => likeness === 'sameName');
  const otherDates = new Set(similar.flatMap(({ other }) => other.birth_date ?? []));
  otherDates.delete(one.birth_date ?? '');
  const dates = [...otherDates].map((date) => formatDate(intl, date));
  const message = text(
    sameBoth > 0 ? 'find.haveBoth' : isSame ? 'find.haveName' : 'find.haveNearName',
    { count: (sameBoth || similar.length) + 1 },
  );
  return (
    <Banner kind="notice" className={`stack gap1 row13 ${styles['warning'] ?? ''}`}>
      <p className="line gap1 bold noticed">
        <Icon of={UsersRound} />
        {isAll ? message : text('find.orMore', { said: message })}
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

function findSimilarByName(
  people: readonly FoundPerson[],
  one: FoundPerson,
): readonly SimilarPatient[] {
  return findSimilarPatients(people, one).filter(({ likeness }) => likeness !== 'sameBirthDate');
}

/** What the patient may say: an answer of one chooses them, one that several share narrows the list. */
function Answers(props: ChooseProps & { readonly people: readonly FoundPerson[] }): ReactElement {
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
        const answers = [...groups[kind]].filter(([answer]) => answer !== '');
        return answers.length === 0 ? null : (
          <section key={kind} className={`stack gap1 row13 ${styles['answers'] ?? ''}`}>
            <b>{text(`find.answer.${kind}`)}</b>
            {answers.map(([answer, matching]) => {
              const [only] = matching.length === 1 ? matching : [];
              return (
                <Button
                  key={answer}
                  onPress={() => {
                    if (only === undefined) onNarrow(matching);
                    else onChoose(only);
                  }}
                >
                  <b>{kind === 'neither' ? answer : <bdi>{mask(answer)}</bdi>}</b>
                  <Quiet size="meta">
                    {only?.client_user_id ? (
                      <Code>{mask(only.client_user_id)}</Code>
                    ) : (
                      text('find.shared', { count: matching.length })
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

function Actions(props: OpenProps & { readonly one: FoundPerson }): ReactElement {
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
