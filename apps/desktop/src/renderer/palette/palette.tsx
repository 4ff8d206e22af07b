import { useState } from 'react';
import type { ReactElement } from 'react';
import { Autocomplete, useFilter } from 'react-aria-components/Autocomplete';
import { Dialog } from 'react-aria-components/Dialog';
import { Header } from 'react-aria-components/Header';
import { Input } from 'react-aria-components/Input';
import { Menu, MenuItem, MenuSection } from 'react-aria-components/Menu';
import { TextField } from 'react-aria-components/TextField';
import { Code } from '../components/controls.tsx';
import { hidden } from '../components/mask.ts';
import { useReopen } from '../screens/recents/use-reopen.ts';
import { useDesk } from '../shell/desk.tsx';
import { useLookUp } from '../shell/look-up.tsx';
import { useText } from '../text/text.tsx';
import { narrowed, sectionsOf } from './commands.ts';
import type { Command } from './commands.ts';
import { Overlay } from './overlay.tsx';
import { pressPrint } from './press-print.ts';
import styles from './palette.module.css';

/** Everything that can be done, by a few letters of its name. */
export function Palette(props: {
  readonly onClose: () => void;
  readonly showKeys: () => void;
}): ReactElement {
  const { onClose, showKeys } = props;
  const text = useText();
  const [typed, setTyped] = useState('');
  const { sections, runOf } = useCommands(typed.trim(), showKeys);
  return (
    <Overlay onClose={onClose}>
      <Dialog aria-label={text('palette.title')} className={styles['palette'] ?? ''}>
        <Autocomplete inputValue={typed} onInputChange={setTyped}>
          <TextField autoFocus aria-label={text('palette.label')}>
            <Input placeholder={text('palette.label')} className={styles['input'] ?? ''} />
          </TextField>
          <Menu
            aria-label={text('palette.title')}
            className={styles['commands'] ?? ''}
            renderEmptyState={() => <p className={styles['none']}>{text('palette.none')}</p>}
            onAction={(id) => {
              onClose();
              runOf(String(id));
            }}
          >
            {sections.map(({ title, commands }) => (
              <MenuSection key={title} id={title}>
                <Header className={styles['header'] ?? ''}>{text(title)}</Header>
                {commands.map((command) => (
                  <Item key={command.id} command={command} />
                ))}
              </MenuSection>
            ))}
          </Menu>
        </Autocomplete>
      </Dialog>
    </Overlay>
  );
}

function Item({ command }: { command: Command }): ReactElement {
  const { id, label, keys, isCode = false } = command;
  return (
    <MenuItem id={id} textValue={label} className={styles['command'] ?? ''}>
      {isCode ? <Code>{label}</Code> : <span>{label}</span>}
      {keys !== undefined && (
        <kbd dir="ltr" className={styles['kbd']}>
          {keys}
        </kbd>
      )}
    </MenuItem>
  );
}

function useCommands(typed: string, showKeys: () => void) {
  const text = useText();
  const desk = useDesk();
  const { lookUp, say } = useLookUp();
  const reopen = useReopen();
  const { contains } = useFilter({ sensitivity: 'base' });
  const print = (): void => {
    // Once the palette is gone: what prints opens over the screen, and takes the focus.
    setTimeout(() => {
      if (!pressPrint()) say('nothingToPrint');
    });
  };
  const all = sectionsOf({ desk, text, lookUp, reopen, showKeys, print });
  const find: Command | undefined =
    typed === ''
      ? undefined
      : {
          id: 'find typed',
          label: text('palette.find', { id: desk.masked ? hidden : typed }),
          run: () => {
            lookUp(typed);
          },
        };
  const sections = narrowed(all, typed, contains, find);
  const runOf = (id: string): void => {
    sections
      .flatMap(({ commands }) => commands)
      .find((one) => one.id === id)
      ?.run();
  };
  return { sections, runOf };
}
