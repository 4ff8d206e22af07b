import type { ReactElement } from 'react';
import type { UserInfo } from '@caregate/domain';
import { useAgeText } from '../../components/age.ts';
import { Button, Code, KeyCap } from '../../components/controls.tsx';
import { Day, useAsOf } from '../../components/dates.tsx';
import { KeyValues, OtherFields } from '../../components/key-values.tsx';
import { ProblemNote } from '../../components/problem.tsx';
import { Loading } from '../../components/loading.tsx';
import { Quiet, Row, Stack } from '../../components/layout.tsx';
import { Panel } from '../../components/surfaces.tsx';
import { useMask } from '../../state/mask.tsx';
import { useMayAsk } from '../../state/me.tsx';
import { useAutoFocus, useNavigation } from '../../state/navigation.tsx';
import { useUserInfo } from '../../state/people/identity.ts';
import { usePersonQuery } from '../../state/person.ts';
import type { Person } from '../../state/person.ts';
import { usePerson } from '../../state/selection.tsx';
import { useSexText, useText } from '../../text/text.tsx';
import { PersonFacts } from './person-facts.tsx';
import styles from './person.module.css';

export function PersonScreen(): ReactElement | null {
  const { person } = usePerson();
  return person === undefined ? null : <Overview person={person} />;
}

const shortcuts = [
  ['insurance', 'Ctrl 3'],
  ['activity', 'Ctrl 4'],
] as const;

function Overview({ person }: { person: Person }): ReactElement {
  const text = useText();
  const { go } = useNavigation();
  const next = useAutoFocus<HTMLButtonElement>();
  const isShown = usePersonQuery(person).data !== undefined;
  return (
    <Stack gap="gap4" className={styles['person']}>
      <h2 className="head">{text('screen.person')}</h2>
      <Row gap="gap3">
        <Button
          kind="main"
          ref={next}
          onPress={() => {
            go('labs');
          }}
        >
          {text('person.latestReport')}
          <KeyCap isSilent keys="Ctrl 2" />
        </Button>
        {shortcuts.map(([screen, keys]) => (
          <Button
            key={screen}
            onPress={() => {
              go(screen);
            }}
          >
            {text(`screen.${screen}`)}
            <KeyCap isSilent keys={keys} />
          </Button>
        ))}
      </Row>
      {isShown && <Info person={person} />}
    </Stack>
  );
}

function Info({ person }: { person: Person }): ReactElement {
  const text = useText();
  const asOf = useAsOf();
  const may = useMayAsk('userInfo');
  const { data, problem, isFetching, refetch, cancel } = useUserInfo(person);
  if (may === 'no' || may === 'emergency') return <p>{text('person.infoShut')}</p>;
  const isNone = problem?.kind === 'notFound';
  return (
    <>
      <Row gap="gap3">
        {data !== undefined && <Quiet size="help">{asOf(data.receivedAt)}</Quiet>}
        <Button isDisabled={isFetching} onPress={refetch}>
          {text('labs.refresh')}
        </Button>
      </Row>
      {isFetching && <Loading what="screen.person" onCancel={cancel} />}
      {!isFetching && isNone && (
        <Quiet as="p" role="status">
          {text('person.noInfo')}
        </Quiet>
      )}
      {!isFetching && problem !== undefined && !isNone && (
        <ProblemNote problem={problem} onRetry={refetch} />
      )}
      {data !== undefined && <InfoFacts info={data.value} />}
    </>
  );
}

const known = ['first_name', 'last_name', 'email', 'phone_number', 'gender', 'dob', 'address'];
const addressFields = ['first_line', 'second_line', 'zip', 'city', 'state', 'country'] as const;

function addressLines(address: UserInfo['address']): readonly string[] {
  const state = [address?.state, address?.zip].filter(Boolean).join(' ');
  const place = [address?.city, state].filter(Boolean).join(', ');
  const lines = [address?.first_line, address?.second_line, place, address?.country];
  return lines.flatMap((line) => line || []);
}

export function InfoFacts({ info }: { info: UserInfo }): ReactElement {
  const text = useText();
  const mask = useMask();
  const sexText = useSexText();
  const ageText = useAgeText();
  const { first_name: first, last_name: last, dob, gender, address } = info;
  const age = dob ? ageText(dob) : undefined;
  const lines = addressLines(address);
  return (
    <Panel aria-label={text('person.info')}>
      <KeyValues
        entries={[
          [text('person.firstName'), first && <bdi>{mask(first)}</bdi>],
          [text('person.lastName'), last && <bdi>{mask(last)}</bdi>],
          [text('patient.born'), dob && mask(<Day date={dob} />)],
          [text('person.age'), mask(age)],
          [text('patient.sex'), gender && mask(sexText(gender))],
          [text('person.phone'), info.phone_number && <Code>{mask(info.phone_number)}</Code>],
          [text('person.email'), info.email && <Code>{mask(info.email)}</Code>],
          [
            text('person.address'),
            lines.length > 0 &&
              mask(
                lines.map((line, index) => (
                  <div key={index}>
                    <bdi>{line}</bdi>
                  </div>
                )),
              ),
          ],
        ]}
      />
      <OtherFields of={info} known={known} />
      {address ? <OtherFields of={address} known={addressFields} /> : null}
    </Panel>
  );
}

/** Every field of the person: ids, sources, who set what. */
export function DetailsScreen(): ReactElement | null {
  const { person } = usePerson();
  return person === undefined ? null : <Details person={person} />;
}

function Details({ person }: { person: Person }): ReactElement {
  const text = useText();
  const asOf = useAsOf();
  const { data, problem, isFetching, refetch, cancel } = usePersonQuery(person);
  return (
    <Stack gap="gap4" className={styles['person']}>
      <Row gap="gap3">
        <h2 className="head">{text('person.title')}</h2>
        <Quiet size="help">{asOf((data ?? person).receivedAt)}</Quiet>
        <Button isDisabled={isFetching} onPress={refetch}>
          {text('labs.refresh')}
        </Button>
      </Row>
      {isFetching && <Loading what="screen.person" onCancel={cancel} />}
      {!isFetching && problem !== undefined && <ProblemNote problem={problem} onRetry={refetch} />}
      {data !== undefined && <PersonFacts user={data.value} />}
    </Stack>
  );
}
