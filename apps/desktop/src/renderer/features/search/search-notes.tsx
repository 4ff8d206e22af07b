import { useIntl } from 'react-intl';
import { detectPersonalIdentifier, type FoundPerson } from '@caregate/domain';
import { Button, KeyHint } from '../../ui/controls.tsx';
import { Row } from '../../ui/layout.tsx';
import { Loading } from '../../ui/loading.tsx';
import { ProblemNote, useFormatProblem } from '../../ui/problem.tsx';
import { useMask } from '../../app/mask.tsx';
import { useText, type MessageKey } from '../../i18n/text.tsx';
import { formatExampleBirthDate } from './birth-date-text.ts';
import { MANY, type PeopleSearch } from './use-people-search.ts';
import styles from './search.module.css';

export function SearchNotes(props: {
  readonly search: PeopleSearch;
  readonly isToChoose: boolean;
  readonly row: FoundPerson | undefined;
}) {
  const { search, isToChoose, row } = props;
  const text = useText();
  const { people, shown, total, more, searched, isPending, problem, unavailable } = search;
  const isPart = people !== undefined && (more || total > shown.length);
  return (
    <>
      <Row className={styles['notes']}>
        <p role="status" className="row13">
          <Outcome search={search} isToChoose={isToChoose} row={row} />
        </p>
        {isPart && shown.length < MANY && (
          <Button kind="quiet" onPress={search.searchNow}>
            {text('find.moreFound')}
          </Button>
        )}
      </Row>
      {searched === 'orders' && people !== undefined && (
        <p className="bold noticed">{text('find.ordersOnly')}</p>
      )}
      {isPending && shown.length === 0 && problem === undefined && unavailable === undefined && (
        <Loading what="find.people" onCancel={search.cancel} />
      )}
      {problem !== undefined && unavailable === undefined && problem.kind !== 'notOffered' && (
        <ProblemNote problem={problem} onRetry={search.retry} />
      )}
    </>
  );
}

function Outcome(props: {
  readonly search: PeopleSearch;
  readonly isToChoose: boolean;
  readonly row: FoundPerson | undefined;
}) {
  const { search, isToChoose, row } = props;
  const formatProblem = useFormatProblem();
  const text = useText();
  const mask = useMask();
  const { locale } = useIntl();
  const { people, total, more, isTooShort, unavailable, text: typed } = search;
  if (unavailable !== undefined)
    return (
      <>
        {unavailable.kind === 'notOffered' ? text('find.notOffered') : formatProblem(unavailable)}{' '}
        {text('find.byId')}{' '}
        {detectPersonalIdentifier(typed) !== undefined && <b>{text('find.looksLike')}</b>}
      </>
    );
  if (isTooShort) {
    return <>{text('find.tooShort', { date: formatExampleBirthDate(locale).written })}</>;
  }
  if (isToChoose) {
    const name = mask(row?.name ?? row?.client_user_id ?? '');
    return <b>{row ? text('find.enterAgain', { name }) : text('find.chooseOne')}</b>;
  }
  if (people === undefined) return null;
  if (people.length === 0) return <>{text('find.nobody', { text: mask(typed) })}</>;
  const isGuess = people.every(({ matched }) => matched === 'sound');
  return (
    <>
      <b>
        {total > people.length
          ? text(more ? 'find.countOver' : 'find.countOf', {
              shown: people.length,
              // If there are more people, `total` is one more than the number that was counted.
              count: more ? total - 1 : total,
            })
          : text('find.count', { count: people.length })}
      </b>{' '}
      {text(isGuess ? 'find.countSound' : 'find.countFor', { text: mask(typed) })}
      {people.length >= MANY && total > people.length && <> · {text('find.typeOn')}</>}
    </>
  );
}

/** The keys of a screen of Search, which are shown at its lower edge. */
export function KeyHints(props: {
  readonly keys: readonly (readonly [cap: string, does: MessageKey])[];
}) {
  const text = useText();
  return (
    <Row as="p" className={`quiet meta ${styles['keys'] ?? ''}`}>
      {props.keys.map(([cap, does]) => (
        <KeyHint key={does} keys={[cap]}>
          {text(does)}
        </KeyHint>
      ))}
    </Row>
  );
}
