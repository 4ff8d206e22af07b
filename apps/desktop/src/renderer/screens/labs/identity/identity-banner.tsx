import { useEffect, useRef, useState } from 'react';
import type { ReactElement, SyntheticEvent } from 'react';
import { Button, Field } from '../../../components/controls.tsx';
import { Day } from '../../../components/dates.tsx';
import { useText } from '../../../text/text.tsx';
import { needsLook } from './identity-check.ts';
import type { IdentityCheck } from './identity-check.ts';
import { minReasonLength, visibleLength } from './identity-gate.ts';
import type { IdentityGate } from './identity-gate.ts';
import styles from '../labs.module.css';

/** Says whether the result may be about somebody else. Until a reason is given, nothing of it is printed or copied. */
export function IdentityBanner(props: {
  readonly gate: IdentityGate;
  readonly masked: boolean;
}): ReactElement {
  const { gate, masked } = props;
  const { check, reason } = gate;
  const text = useText();
  if (!needsLook(check)) {
    return (
      <p className={styles['quiet']}>
        {check.kind === 'notComparable'
          ? text(`identity.lacking.${check.lacking}`)
          : text('identity.match')}
      </p>
    );
  }
  if (reason !== undefined) {
    return (
      // The field that had the focus is gone: keys go on from here.
      <p ref={focusOn} tabIndex={-1} role="status" className={styles['confirmed']}>
        <strong>{text('identity.title')}</strong> {text('identity.dismissed', { reason })}
      </p>
    );
  }
  return (
    <section role="alert" aria-label={text('identity.title')} className={styles['identity']}>
      <h2>{text('identity.title')}</h2>
      <Why check={check} masked={masked} />
      <Reason gate={gate} />
    </section>
  );
}

const focusOn = (element: HTMLElement | null): void => {
  element?.focus();
};

function Reason({ gate }: { gate: IdentityGate }): ReactElement {
  const { attempted, confirm } = gate;
  const text = useText();
  const [typed, setTyped] = useState('');
  const [isShort, setShort] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  // Who couldn't print or copy can go on at once.
  useEffect(() => {
    if (attempted !== undefined) form.current?.querySelector('input')?.focus();
  }, [attempted]);
  const lacking = minReasonLength - visibleLength(typed);
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
        <p key={attempted.times} role="alert" className={styles['refused']}>
          {text(`identity.refused.${attempted.what}`)}
        </p>
      )}
      <form ref={form} onSubmit={onSubmit} className={styles['reason']}>
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

function Why(props: { check: IdentityCheck; masked: boolean }): ReactElement | null {
  const { check, masked } = props;
  const text = useText();
  if (check.kind === 'unreadable') {
    return <p>{text('identity.unreadable', { raw: masked ? '••••' : check.raw })}</p>;
  }
  if (check.kind !== 'mismatch') return null;
  return (
    <>
      <p>{text(`identity.mismatch.${check.of}`)}</p>
      {!masked && (
        <p className={styles['dates']}>
          {text('identity.lab')} <Day date={check.lab} /> ≠ {text(`identity.of.${check.of}`)}{' '}
          <Day date={check.other} />
        </p>
      )}
      {check.swapped && <p>{text('identity.swapped')}</p>}
    </>
  );
}
