import { useEffect, useRef, useState } from 'react';
import type { ReactElement, SyntheticEvent } from 'react';
import type { Outcome, ProblemKind } from '../../../bridge/problem.ts';
import { Button, Field, KeyCap } from '../../components/controls.tsx';
import { ProblemNote, useProblemText } from '../../components/problem.tsx';
import { useText } from '../../text/text.tsx';
import styles from './gate.module.css';
import { Proposal } from './proposal.tsx';
import { placeOf, useSignIn } from './use-sign-in.ts';

/** The clinic's address, once for this computer. */
export function Connect(props: {
  readonly address: string;
  readonly onDone: (address: string) => void;
}): ReactElement {
  const { onDone } = props;
  const text = useText();
  const said = useProblemText();
  const [address, setAddress] = useState(props.address);
  const [isMissing, setMissing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const proposed = useProposal(props.address === '');
  const { run, working, problem, changed } = useSignIn(() => field.current?.focus());
  const onSubmit = (event: SyntheticEvent): void => {
    event.preventDefault();
    setMissing(address.trim() === '');
    if (address.trim() === '') field.current?.focus();
    else {
      run(
        () => lookUp(address),
        () => {
          onDone(address);
        },
      );
    }
  };
  const atField = problem !== undefined && placeOf(problem) === 'address';
  return (
    <form onSubmit={onSubmit} className={styles['form']}>
      <div>
        <h1>{text('connect.title')}</h1>
        <p className={styles['lead']}>{text('connect.help')}</p>
      </div>
      {problem !== undefined && !atField && <ProblemNote problem={problem} />}
      <Field
        code
        autoFocus
        label={text('connect.address')}
        help={text('signIn.addressHelp')}
        error={isMissing ? text('signIn.typeAddress') : atField ? said(problem) : undefined}
        value={address}
        onChange={(typed) => {
          setAddress(typed);
          setMissing(false);
          changed('address');
        }}
        inputRef={field}
        maxLength={2048}
      />
      {proposed !== undefined && address === '' && (
        <Proposal
          address={proposed}
          onConfirm={() => {
            setAddress(proposed);
            field.current?.focus();
          }}
        />
      )}
      <div className={styles['actions']}>
        <Button kind="main" type="submit">
          {text(working ? 'connect.working' : 'connect.submit')}
          <KeyCap keys="Enter" />
        </Button>
      </div>
    </form>
  );
}

/** What this network proposes, once it has answered. */
function useProposal(isWanted: boolean): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    let wanted = isWanted;
    if (!isWanted) return;
    void window.caregate.proposeService({}).then((proposed) => {
      if (wanted && proposed.ok) setAddress(proposed.value.address);
    });
    return () => {
      wanted = false;
    };
  }, [isWanted]);
  return address;
}

/** What is wrong with the address, or on the way to it. */
const atAddress: readonly ProblemKind[] = [
  'invalidAddress',
  'insecureAddress',
  'fixedAddress',
  'offline',
  'timeout',
  'untrustedCertificate',
  'serviceTooOld',
  'deskTooOld',
];

/** A service that answers something else knows nothing of people yet: a key may sign in there. */
async function lookUp(address: string): Promise<Outcome<unknown>> {
  const found = await window.caregate.lookUpService({ address });
  return found.ok || atAddress.includes(found.problem.kind)
    ? found
    : { ok: true, value: undefined };
}
