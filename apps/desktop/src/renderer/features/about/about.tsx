import type { ReactElement } from 'react';
import type { About, Licences } from '../../../shared/app-state.ts';
import { Code } from '../../ui/controls.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Facts } from '../../ui/surfaces.tsx';
import { Updates } from '../../app/updates.tsx';
import { useAnswer } from '../../ui/use-attempt.ts';
import { useStatus } from '../../api/app-state.ts';
import { useText } from '../../i18n/text.tsx';
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
      <Facts
        className={styles['versions']}
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
