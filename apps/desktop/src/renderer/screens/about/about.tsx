import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import type { About, Licences } from '../../../bridge/app-state.ts';
import { Button, Code } from '../../components/controls.tsx';
import { momentText } from '../../components/values/dates.tsx';
import { KeyValues } from '../../components/key-values.tsx';
import { Stack } from '../../components/layout.tsx';
import { Loading } from '../../components/loading.tsx';
import { Updates } from '../../components/updates.tsx';
import { useAnswer } from '../../components/use-attempt.ts';
import { useStatus, useWitness } from '../../state/app-state.ts';
import { useText } from '../../text/text.tsx';
import styles from './about.module.css';

export function AboutScreen(): ReactElement {
  const text = useText();
  const about = useAnswer(() => window.caregate.about({}));
  const licences = useAnswer(() => window.caregate.licences({}));
  return (
    <Stack gap="gap6" className={styles['screen']}>
      <h1>{text('about.title')}</h1>
      {about === undefined ? <Loading /> : <Versions about={about} />}
      <Updates />
      <AuditLog />
      {licences === undefined ? <Loading /> : <LicenceList licences={licences} />}
    </Stack>
  );
}

function Versions({ about }: { about: About }): ReactElement {
  const text = useText();
  const { address } = useStatus();
  const service = useAnswer(() => window.caregate.serviceVersion({}));
  const isPinned = about.electron === about.pinned;
  return (
    <section aria-label={text('about.versions')}>
      <h2>{text('about.versions')}</h2>
      <KeyValues
        entries={[
          [text('about.desktop'), <Code key="desktop">{about.version}</Code>],
          [
            text('about.service'),
            service?.version === undefined ? (
              text('about.serviceUnknown')
            ) : (
              <Code>{service.version}</Code>
            ),
          ],
          [text('about.address'), <Code key="address">{address}</Code>],
          [text('about.electron'), <Code key="electron">{about.electron}</Code>],
          [text('about.chromium'), <Code key="chromium">{about.chrome}</Code>],
          [text('about.node'), <Code key="node">{about.node}</Code>],
          [
            text('about.runtime'),
            isPinned
              ? text('about.runtime.pinned')
              : text('about.runtime.other', { pinned: about.pinned }),
          ],
        ]}
      />
    </section>
  );
}

function AuditLog(): ReactElement {
  const text = useText();
  const intl = useIntl();
  const { kind, size, checkedAt, why, foundAt, evidence } = useWitness() ?? { kind: 'nothing' };
  const isKnown = size !== undefined && checkedAt !== undefined;
  return (
    <section aria-label={text('witness.log')}>
      <h2>{text('witness.log')}</h2>
      {kind === 'nothing' && <p>{text('witness.nothing')}</p>}
      {kind === 'broken' && why !== undefined && (
        <>
          <p>
            <strong>{text('witness.title')}</strong> {text(`witness.${why}`)}{' '}
            {text('witness.next', { time: momentText(intl, foundAt ?? '') })}
          </p>
          <h3>{text('witness.evidence')}</h3>
          <pre dir="ltr" className={`framed help wrap ${styles['terms'] ?? ''}`}>
            {evidence}
          </pre>
          <p>{text('witness.resetHelp')}</p>
          <div>
            <Button onPress={() => void window.caregate.resetWitness({})}>
              {text('witness.reset')}
            </Button>
          </div>
        </>
      )}
      {kind === 'holds' && isKnown && (
        <p>{text('witness.holds', { size, time: momentText(intl, checkedAt) })}</p>
      )}
    </section>
  );
}

function LicenceList({ licences }: { licences: Licences }): ReactElement {
  const text = useText();
  const { packages, chromiumFile } = licences;
  return (
    <section aria-label={text('about.licences')}>
      <h2>{text('about.licences')}</h2>
      <p>{text('about.own', { count: packages.length })}</p>
      <ul>
        {packages.map(({ name, version, licence, text: terms }) => (
          <li key={`${name} ${version}`}>
            <details>
              <summary>
                <bdi>{text('about.package', { name, version, licence })}</bdi>
              </summary>
              <pre dir="ltr" className={`framed help wrap ${styles['terms'] ?? ''}`}>
                {terms}
              </pre>
            </details>
          </li>
        ))}
      </ul>
      {chromiumFile !== undefined && (
        <p>
          {text('about.chromiumLicences')} <Code>{chromiumFile}</Code>
        </p>
      )}
    </section>
  );
}
