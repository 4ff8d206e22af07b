import { Check, UserSearch } from 'lucide-react';
import { useEffect, useRef, useState, type SyntheticEvent } from 'react';
import { Button, Field } from '../../../ui/controls.tsx';
import { Day } from '../../../ui/values/dates.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Stack } from '../../../ui/layout.tsx';
import { Banner } from '../../../ui/surfaces.tsx';
import { hidden, useMasked } from '../../../app/mask.tsx';
import { useIdentity } from '../../patient/identity.ts';
import type { Person } from '../../patient/person.ts';
import { useText } from '../../../i18n/text.tsx';
import { isSamePatient, type IdentityCheck } from './identity-check.ts';
import { minReasonLength, countVisibleCharacters, type IdentityGate } from './identity-gate.ts';
import styles from '../labs.module.css';

/** Shows the result of the identity check if it needs no attention. */
export function IdentityNote(props: {
  readonly check: IdentityCheck;
  readonly patient: string | null | undefined;
  readonly person: Person | undefined;
}) {
  const { check, patient, person } = props;
  const text = useText();
  if (check.kind === 'notComparable')
    return <span>{text(`identity.lacking.${check.lacking}`)}</span>;
  if (check.kind !== 'match' || person === undefined) return null;
  return <Match patient={patient} person={person} />;
}

function Match({ patient, person }: NameProps) {
  const text = useText();
  const { name } = useIdentity(person);
  const isNameSame = patient && name && isSamePatient({ patient }, { patient: name });
  return (
    <span className="line gap2">
      <Icon of={Check} />
      {text(isNameSame ? 'identity.match' : 'identity.matchDob')}
    </span>
  );
}

/** Blocks print and copy until the user states why the report is about this patient. */
export function IdentityBanner({ gate }: { readonly gate: IdentityGate }) {
  const { check, reason } = gate;
  const text = useText();
  if (reason !== undefined) {
    return (
      <Banner kind="flag">
        <p ref={focusOn} tabIndex={-1} role="status">
          <strong>{text('identity.title')}</strong> {text('identity.dismissed', { reason })}
        </p>
      </Banner>
    );
  }
  return (
    <Banner kind="flag" role="alert" aria-label={text('identity.title')}>
      <Stack gap="gap1" className={`grow ${styles['identity'] ?? ''}`}>
        <h2>{text('identity.title')}</h2>
        <CheckResult check={check} />
        <Reason gate={gate} />
      </Stack>
    </Banner>
  );
}

const focusOn = (element: HTMLElement | null): void => {
  element?.focus();
};

function Reason({ gate }: { gate: IdentityGate }) {
  const { attempted, confirm } = gate;
  const text = useText();
  const [typed, setTyped] = useState('');
  const [isShort, setShort] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (attempted !== undefined) form.current?.querySelector('input')?.focus();
  }, [attempted]);
  const lacking = minReasonLength - countVisibleCharacters(typed);
  const onSubmit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (lacking > 0) setShort(true);
    else confirm(typed.trim());
  };
  const error = text('identity.reasonShort', { least: minReasonLength, count: lacking });
  return (
    <>
      <p>{text('identity.shut')}</p>
      {attempted !== undefined && (
        <p key={attempted.times} role="alert" className="bold flagged">
          {text(`identity.refused.${attempted.what}`)}
        </p>
      )}
      <form ref={form} onSubmit={onSubmit} className={`stack gap3 ${styles['reason'] ?? ''}`}>
        <Field
          label={text('identity.reason')}
          help={text('identity.reasonHelp')}
          error={isShort && lacking > 0 ? error : undefined}
          value={typed}
          onChange={setTyped}
          maxLength={300}
          autoComplete="off"
        />
        <Button type="submit">{text('identity.dismiss')}</Button>
      </form>
    </>
  );
}

function CheckResult({ check }: { readonly check: IdentityCheck }) {
  const masked = useMasked();
  const text = useText();
  if (check.kind === 'unreadable') {
    return <p>{text('identity.unreadable', { raw: masked ? hidden : check.raw })}</p>;
  }
  if (check.kind !== 'mismatch') return null;
  return (
    <>
      <p>{text(`identity.mismatch.${check.of}`)}</p>
      {!masked && (
        <p>
          {text('labs.result')}: <Day date={check.lab} /> ≠{' '}
          {text(check.of === 'person' ? 'patient.label' : 'screen.insurance')}:{' '}
          <Day date={check.other} />
        </p>
      )}
      {check.swapped && <p>{text('identity.swapped')}</p>}
    </>
  );
}

interface NameProps {
  /** The name as the report has it. */
  readonly patient: string | null | undefined;
  readonly person: Person;
}

/** Warns that the report has another name than the open patient. It blocks nothing, since names change. */
export function OtherName({ patient, person }: NameProps) {
  const text = useText();
  const masked = useMasked();
  const { name } = useIdentity(person);
  if (!patient || name === undefined || isSamePatient({ patient }, { patient: name })) return null;
  const formatName = (value: string): string => (masked ? hidden : `\u2068${value}\u2069`);
  return (
    <Banner kind="notice" role="alert">
      <Icon of={UserSearch} />
      <strong>
        {text('identity.otherName', { report: formatName(patient), person: formatName(name) })}
      </strong>
    </Banner>
  );
}
