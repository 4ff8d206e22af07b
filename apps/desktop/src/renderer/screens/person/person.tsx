import type { ReactElement } from 'react';
import type { UserInfo } from '@caregate/domain';
import { useAgeText } from '../../components/values/age.ts';
import { Button, Code } from '../../components/controls.tsx';
import { Day, useAsOf } from '../../components/values/dates.tsx';
import { KeyValues, OtherFields } from '../../components/key-values.tsx';
import { phoneText } from '../../components/values/phone.ts';
import { ProblemNote } from '../../components/problem.tsx';
import { Loading } from '../../components/loading.tsx';
import { Quiet, Row, Stack } from '../../components/layout.tsx';
import { Panel } from '../../components/surfaces.tsx';
import { useMask } from '../../state/mask.tsx';
import { useUserInfo } from '../../state/people/identity.ts';
import { usePersonQuery } from '../../state/person.ts';
import type { Person } from '../../state/person.ts';
import { useSelection } from '../../state/selection.tsx';
import { useSexText, useText } from '../../text/text.tsx';
import { addressLines } from './contact.tsx';
import { Overview } from './overview.tsx';
import { PersonFacts } from './person-facts.tsx';

export function PersonScreen(): ReactElement | null {
  const { person } = useSelection();
  return person === undefined ? null : <Overview person={person} />;
}

const known = ['first_name', 'last_name', 'email', 'phone_number', 'gender', 'dob', 'address'];
const addressFields = ['first_line', 'second_line', 'zip', 'city', 'state', 'country'] as const;

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
          [
            text('person.phone'),
            info.phone_number && <Code>{mask(phoneText(info.phone_number))}</Code>,
          ],
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

export function DetailsScreen(): ReactElement | null {
  const { person } = useSelection();
  return person === undefined ? null : <Details person={person} />;
}

function Details({ person }: { person: Person }): ReactElement {
  const text = useText();
  const asOf = useAsOf();
  const { data, problem, isFetching, refetch, cancel } = usePersonQuery(person);
  const { data: info } = useUserInfo(person);
  return (
    <Stack gap="gap4" className="one">
      <Row gap="gap3">
        <h2 className="head">{text('person.title')}</h2>
        <Quiet size="help">{asOf((data ?? person).receivedAt)}</Quiet>
        <Button isDisabled={isFetching} onPress={refetch}>
          {text('labs.refresh')}
        </Button>
      </Row>
      {isFetching && <Loading what="screen.person" onCancel={cancel} />}
      {!isFetching && problem !== undefined && <ProblemNote problem={problem} onRetry={refetch} />}
      {data !== undefined && info !== undefined && <InfoFacts info={info.value} />}
      {data !== undefined && <PersonFacts user={data.value} />}
    </Stack>
  );
}
