import { useQueryClient } from '@tanstack/react-query';
import { Clock, Siren } from 'lucide-react';
import { useState } from 'react';
import type { BreakGlassGrant } from '@caregate/domain';
import { useIntl } from 'react-intl';
import { Button, Code, Field } from '../../ui/controls.tsx';
import { formatDateTime } from '../../ui/values/dates.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Quiet, Row, Stack } from '../../ui/layout.tsx';
import { ProblemNote } from '../../ui/problem.tsx';
import { Card, Chip } from '../../ui/surfaces.tsx';
import { useAttempt } from '../../ui/use-attempt.ts';
import { useAuditSubject } from '../../app/selection.tsx';
import { useNavigation } from '../../app/navigation.tsx';
import { unwrap } from '../../api/service-call.ts';
import { useText } from '../../i18n/text.tsx';
import styles from './access-log.module.css';
import { Listing, useOpenGrants } from './use-audit.tsx';
import { useAuditWords } from './words.ts';

export default function ReviewsScreen() {
  return (
    <Stack gap="gap3">
      <h1>{useText()('screen.reviews')}</h1>
      <OpenGrants />
    </Stack>
  );
}

export function OpenGrants() {
  const { query, grants } = useOpenGrants();
  return (
    <Listing
      of={query}
      what="screen.reviews"
      isEmpty={grants.length === 0}
      empty={<Quiet as="p">{useText()('review.none')}</Quiet>}
    >
      <ul className={`stack gap2 ${styles['queue'] ?? ''}`}>
        {grants.map((grant) => (
          <GrantCard key={grant.break_glass_id} grant={grant} />
        ))}
      </ul>
    </Listing>
  );
}

function GrantCard({ grant }: { grant: BreakGlassGrant }) {
  const text = useText();
  const intl = useIntl();
  const { formatReason } = useAuditWords();
  const { setSubject } = useAuditSubject();
  const { go } = useNavigation();
  const { user_id: userId, reason_code: reason } = grant;
  return (
    <Card as="li" className={`gap1 row13 ${styles['grant'] ?? ''}`}>
      <Row as="p">
        <Icon of={Siren} />
        <b className="wrap grow">
          {grant.staff_name ?? grant.key_label ?? grant.staff_id ?? grant.key_id}
        </b>
        <DueChip grant={grant} />
      </Row>
      <Quiet as="p" size="meta">
        {text('review.to')} <Code>{userId}</Code>, {formatDateTime(intl, grant.granted_at)}
      </Quiet>
      <p>{formatReason(reason)}</p>
      <blockquote>
        <bdi>{text('value.quoted', { value: grant.text })}</bdi>
      </blockquote>
      <Review breakGlassId={grant.break_glass_id} />
      <div>
        <Button
          kind="quiet"
          onPress={() => {
            setSubject(userId);
            go('accesses');
          }}
        >
          {text('review.views')}
        </Button>
      </div>
    </Card>
  );
}

function DueChip({ grant: { review_due_at: dueAt, overdue } }: { grant: BreakGlassGrant }) {
  const text = useText();
  const [now] = useState(() => Date.now());
  const isLate = overdue || Date.parse(dueAt) < now;
  const hours = useIntl().formatNumber(Math.ceil(Math.abs(Date.parse(dueAt) - now) / 3_600_000));
  return (
    <Chip kind={isLate ? 'flag' : 'notice'} icon={Clock}>
      {text(isLate ? 'review.late' : 'review.left', { hours })}
    </Chip>
  );
}

function Review({ breakGlassId }: { breakGlassId: string }) {
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
            <Button kind="quiet" onPress={() => setAsksNote(false)}>
              {text('state.cancel')}
            </Button>
          </Row>
        </Stack>
      ) : (
        <Row>
          <Button onPress={() => review('justified')}>{text('review.justified')}</Button>
          <Button onPress={() => setAsksNote(true)}>{text('review.notJustifiedWith')}</Button>
        </Row>
      )}
    </>
  );
}
