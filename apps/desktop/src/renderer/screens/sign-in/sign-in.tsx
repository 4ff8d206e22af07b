import { useState } from 'react';
import type { SyntheticEvent, ReactElement } from 'react';
import { CheckboxButton, CheckboxField } from 'react-aria-components/Checkbox';
import type { Status } from '../../../bridge/app-state.ts';
import type { Outcome, Problem } from '../../../bridge/problem.ts';
import { Button, Field } from '../../components/controls.tsx';
import { ProblemNote, useProblemText } from '../../components/problem.tsx';
import { useStatus } from '../../service/app-state.ts';
import en from '../../text/en.json';
import { useText } from '../../text/text.tsx';
import type { MessageKey } from '../../text/text.tsx';
import styles from './gate.module.css';

const addressProblems = ['invalidAddress', 'insecureAddress', 'fixedAddress'];
const keyProblems = ['invalidKey', 'expired'];

/** The service's address and a staff key; or the demo, where there is one. */
export function SignInScreen(): ReactElement {
  const text = useText();
  const said = useProblemText();
  const status = useStatus();
  const [address, setAddress] = useState(status.address);
  const [key, setKey] = useState('');
  const [keepKey, setKeepKey] = useState(false);
  const { run, working, problem } = useSignIn();

  const onSubmit = (event: SyntheticEvent): void => {
    event.preventDefault();
    run(() => window.caregate.signIn({ address, key, keepKey }));
    setKey('');
  };
  const error = (kinds: readonly string[]): string | undefined =>
    problem !== undefined && kinds.includes(problem.kind) ? said(problem) : undefined;
  const elsewhere = [...addressProblems, ...keyProblems];
  const { reason, keyKept, canKeepKey, demo } = status;
  return (
    <main className={styles['gate']}>
      <form onSubmit={onSubmit} className={styles['card']}>
        <h1>{text('signIn.title')}</h1>
        {reason !== undefined && reason !== 'asked' && (
          <p role="status">{text(`reason.${reason}`)}</p>
        )}
        {problem !== undefined && !elsewhere.includes(problem.kind) && (
          <ProblemNote problem={problem} />
        )}
        <Field
          code
          label={text('signIn.address')}
          help={text('signIn.addressHelp')}
          error={error(addressProblems)}
          value={address}
          onChange={setAddress}
          autoFocus={address === ''}
          maxLength={2048}
        />
        <Field
          code
          type="password"
          label={text('signIn.key')}
          help={text('signIn.keyHelp')}
          error={error(keyProblems)}
          value={key}
          onChange={setKey}
          autoFocus={address !== ''}
          maxLength={512}
          autoComplete="off"
        />
        {canKeepKey ? (
          <CheckboxField isSelected={keepKey} onChange={setKeepKey}>
            <CheckboxButton className={styles['check'] ?? ''}>
              <span aria-hidden="true" className={styles['box']} />
              {text('signIn.keepKey')}
            </CheckboxButton>
          </CheckboxField>
        ) : (
          <p className={styles['quiet']}>{text('signIn.cannotKeep')}</p>
        )}
        <div className={styles['actions']}>
          <Button kind="main" type="submit" isDisabled={working || address === '' || key === ''}>
            {text(working ? 'signIn.working' : 'signIn.submit')}
          </Button>
          {keyKept && (
            <>
              <Button
                isDisabled={working}
                onPress={() => {
                  run(() => window.caregate.signInWithKeptKey({}));
                }}
              >
                {text('signIn.withKept')}
              </Button>
              <Button kind="quiet" onPress={() => void window.caregate.forgetKey({})}>
                {text('signIn.forgetKept')}
              </Button>
            </>
          )}
        </div>
        {demo !== undefined && (
          <section className={styles['demo']}>
            <h2>{text('signIn.demo')}</h2>
            <div className={styles['actions']}>
              {demo.roles.map((role) => (
                <Button
                  key={role}
                  isDisabled={working}
                  onPress={() => {
                    run(() => window.caregate.signInToDemo({ role }));
                  }}
                >
                  {roleText(role, text)}
                </Button>
              ))}
            </div>
          </section>
        )}
      </form>
    </main>
  );
}

function roleText(role: string, text: (key: MessageKey) => string): string {
  const key = `role.${role}`;
  return key in en ? text(key as MessageKey) : role;
}

function useSignIn(): {
  run: (signIn: () => Promise<Outcome<Status>>) => void;
  working: boolean;
  problem: Problem | undefined;
} {
  const [working, setWorking] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const run = (signIn: () => Promise<Outcome<Status>>): void => {
    setWorking(true);
    setProblem(undefined);
    void signIn().then((outcome) => {
      setWorking(false);
      if (!outcome.ok) setProblem(outcome.problem);
    });
  };
  return { run, working, problem };
}
