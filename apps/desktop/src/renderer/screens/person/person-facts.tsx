import type { ReactElement } from 'react';
import type { ConnectedSource, User } from '@caregate/domain';
import { Code } from '../../components/controls.tsx';
import { Day, Moment } from '../../components/values/dates.tsx';
import { KeyValues, OtherFields } from '../../components/key-values.tsx';
import { Panel } from '../../components/surfaces.tsx';
import { useMask } from '../../state/mask.tsx';
import { useText } from '../../text/text.tsx';
import styles from './person.module.css';

const known = [
  'user_id',
  'team_id',
  'client_user_id',
  'created_on',
  'connected_sources',
  'fallback_birth_date',
  'ingestion_start',
  'ingestion_end',
  'fallback_time_zone',
];
const setFields = ['value', 'id', 'source_slug', 'updated_at'];

export function PersonFacts({ user }: { readonly user: User }): ReactElement {
  const text = useText();
  const { fallback_birth_date: birth, fallback_time_zone: zone } = user;
  const mask = useMask();
  return (
    <>
      <Panel aria-label={text('person.ids')}>
        <KeyValues
          entries={[
            [text('column.clientId'), mask(<Code>{user.client_user_id}</Code>)],
            [text('person.userId'), mask(<Code>{user.user_id}</Code>)],
            [text('person.teamId'), mask(<Code>{user.team_id}</Code>)],
            [text('column.created'), <Moment key="created" at={user.created_on} />],
            [
              text('person.ingestionStart'),
              user.ingestion_start && <Day date={user.ingestion_start} />,
            ],
            [text('person.ingestionEnd'), user.ingestion_end && <Day date={user.ingestion_end} />],
          ]}
        />
      </Panel>
      <Panel aria-label={text('person.fallbacks')}>
        <h2>{text('person.fallbacks')}</h2>
        <KeyValues
          entries={[
            [text('person.birthDate'), birth && mask(<Day date={birth.value} />)],
            [text('person.setBy'), birth && <Code>{birth.source_slug}</Code>],
            [text('person.setAt'), birth && <Moment at={birth.updated_at} />],
          ]}
        />
        {birth ? <OtherFields of={birth} known={setFields} /> : null}
        <KeyValues
          entries={[
            [text('person.timeZone'), <Code key="zone">{zone.id}</Code>],
            [text('person.setBy'), <Code key="by">{zone.source_slug}</Code>],
            [text('person.setAt'), <Moment key="at" at={zone.updated_at} />],
          ]}
        />
        <OtherFields of={zone} known={setFields} />
      </Panel>
      <Panel aria-label={text('person.sources')}>
        <h2>{text('person.sources')}</h2>
        {user.connected_sources.length === 0 && <p>{text('person.noSources')}</p>}
        <ul className={`stack gap3 ${styles['sources'] ?? ''}`}>
          {user.connected_sources.map((connected, index) => (
            <li key={index}>
              <ConnectedTo connected={connected} />
            </li>
          ))}
        </ul>
      </Panel>
      <OtherFields of={user} known={known} />
    </>
  );
}

function ConnectedTo({ connected }: { connected: ConnectedSource }): ReactElement {
  const { source, created_on } = connected;
  const text = useText();
  return (
    <>
      {/* Instead of the logo: the page loads nothing remote. */}
      <span aria-hidden="true" className={`center ${styles['initial'] ?? ''}`}>
        {initialOf(source.name)}
      </span>
      <KeyValues
        entries={[
          [text('person.source'), <bdi key="name">{source.name}</bdi>],
          [text('person.slug'), <Code key="slug">{source.slug}</Code>],
          [text('person.connectedOn'), <Moment key="on" at={created_on} />],
          [text('person.logo'), <Code key="logo">{source.logo}</Code>],
        ]}
      />
      <OtherFields of={source} known={['logo', 'name', 'slug']} />
      <OtherFields of={connected} known={['created_on', 'source']} />
    </>
  );
}

function initialOf(name: string): string {
  const [first] = new Intl.Segmenter().segment(name.trim());
  return first?.segment.toLocaleUpperCase() ?? '·';
}
