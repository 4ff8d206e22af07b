import { useState } from 'react';
import type { ReactElement, SyntheticEvent } from 'react';
import { Button, Field } from '../../components/controls.tsx';
import { Day } from '../../components/dates.tsx';
import { useText } from '../../text/text.tsx';
import { needsLook } from './identity-check.ts';
import type { IdentityCheck } from './identity-check.ts';
import styles from './labs.module.css';

/** Says whether the result may be about somebody else. It goes only with a reason, and comes again the next time. */
export function IdentityBanner(props: {
  readonly check: IdentityCheck;
  readonly masked: boolean;
}): ReactElement {
  const { check, masked } = props;
  const text = useText();
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState<string>();
  if (!needsLook(check)) {
    return (
      <p className={styles['quiet']}>
        {check.kind === 'notComparable'
          ? text(`identity.lacking.${check.lacking}`)
          : text('identity.match')}
      </p>
    );
  }
  if (reason !== undefined) return <p>{text('identity.dismissed', { reason })}</p>;
  const onSubmit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (typed.trim() !== '') setReason(typed.trim());
  };
  return (
    <section role="alert" aria-label={text('identity.title')} className={styles['identity']}>
      <h2>{text('identity.title')}</h2>
      <Why check={check} masked={masked} />
      <form onSubmit={onSubmit} className={styles['reason']}>
        <Field
          label={text('identity.reason')}
          help={text('identity.reasonHelp')}
          value={typed}
          onChange={setTyped}
          maxLength={300}
        />
        <Button type="submit" isDisabled={typed.trim() === ''}>
          {text('identity.dismiss')}
        </Button>
      </form>
    </section>
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
