import { UsersRound } from 'lucide-react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import type { FoundPerson } from '@caregate/domain';
import { useAgeText } from '../../ui/values/age.ts';
import { Code } from '../../ui/controls.tsx';
import { dayText } from '../../ui/values/dates.tsx';
import { entryClass } from '../../ui/entry.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Quiet, Stack } from '../../ui/layout.tsx';
import { phoneText } from '../../ui/values/phone.ts';
import { useMask, useMasked } from '../../app/mask.tsx';
import { useText } from '../../i18n/text.tsx';
import { alikeOf, twinsByBirth } from './enter.ts';
import type { Alike } from './enter.ts';
import { markedParts } from './marked.ts';
import { useWordFor } from './source-text.ts';
import type { PeopleSearch } from './use-people-search.ts';
import styles from './found.module.css';

const rowClass = `stack gap2 ${styles['row'] ?? ''}`;

export function optionId({ user_id: userId }: FoundPerson): string {
  return `found-${userId}`;
}

export function FoundList(props: {
  readonly search: PeopleSearch;
  readonly row: FoundPerson | undefined;
  readonly onChoose: (found: FoundPerson) => void;
  readonly onOpen: (found: FoundPerson) => void;
}): ReactElement {
  const { search, row, onChoose, onOpen } = props;
  const text = useText();
  const intl = useIntl();
  const mask = useMask();
  const { shown, total, more } = search;
  const groups = twinsByBirth(shown);
  const bornText = (born: string): string =>
    mask(born === '' ? text('patient.noBirthDate') : dayText(intl, born));
  const option = (one: FoundPerson): ReactElement => (
    <div
      key={one.user_id}
      id={optionId(one)}
      role="option"
      aria-selected={one === row}
      data-current={one === row || undefined}
      className={`${entryClass} ${rowClass}`}
      // Keeps the focus in the field.
      onMouseDown={(event) => {
        event.preventDefault();
      }}
      onClick={() => {
        onChoose(one);
      }}
      onDoubleClick={() => {
        onOpen(one);
      }}
    >
      {groups === undefined ? (
        <Row
          one={one}
          text={search.text}
          alike={alikeOf(shown, one)}
          isAll={!more && total <= shown.length}
        />
      ) : (
        <TwinRow one={one} typed={search.text} />
      )}
    </div>
  );
  return (
    <section aria-label={text('find.people')} className={`column ${styles['list'] ?? ''}`}>
      <div aria-hidden="true" className={`${rowClass} quiet meta medium ${styles['head'] ?? ''}`}>
        <span>{text(groups === undefined ? 'column.name' : 'column.nameSource')}</span>
        <span>{text(groups === undefined ? 'patient.born' : 'find.contact')}</span>
        <span>{text('patient.clientId')}</span>
        <span>{text('column.lastSeen')}</span>
      </div>
      <div id="people-found" role="listbox" aria-label={text('find.people')}>
        {groups === undefined
          ? shown.map(option)
          : [...groups].map(([born, twins]) => (
              <div key={born} role="group" aria-label={bornText(born)}>
                <p aria-hidden="true" className={`row13 ${styles['group'] ?? ''}`}>
                  <BornIn born={born} count={twins.length} />
                </p>
                {twins.map(option)}
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
  readonly text: string;
  readonly alike: readonly Alike[];
  readonly isAll: boolean;
}): ReactElement {
  const { one, alike, isAll } = props;
  const text = useText();
  const intl = useIntl();
  const mask = useMask();
  const ageText = useAgeText();
  const { birth_date: born } = one;
  const age = born ? ageText(born, true) : undefined;
  return (
    <>
      <span className={`stack narrow ${styles['names'] ?? ''}`}>
        <Name one={one} typed={props.text} />
        <Why one={one} typed={props.text} />
        {alike.some(({ isTwin }) => isTwin) && (
          <Quiet size="meta">
            <PhoneAndTown one={one} />
          </Quiet>
        )}
        <AlikeNote alike={alike} isAll={isAll} />
      </span>
      <span className="numbers">
        {born ? (
          <>
            <b>{mask(dayText(intl, born))}</b> {age !== undefined && <Quiet>{mask(age)}</Quiet>}
          </>
        ) : (
          <Quiet>{text('value.none')}</Quiet>
        )}
      </span>
      <ClientIdAndSeen one={one} />
    </>
  );
}

function BornIn({ born, count }: { born: string; count: number }): ReactElement {
  const text = useText();
  const intl = useIntl();
  const mask = useMask();
  const ageText = useAgeText();
  const age = born === '' ? undefined : ageText(born);
  return (
    <>
      {born === '' ? (
        <Quiet>{text('patient.noBirthDate')}</Quiet>
      ) : (
        <>
          {text('patient.born')} <b className={styles['name']}>{mask(dayText(intl, born))}</b>{' '}
          {age !== undefined && <Quiet>({mask(age)})</Quiet>}
        </>
      )}{' '}
      · <span className={count > 1 ? 'bold noticed' : ''}>{text('find.count', { count })}</span>
    </>
  );
}

function TwinRow({ one, typed }: { one: FoundPerson; typed: string }): ReactElement {
  const text = useText();
  const mask = useMask();
  const wordFor = useWordFor();
  const { phone, town, name_source: source } = one;
  return (
    <>
      <span className={`stack narrow ${styles['names'] ?? ''}`}>
        <Name one={one} typed={typed} />
        {one.matched_birth_date || one.matched_name ? (
          <Why one={one} typed={typed} />
        ) : (
          source && (
            <Quiet size="meta">
              {text('find.nameFrom', { source: wordFor('source', source) })}
            </Quiet>
          )
        )}
      </span>
      <span className="stack narrow">
        {phone ? (
          <b className={styles['name']}>
            <bdi dir="ltr">{mask(phoneText(phone))}</bdi>
          </b>
        ) : (
          <Quiet>{text('find.noPhone')}</Quiet>
        )}
        <span className="wrap">{town ? <bdi>{mask(town)}</bdi> : text('find.noTown')}</span>
      </span>
      <ClientIdAndSeen one={one} />
    </>
  );
}

function ClientIdAndSeen({ one }: { one: FoundPerson }): ReactElement {
  const text = useText();
  const intl = useIntl();
  const mask = useMask();
  const { client_user_id: clientUserId, last_seen: lastSeen } = one;
  return (
    <>
      <span>
        {clientUserId ? <Code>{mask(clientUserId)}</Code> : <Quiet>{text('value.none')}</Quiet>}
      </span>
      <Quiet>{lastSeen ? dayText(intl, lastSeen) : text('find.neverSeen')}</Quiet>
    </>
  );
}

function Name({ one, typed }: { one: FoundPerson; typed: string }): ReactElement {
  const text = useText();
  const mask = useMask();
  const masked = useMasked();
  const { name, matched } = one;
  if (!name) return <Quiet>{text('patient.noName')}</Quiet>;
  if (masked || matched !== 'name') {
    return (
      <b className={styles['name']}>
        <bdi>{mask(name)}</bdi>
      </b>
    );
  }
  return (
    <b className={styles['name']}>
      <bdi>
        {markedParts(name, typed).map(({ text: part, isMatch }, place) =>
          isMatch ? <mark key={place}>{part}</mark> : part,
        )}
      </bdi>
    </b>
  );
}

function Why({ one, typed }: { one: FoundPerson; typed: string }): ReactElement | null {
  const text = useText();
  const mask = useMask();
  const wordFor = useWordFor();
  const intl = useIntl();
  const { matched, matched_name: other, matched_birth_date: born, name_source: source } = one;
  if (born) {
    const date = mask(dayText(intl, born));
    return <Quiet size="meta">{text('find.byOtherBirthDate', { date })}</Quiet>;
  }
  if (matched === 'name' && other && other !== one.name) {
    return <Quiet size="meta">{text('find.byOtherName', { name: mask(other) })}</Quiet>;
  }
  if (matched === 'name') {
    const isMarked = one.name && markedParts(one.name, typed).some(({ isMatch }) => isMatch);
    const isPlain = !source || source === 'info' || source === 'user';
    return isPlain || !isMarked ? null : (
      <Quiet size="meta">{text('find.nameFrom', { source: wordFor('source', source) })}</Quiet>
    );
  }
  return <Quiet size="meta">{wordFor('by', matched)}</Quiet>;
}

function AlikeNote(props: {
  readonly alike: readonly Alike[];
  readonly isAll: boolean;
}): ReactElement | null {
  const { alike, isAll } = props;
  const text = useText();
  const kinds = ['sameName', 'nearName', 'sameBirthDate'] as const;
  const kind = kinds.find((one) => alike.some(({ likeness }) => likeness === one));
  if (kind === undefined) return null;
  const twins = alike.filter(({ isTwin }) => isTwin).length;
  const count = twins > 0 ? twins : alike.filter(({ likeness }) => likeness === kind).length;
  const said = text(twins > 0 ? 'find.sameBoth' : `find.${kind}`, { count });
  return (
    <span className="line gap1 meta bold noticed">
      <Icon of={UsersRound} />
      {isAll ? said : text('find.orMore', { said })}
    </span>
  );
}

function PhoneAndTown({ one }: { one: FoundPerson }): ReactElement {
  const text = useText();
  const mask = useMask();
  const { phone, town } = one;
  return (
    <>
      <b>{phone ? <bdi dir="ltr">{mask(phoneText(phone))}</bdi> : text('find.noPhone')}</b> ·{' '}
      {town ? <bdi>{mask(town)}</bdi> : text('find.noTown')}
    </>
  );
}
