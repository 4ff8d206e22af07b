import type { ReactElement } from 'react';
import { Button } from 'react-aria-components/Button';
import { RAIL } from '../screens/names.ts';
import type { ScreenName } from '../screens/names.ts';
import { SCREENS } from '../screens/screens.ts';
import { useText } from '../text/text.tsx';
import { useDesk } from './desk.tsx';
import styles from './shell.module.css';

/** The way between screens. */
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
  const { screen, go, person } = useDesk();
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
