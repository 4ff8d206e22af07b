import { Siren } from 'lucide-react';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { Icon } from '../../components/icon.tsx';
import { Quiet, Row, Stack } from '../../components/layout.tsx';
import { SegmentedControl } from '../../components/segmented-control.tsx';
import { Empty } from '../../components/surfaces.tsx';
import { useText } from '../../text/text.tsx';
import styles from './auditor.module.css';
import { GrantCard } from './grant-card.tsx';
import { Listing } from './listing.tsx';
import { usePages } from './use-audit.ts';

export function ReviewsScreen(): ReactElement {
  const text = useText();
  const [state, setState] = useState<'open' | 'all'>('open');
  const query = usePages('listBreakGlass', { state });
  const grants = query.pages?.flatMap((page) => page.grants) ?? [];
  return (
    <Stack gap="gap3">
      <Row gap="gap3" className={styles['head']}>
        <h1>{text('screen.reviews')}</h1>
        <SegmentedControl
          quiet
          label={text('audit.showOnly')}
          value={state}
          options={[
            ['open', text('review.open')],
            ['all', text('review.all')],
          ]}
          onChange={setState}
        />
      </Row>
      <Listing
        of={query}
        what="screen.reviews"
        isEmpty={grants.length === 0}
        empty={<Empty title={text('review.none')} help={text('review.noneHelp')} />}
      >
        <ul className={`stack gap2 ${styles['queue'] ?? ''}`}>
          {grants.map((grant) => (
            <GrantCard key={grant.breakGlassId} grant={grant} />
          ))}
        </ul>
      </Listing>
    </Stack>
  );
}

export function ReviewQueue(): ReactElement {
  const text = useText();
  const query = usePages('listBreakGlass', { state: 'open' });
  const grants = query.pages?.flatMap((page) => page.grants) ?? [];
  return (
    <section aria-label={text('review.title')} className={styles['pane']}>
      <h2>
        <Icon of={Siren} />
        {text('review.title')}
      </h2>
      <Listing
        of={query}
        what="screen.reviews"
        isEmpty={grants.length === 0}
        empty={
          <Quiet as="p" size="row13">
            {text('review.none')}
          </Quiet>
        }
      >
        <Stack as="ul">
          {grants.map((grant) => (
            <GrantCard key={grant.breakGlassId} grant={grant} />
          ))}
        </Stack>
      </Listing>
    </section>
  );
}
