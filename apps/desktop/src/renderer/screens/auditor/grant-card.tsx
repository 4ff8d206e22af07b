import { useQueryClient } from '@tanstack/react-query';
import { Clock, Eye } from 'lucide-react';
import { useState } from 'react';
import type { ReactElement, SyntheticEvent } from 'react';
import { useIntl } from 'react-intl';
import type { Grant } from '../../../bridge/audit.ts';
import type { Problem } from '../../../bridge/problem.ts';
import { Button, Code, Field } from '../../components/controls.tsx';
import { Moment } from '../../components/dates.tsx';
import { Icon } from '../../components/icon.tsx';
import { ProblemNote } from '../../components/problem.tsx';
import { useAuditSubject } from '../../state/audit-subject.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import { callService, problemOf } from '../../state/service-call.ts';
import { useRoleText, useText } from '../../text/text.tsx';
import styles from './auditor.module.css';
import { useAuditWords } from './words.ts';

/** One emergency access: who, to whom, why, until when it must be reviewed; and the review. */
export function GrantCard({ grant }: { grant: Grant }): ReactElement {
  const text = useText();
  const roleText = useRoleText();
  const words = useAuditWords();
  const { setSubject } = useAuditSubject();
  const { go } = useNavigation();
  const { by, role, userId, reasonCode, text: said, grantedAt, outcome, note, reviewedBy } = grant;
  return (
    <li className={styles['grant']}>
      <p className={styles['line']}>
        <b className={styles['grow']}>
          {by} <span className={styles['quiet']}>{roleText(role)}</span>
        </b>
        {outcome === undefined && <Due grant={grant} />}
      </p>
      <p className={styles['quiet']}>
        {text('review.to')} <Code>{userId}</Code>
        <br />
        <Moment plain at={grantedAt} />
      </p>
      <p>{words.reason(reasonCode)}</p>
      <blockquote>
        <bdi>{text('value.quoted', { value: said })}</bdi>
      </blockquote>
      {outcome === undefined ? (
        <Review grant={grant} />
      ) : (
        <p>
          <b>{text(outcome === 'justified' ? 'review.justified' : 'review.notJustified')}</b>{' '}
          <span className={styles['quiet']}>{reviewedBy}</span>
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
            setSubject({ kind: 'patient', id: userId });
            go('accesses');
          }}
        >
          <Icon of={Eye} />
          {text('review.views')}
        </Button>
      </div>
    </li>
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
    <span
      className={`${styles['chip'] ?? ''} ${(isLate ? styles['flag'] : styles['notice']) ?? ''}`}
    >
      <Icon of={Clock} />
      {text(isLate ? 'review.late' : 'review.left', { hours: count })}
    </span>
  );
}

/** Justified in one press; not justified only with a note. */
function Review({ grant: { breakGlassId } }: { grant: Grant }): ReactElement {
  const text = useText();
  const queries = useQueryClient();
  const [asksNote, setAsksNote] = useState(false);
  const [note, setNote] = useState('');
  const [isMissing, setMissing] = useState(false);
  const [working, setWorking] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const review = (outcome: 'justified' | 'not_justified'): void => {
    if (working) return;
    setWorking(true);
    setProblem(undefined);
    const remark = note.trim();
    callService('reviewGrant', { breakGlassId, outcome, ...(remark !== '' && { note: remark }) })
      .then(
        () => queries.invalidateQueries({ queryKey: ['grants'] }),
        (error: unknown) => {
          setProblem(problemOf(error));
        },
      )
      .finally(() => {
        setWorking(false);
      });
  };
  const onSubmit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (note.trim() === '') setMissing(true);
    else review('not_justified');
  };
  return (
    <>
      {problem !== undefined && <ProblemNote problem={problem} />}
      {asksNote ? (
        <form onSubmit={onSubmit} className={styles['noteForm']}>
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
          <div className={styles['line']}>
            <Button type="submit">{text('review.notJustified')}</Button>
            <Button
              kind="quiet"
              onPress={() => {
                setAsksNote(false);
              }}
            >
              {text('state.cancel')}
            </Button>
          </div>
        </form>
      ) : (
        <div className={styles['line']}>
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
        </div>
      )}
    </>
  );
}
