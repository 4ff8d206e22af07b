import type { ReactElement } from 'react';
import { Button } from 'react-aria-components/Button';
import { SCREENS } from '../screens/screens.ts';
import { RAIL, useNavigation } from '../state/navigation.tsx';
import type { ScreenName } from '../state/navigation.tsx';
import { usePerson } from '../state/selection.tsx';
import { useText } from '../text/text.tsx';
import styles from './shell.module.css';

/** The navigation rail. */
export function Rail(): ReactElement {
  const text = useText();
  return (
    <nav aria-label={text('rail.label')} className={styles['rail']}>
      {RAIL.map((name) => (
        <Entry key={name} name={name} />
      ))}
      <span className={styles['gap']} />
      <Entry name="settings" />
      <Entry name="about" />
    </nav>
  );
}

function Entry({ name }: { name: ScreenName }): ReactElement {
  const text = useText();
  const { screen, go } = useNavigation();
  const { person } = usePerson();
  const { title, needsPerson } = SCREENS[name];
  return (
    <Button
      className={styles['entry'] ?? ''}
      data-title={text(title)}
      isDisabled={needsPerson && person === undefined}
      {...(screen === name && { 'aria-current': 'page' as const })}
      onPress={() => {
        go(name);
      }}
    >
      {text(title)}
    </Button>
  );
}
