import { useQueryClient } from '@tanstack/react-query';
import { Clock, Eye } from 'lucide-react';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import type { Grant } from '../../../shared/audit.ts';
import { Button, Code, Field } from '../../ui/controls.tsx';
import { Moment } from '../../ui/values/dates.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Quiet, Row, Stack } from '../../ui/layout.tsx';
import { ProblemNote } from '../../ui/problem.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Card, Chip } from '../../ui/surfaces.tsx';
import { useAttempt } from '../../ui/use-attempt.ts';
import { useAuditSubject } from '../../app/selection.tsx';
import { useNavigation } from '../../app/navigation.tsx';
import { unwrap } from '../../api/service-call.ts';
import { useFormatRole, useText } from '../../i18n/text.tsx';
import styles from './access-log.module.css';
import { Listing, useOpenGrants, usePages } from './use-audit.tsx';
import { useAuditWords } from './words.ts';

export function ReviewsScreen(): ReactElement {
  const text = useText();
  const [state, setState] = useState<'open' | 'all'>('open');
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
      {state === 'open' ? <OpenGrants /> : <AllGrants />}
    </Stack>
  );
}

export function OpenGrants(): ReactElement {
  return <Grants {...useOpenGrants()} />;
}

function AllGrants(): ReactElement {
  const query = usePages('listBreakGlass', { state: 'all' });
  return <Grants query={query} grants={query.pages?.flatMap((page) => page.grants) ?? []} />;
}

function Grants({ query, grants }: ReturnType<typeof useOpenGrants>): ReactElement {
  const text = useText();
  return (
    <Listing
      of={query}
      what="screen.reviews"
      isEmpty={grants.length === 0}
      empty={<Quiet as="p">{text('review.none')}</Quiet>}
    >
      <ul className={`stack gap2 ${styles['queue'] ?? ''}`}>
        {grants.map((grant) => (
          <GrantCard key={grant.breakGlassId} grant={grant} />
        ))}
      </ul>
    </Listing>
  );
}

function GrantCard({ grant }: { grant: Grant }): ReactElement {
  const text = useText();
  const formatRole = useFormatRole();
  const { setSubject } = useAuditSubject();
  const { go } = useNavigation();
  const {
    by,
    role,
    userId,
    reasonCode,
    text: statement,
    grantedAt,
    outcome,
    note,
    reviewedBy,
  } = grant;
  return (
    <Card as="li" className={styles['grant']}>
      <Row as="p">
        <b className={styles['grow']}>
          {by} <Quiet size="row13">{formatRole(role)}</Quiet>
        </b>
        {outcome === undefined && <Due grant={grant} />}
      </Row>
      <Quiet as="p">
        {text('review.to')} <Code>{userId}</Code>
        <br />
        <Moment plain at={grantedAt} />
      </Quiet>
      <p>{useAuditWords().formatReason(reasonCode)}</p>
      <blockquote>
        <bdi>{text('value.quoted', { value: statement })}</bdi>
      </blockquote>
      {outcome === undefined ? (
        <Review grant={grant} />
      ) : (
        <p>
          <b>{text(outcome === 'justified' ? 'review.justified' : 'review.notJustified')}</b>{' '}
          <Quiet>{reviewedBy}</Quiet>
          {note !== undefined && (
            <>
              <br />
              {note}
            </>
          )}
        </p>
      )}
      <div>
        <Button
          kind="quiet"
          onPress={() => {
            setSubject(userId);
            go('accesses');
          }}
        >
          <Icon of={Eye} />
          {text('review.views')}
        </Button>
      </div>
    </Card>
  );
}

function Due({ grant: { reviewDueAt, overdue } }: { grant: Grant }): ReactElement {
  const text = useText();
  const intl = useIntl();
  const [now] = useState(() => Date.now());
  const hours = Math.abs(Date.parse(reviewDueAt) - now) / 3_600_000;
  const isLate = overdue || Date.parse(reviewDueAt) < now;
  const count = intl.formatNumber(Math.ceil(hours));
  return (
    <Chip kind={isLate ? 'flag' : 'notice'} icon={Clock}>
      {text(isLate ? 'review.late' : 'review.left', { hours: count })}
    </Chip>
  );
}

function Review({ grant: { breakGlassId } }: { grant: Grant }): ReactElement {
  const text = useText();
  const queries = useQueryClient();
  const [asksNote, setAsksNote] = useState(false);
  const [note, setNote] = useState('');
  const [isMissing, setMissing] = useState(false);
  const { run, problem } = useAttempt();
  const review = (outcome: 'justified' | 'not_justified'): void => {
    const remark = note.trim();
    run(async () => {
      const noteParam = remark !== '' && { note: remark };
      await unwrap(window.caregate.reviewBreakGlass({ breakGlassId, outcome, ...noteParam }));
      await queries.invalidateQueries({ queryKey: ['listBreakGlass'] });
    });
  };
  return (
    <>
      {problem !== undefined && <ProblemNote problem={problem} />}
      {asksNote ? (
        <Stack
          as="form"
          onSubmit={(event) => {
            event.preventDefault();
            if (note.trim() === '') setMissing(true);
            else review('not_justified');
          }}
        >
          <Field
            autoFocus
            label={text('review.note')}
            error={isMissing ? text('review.typeNote') : undefined}
            value={note}
            onChange={(typed) => {
              setNote(typed);
              setMissing(false);
            }}
            maxLength={2000}
          />
          <Row>
            <Button type="submit">{text('review.notJustified')}</Button>
            <Button
              kind="quiet"
              onPress={() => {
                setAsksNote(false);
              }}
            >
              {text('state.cancel')}
            </Button>
          </Row>
        </Stack>
      ) : (
        <Row>
          <Button
            onPress={() => {
              review('justified');
            }}
          >
            {text('review.justified')}
          </Button>
          <Button
            onPress={() => {
              setAsksNote(true);
            }}
          >
            {text('review.notJustifiedWith')}
          </Button>
        </Row>
      )}
    </>
  );
}
