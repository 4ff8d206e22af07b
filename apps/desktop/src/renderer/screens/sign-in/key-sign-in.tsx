import { useRef, useState } from 'react';
import type { SyntheticEvent, ReactElement } from 'react';
import { CheckboxButton, CheckboxField } from 'react-aria-components/Checkbox';
import { Text } from 'react-aria-components/Text';
import { Button, Field } from '../../components/controls.tsx';
import { ProblemNote, useProblemText } from '../../components/problem.tsx';
import { SecretField } from '../../components/secret-field.tsx';
import { usePolicy, useSettings, useStatus } from '../../state/app-state.ts';
import { useText } from '../../text/text.tsx';
import styles from './gate.module.css';
import { placeOf, useSignIn, useTypedKey } from './use-sign-in.ts';
import type { Place } from './use-sign-in.ts';

/** The service's address and a staff key: for a clinic without a provider, or where that is chosen. */
export function KeySignIn(props: {
  readonly address: string;
  /** The way back: to the browser where the clinic has a provider, or to waiting for its service. */
  readonly instead:
    | { readonly label: 'browser.instead' | 'signIn.waitInstead'; readonly onPress: () => void }
    | undefined;
}): ReactElement {
  const { instead } = props;
  const text = useText();
  const said = useProblemText();
  const status = useStatus();
  const settings = useSettings();
  const isFixed = usePolicy().fixed.includes('address');
  const [typedAddress, setAddress] = useState(props.address);
  const address = isFixed ? settings.address : typedAddress;
  const [key, setKey] = useTypedKey();
  const [saveKey, setSaveKey] = useState(false);
  const [missing, setMissing] = useState<'address' | 'key'>();
  const addressField = useRef<HTMLInputElement>(null);
  const keyField = useRef<HTMLInputElement>(null);
  const focus = (place: Place): void => {
    if (place !== 'elsewhere') (place === 'address' ? addressField : keyField).current?.focus();
  };
  const { run, working, problem, changed } = useSignIn(focus);

  const onSubmit = (event: SyntheticEvent): void => {
    event.preventDefault();
    const empty = address.trim() === '' ? 'address' : key.trim() === '' ? 'key' : undefined;
    setMissing(empty);
    if (empty === undefined) run(() => window.caregate.signIn({ address, key, saveKey }));
    else focus(empty);
  };
  const onChange = (place: 'address' | 'key', typed: string): void => {
    (place === 'address' ? setAddress : setKey)(typed);
    setMissing(undefined);
    changed(place);
  };
  const errorOf = (place: Place): string | undefined => {
    if (place === missing)
      return text(place === 'address' ? 'signIn.typeAddress' : 'signIn.typeKey');
    return problem !== undefined && placeOf(problem) === place ? said(problem) : undefined;
  };
  const { keySaved, canSaveKey } = status;
  return (
    <form onSubmit={onSubmit} className={styles['form']}>
      <h1>{text('signIn.title')}</h1>
      {problem !== undefined && placeOf(problem) === 'elsewhere' && (
        <ProblemNote problem={problem} />
      )}
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
        inputRef={addressField}
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
        inputRef={keyField}
        autoFocus={address !== ''}
      />
      {canSaveKey ? (
        <CheckboxField isSelected={saveKey} onChange={setSaveKey}>
          <CheckboxButton className={styles['check'] ?? ''}>
            <span aria-hidden="true" className={styles['box']} />
            {text('signIn.saveKey')}
          </CheckboxButton>
          <Text slot="description" className={styles['quiet'] ?? ''}>
            {text('signIn.saveHelp')}
          </Text>
        </CheckboxField>
      ) : (
        <p className={styles['quiet']}>{text('signIn.cannotSave')}</p>
      )}
      <div className={styles['actions']}>
        <Button kind="main" type="submit">
          {text(working ? 'signIn.working' : 'signIn.submit')}
        </Button>
        {instead !== undefined && (
          <Button kind="quiet" onPress={instead.onPress}>
            {text(instead.label)}
          </Button>
        )}
        {keySaved && (
          <>
            <Button
              onPress={() => {
                run(() => window.caregate.signInWithSavedKey({}));
              }}
            >
              {text('signIn.withSaved')}
            </Button>
            <Button kind="quiet" onPress={() => void window.caregate.forgetKey({})}>
              {text('signIn.forgetSaved')}
            </Button>
          </>
        )}
      </div>
    </form>
  );
}
