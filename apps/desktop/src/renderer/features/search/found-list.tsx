import { UsersRound } from 'lucide-react';
import { useIntl } from 'react-intl';
import type { FoundPerson } from '@caregate/domain';
import { Code } from '../../ui/controls.tsx';
import { BirthDate, formatDate } from '../../ui/values/dates.tsx';
import { entryClass } from '../../ui/entry.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Quiet, Stack } from '../../ui/layout.tsx';
import { formatPhone } from '../../ui/values/phone.ts';
import { useMask, useMasked } from '../../app/mask.tsx';
import { useText, type MessageKey } from '../../i18n/text.tsx';
import { markMatches, findSimilarPatients, type SimilarPatient } from './same-name.ts';
import type { PeopleSearch } from './use-people-search.ts';
import styles from './search.module.css';

export function getOptionId({ user_id: userId }: FoundPerson): string {
  return `found-${userId}`;
}

/** The rows are options of the search field, which keeps the focus, so that the user can continue to type. */
export function FoundList(props: {
  readonly search: PeopleSearch;
  readonly row: FoundPerson | undefined;
  readonly onChoose: (found: FoundPerson) => void;
  readonly onOpen: (found: FoundPerson) => void;
}) {
  const { search, row, onChoose, onOpen } = props;
  const text = useText();
  const { shown, total, more } = search;
  const columns = `${styles['columns'] ?? ''} ${styles['found'] ?? ''}`;
  return (
    <section aria-label={text('find.people')} className={styles['list']}>
      <div aria-hidden="true" className={`quiet meta medium ${columns} ${styles['head'] ?? ''}`}>
        <span>{text('column.name')}</span>
        <span>{text('patient.born')}</span>
        <span>{text('patient.clientId')}</span>
        <span>{text('person.phone')}</span>
        <span>{text('column.lastSeen')}</span>
      </div>
      <div id="people-found" role="listbox" aria-label={text('find.people')}>
        {shown.map((one) => (
          <div
            key={one.user_id}
            id={getOptionId(one)}
            role="option"
            aria-selected={one === row}
            data-current={one === row || undefined}
            className={`${entryClass} ${columns}`}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(one)}
            onDoubleClick={() => onOpen(one)}
          >
            <Row
              one={one}
              typed={search.text}
              similar={findSimilarPatients(shown, one)}
              isAll={!more && total <= shown.length}
            />
          </div>
        ))}
      </div>
      <Stack gap="gap1" className={styles['hint']}>
        <b>{text('find.notInList')}</b>
        <Quiet as="p">{text('find.notInListHelp')}</Quiet>
      </Stack>
    </section>
  );
}

function Row(props: {
  readonly one: FoundPerson;
  readonly typed: string;
  readonly similar: readonly SimilarPatient[];
  readonly isAll: boolean;
}) {
  const { one, typed, similar, isAll } = props;
  const text = useText();
  const intl = useIntl();
  const mask = useMask();
  const { client_user_id: clientUserId, last_seen: lastSeen, phone, town } = one;
  const none = <Quiet>{text('value.none')}</Quiet>;
  const needsPhone = similar.some(({ hasSameDob }) => hasSameDob);
  return (
    <>
      <span className={`stack narrow ${styles['names'] ?? ''}`}>
        <Name one={one} typed={typed} />
        <MatchReason one={one} />
        <SimilarNote similar={similar} isAll={isAll} />
      </span>
      <BirthDate date={one.birth_date} />
      <span className="wrap">{clientUserId ? <Code>{mask(clientUserId)}</Code> : none}</span>
      <span className={`stack narrow ${needsPhone ? 'medium' : ''}`}>
        <span>{phone ? <bdi dir="ltr">{mask(formatPhone(phone))}</bdi> : none}</span>
        {needsPhone && <span className="wrap">{town ? <bdi>{mask(town)}</bdi> : none}</span>}
      </span>
      <Quiet>{lastSeen ? formatDate(intl, lastSeen) : text('find.neverSeen')}</Quiet>
    </>
  );
}

function Name({ one, typed }: { one: FoundPerson; typed: string }) {
  const text = useText();
  const mask = useMask();
  const isMasked = useMasked();
  const { name, matched } = one;
  if (!name) return <Quiet>{text('patient.noName')}</Quiet>;
  return (
    <b className={styles['name']}>
      <bdi>
        {isMasked || matched !== 'name'
          ? mask(name)
          : markMatches(name, typed).map(({ text: part, isMatch }, place) =>
              isMatch ? <mark key={place}>{part}</mark> : part,
            )}
      </bdi>
    </b>
  );
}

/** Explains a match that the patient's name doesn't show. */
function MatchReason({ one }: { one: FoundPerson }) {
  const text = useText();
  const mask = useMask();
  const intl = useIntl();
  const { name, matched, matched_name: other, matched_birth_date: born } = one;
  const explain = (): string | undefined => {
    if (born) return text('find.byOtherBirthDate', { date: mask(formatDate(intl, born)) });
    if (matched === 'name')
      return other && other !== name ? text('find.byOtherName', { name: mask(other) }) : undefined;
    return MATCHES.includes(matched)
      ? text(`find.by.${matched}` as MessageKey)
      : text('value.quoted', { value: matched });
  };
  const why = explain();
  return why === undefined ? null : <Quiet size="meta">{why}</Quiet>;
}

const MATCHES: readonly string[] = ['sound', 'phone', 'birth_date', 'id', 'near_id'];

function SimilarNote(props: {
  readonly similar: readonly SimilarPatient[];
  readonly isAll: boolean;
}) {
  const { similar, isAll } = props;
  const text = useText();
  if (similar.length === 0) return null;
  const sameBoth = similar.filter(({ hasSameDob }) => hasSameDob).length;
  const same = similar.filter(({ likeness }) => likeness === 'sameName').length;
  const kind = sameBoth > 0 ? 'sameBoth' : same > 0 ? 'sameName' : 'nearName';
  const message = text(`find.${kind}`, { count: sameBoth || same || similar.length });
  return (
    <span className="line gap1 meta bold noticed">
      <Icon of={UsersRound} />
      {isAll ? message : text('find.orMore', { message })}
    </span>
  );
}
