import { useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { CheckboxButton, CheckboxField } from 'react-aria-components/Checkbox';
import { Text } from 'react-aria-components/Text';
import type { ProblemKind } from '../../../bridge/problem.ts';
import { Button, controls, Field } from '../../components/controls.tsx';
import { Quiet } from '../../components/layout.tsx';
import { useProblemText } from '../../components/problem.tsx';
import { SecretField } from '../../components/secret-field.tsx';
import { Card } from '../../components/surfaces.tsx';
import { useAttempt } from '../../components/use-attempt.ts';
import { usePolicy, useSettings, useStatus } from '../../state/app-state.ts';
import { unwrap } from '../../state/service-call.ts';
import { useText } from '../../text/text.tsx';
import { addressProblems } from './connect.tsx';
import { GateForm } from './gate-form.tsx';
import styles from './gate.module.css';

type Place = 'address' | 'key';

/** Undefined: shown above both fields. */
function placeOf(kind: ProblemKind): Place | undefined {
  if (addressProblems.includes(kind)) return 'address';
  return kind === 'invalidKey' || kind === 'expired' ? 'key' : undefined;
}

export function KeySignIn(props: {
  readonly address: string;
  readonly instead:
    | { readonly label: 'browser.instead' | 'signIn.waitInstead'; readonly onPress: () => void }
    | undefined;
}): ReactElement {
  const { instead } = props;
  const text = useText();
  const problemText = useProblemText();
  const { keySaved, canSaveKey } = useStatus();
  const settings = useSettings();
  const isFixed = usePolicy().fixed.includes('address');
  const [typedAddress, setAddress] = useState(props.address);
  const address = isFixed ? settings.address : typedAddress;
  const [key, setKey] = useTypedKey();
  const [saveKey, setSaveKey] = useState(false);
  const [missing, setMissing] = useState<Place>();
  const fields = { address: useRef<HTMLInputElement>(null), key: useRef<HTMLInputElement>(null) };
  const focus = (place: Place | undefined): void => {
    if (place !== undefined) fields[place].current?.focus();
  };
  const { run, working, problem, clear } = useAttempt(({ kind }) => {
    focus(placeOf(kind));
  });
  const problemPlace = problem && placeOf(problem.kind);
  const onChange = (place: Place, typed: string): void => {
    (place === 'address' ? setAddress : setKey)(typed);
    setMissing(undefined);
    // The other field's problem stays.
    if (problemPlace === undefined || problemPlace === place) clear();
  };
  const errorOf = (place: Place): string | undefined => {
    if (place === missing) {
      return text(place === 'address' ? 'signIn.typeAddress' : 'signIn.typeKey');
    }
    return problem !== undefined && problemPlace === place ? problemText(problem) : undefined;
  };
  return (
    <GateForm
      title={text('signIn.title')}
      problem={problemPlace === undefined ? problem : undefined}
      submit={text(working ? 'signIn.working' : 'signIn.submit')}
      onSubmit={() => {
        const empty = address.trim() === '' ? 'address' : key.trim() === '' ? 'key' : undefined;
        setMissing(empty);
        if (empty === undefined)
          run(() => unwrap(window.caregate.signIn({ address, key, saveKey })));
        else focus(empty);
      }}
      others={
        <>
          {instead !== undefined && (
            <Button kind="quiet" onPress={instead.onPress}>
              {text(instead.label)}
            </Button>
          )}
          {keySaved && (
            <>
              <Button
                onPress={() => {
                  run(() => unwrap(window.caregate.signInWithSavedKey({})));
                }}
              >
                {text('signIn.withSaved')}
              </Button>
              <Button kind="quiet" onPress={() => void window.caregate.forgetKey({})}>
                {text('signIn.forgetSaved')}
              </Button>
            </>
          )}
        </>
      }
    >
      <Field
        code
        label={text('signIn.address')}
        help={text(isFixed ? 'settings.fixed' : 'signIn.addressHelp')}
        error={errorOf('address')}
        value={address}
        isReadOnly={isFixed}
        onChange={(typed) => {
          onChange('address', typed);
        }}
        inputRef={fields.address}
        autoFocus={address === ''}
        maxLength={2048}
      />
      <SecretField
        label={text('signIn.key')}
        help={text('signIn.keyHelp')}
        error={errorOf('key')}
        value={key}
        onChange={(typed) => {
          onChange('key', typed);
        }}
        inputRef={fields.key}
        autoFocus={address !== ''}
      />
      {canSaveKey ? (
        <CheckboxField isSelected={saveKey} onChange={setSaveKey}>
          <CheckboxButton className={`line gap2 ${styles['check'] ?? ''}`}>
            <span aria-hidden="true" className={controls.tick} />
            {text('signIn.saveKey')}
          </CheckboxButton>
          <Text slot="description" className="quiet meta">
            {text('signIn.saveHelp')}
          </Text>
        </CheckboxField>
      ) : (
        <Quiet as="p" size="meta">
          {text('signIn.cannotSave')}
        </Quiet>
      )}
    </GateForm>
  );
}

/** A key that is left for the lock's minutes is cleared: nobody signs in with what somebody else left. */
function useTypedKey(): readonly [key: string, setKey: (key: string) => void] {
  const { lockMinutes } = useSettings();
  const [key, setKey] = useState('');
  useEffect(() => {
    if (key === '') return undefined;
    const timer = setTimeout(() => {
      setKey('');
    }, lockMinutes * 60_000);
    return () => {
      clearTimeout(timer);
    };
  }, [key, lockMinutes]);
  return [key, setKey];
}

export function KeyLock({ keyId }: { keyId: string | undefined }): ReactElement {
  const text = useText();
  const [key, setKey] = useTypedKey();
  const [error, setError] = useState<'lock.wrongKey' | 'signIn.typeKey'>();
  const field = useRef<HTMLInputElement>(null);
  const refuse = (why: typeof error): void => {
    setError(why);
    field.current?.focus();
  };
  return (
    <Card className={styles['card']}>
      <GateForm
        title={text('lock.title')}
        submit={text('lock.unlock')}
        onSubmit={() => {
          if (key.trim() === '') refuse('signIn.typeKey');
          else {
            void window.caregate.unlock({ key }).then(({ ok }) => {
              if (!ok) refuse('lock.wrongKey');
            });
          }
        }}
        others={
          <Button onPress={() => void window.caregate.signOut({})}>{text('lock.switch')}</Button>
        }
      >
        {keyId !== undefined && (
          <Quiet as="p" size="meta">
            {text('status.key', { id: keyId })}
          </Quiet>
        )}
        <SecretField
          autoFocus
          label={text('lock.key')}
          help={text('signIn.keyHelp')}
          error={error === undefined ? undefined : text(error)}
          value={key}
          onChange={(typed) => {
            setKey(typed);
            setError(undefined);
          }}
          inputRef={field}
        />
      </GateForm>
    </Card>
  );
}
