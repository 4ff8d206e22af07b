import { useQuery } from '@tanstack/react-query';
import type { About } from '../../../shared/app-state.ts';
import { Code } from '../../ui/controls.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Facts } from '../../ui/surfaces.tsx';
import { UpdateSentence } from '../../app/updates.tsx';
import { usePageState, useStatus } from '../../api/app-state.ts';
import { callService, unwrap } from '../../api/service-call.ts';
import { useText } from '../../i18n/text.tsx';
import styles from './about.module.css';

export default function AboutScreen() {
  const text = useText();
  const { data: about } = useQuery({
    queryKey: ['about'],
    queryFn: () => unwrap(window.caregate.about({})),
  });
  return (
    <Stack gap="gap6" className={styles['screen']}>
      <h1>{text('about.title')}</h1>
      {about === undefined ? <Loading /> : <Versions about={about} />}
      {about !== undefined && <LicenceList about={about} />}
    </Stack>
  );
}

function Versions({ about }: { about: About }) {
  const text = useText();
  const { address } = useStatus();
  const service = useQuery({
    queryKey: ['serviceVersion'],
    queryFn: ({ signal }) => callService('serviceVersion', {}, signal),
  }).data;
  return (
    <section aria-label={text('about.versions')} className="stack gap2">
      <h2>{text('about.versions')}</h2>
      <Facts
        className={styles['versions']}
        entries={[
          [text('about.desktop'), <Code key="desktop">{usePageState('version')}</Code>],
          [
            text('about.service'),
            service === undefined ? text('value.none') : <Code>{service.value}</Code>,
          ],
          [text('about.address'), <Code key="address">{address}</Code>],
          [text('about.updates'), <UpdateSentence key="updates" />],
          ['Electron', <Code key="electron">{about.electron}</Code>],
          ['Chromium', <Code key="chromium">{about.chrome}</Code>],
          ['Node.js', <Code key="node">{about.node}</Code>],
        ]}
      />
      {about.electron !== about.pinned && (
        <p>{text('about.otherRuntime', { pinned: about.pinned })}</p>
      )}
    </section>
  );
}

function LicenceList({ about }: { about: About }) {
  const text = useText();
  const { packages, chromiumFile } = about;
  return (
    <section aria-label={text('about.licences')} className="stack gap2">
      <h2>{text('about.licences')}</h2>
      <p>{text('about.own', { count: packages.length })}</p>
      <ul>
        {packages.map(({ name, version, licence, text: terms }) => (
          <li key={`${name} ${version}`}>
            <details>
              <summary>
                <bdi>{`${name} ${version}, ${licence}`}</bdi>
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
