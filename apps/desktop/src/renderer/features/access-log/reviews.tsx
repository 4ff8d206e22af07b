import { useState } from 'react';
import type { ReactElement } from 'react';
import { Row, Stack } from '../../ui/layout.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Empty } from '../../ui/surfaces.tsx';
import { useText } from '../../i18n/text.tsx';
import styles from './auditor.module.css';
import { GrantCard } from './grant-card.tsx';
import { Listing } from './listing.tsx';
import { useOpenGrants, usePages } from './use-audit.ts';

export function ReviewsScreen(): ReactElement {
  const text = useText();
  const [state, setState] = useState<'open' | 'all'>('open');
  const open = useOpenGrants();
  const all = usePages('listBreakGlass', { state: 'all' }, state === 'all');
  const { query, grants } =
    state === 'open'
      ? open
      : { query: all, grants: all.pages?.flatMap((page) => page.grants) ?? [] };
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
