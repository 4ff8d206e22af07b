import { useRef, useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import { Autocomplete } from 'react-aria-components/Autocomplete';
import { Header } from 'react-aria-components/Header';
import { Input } from 'react-aria-components/Input';
import { Menu, MenuItem, MenuSection } from 'react-aria-components/Menu';
import { TextField } from 'react-aria-components/TextField';
import { Code, controls } from '../components/controls.tsx';
import { useText } from '../text/text.tsx';
import { useCommands } from './commands.ts';
import type { Command } from './commands.ts';
import { Overlay } from '../components/overlay.tsx';
import styles from './palette.module.css';

export function Palette(props: {
  readonly onClose: () => void;
  readonly showKeys: () => void;
}): ReactElement {
  const { onClose, showKeys } = props;
  const text = useText();
  const [typed, setTyped] = useState('');
  const sections = useCommands(typed.trim(), showKeys);
  const menu = useRef<HTMLDivElement>(null);
  const run = (id: string): void => {
    onClose();
    const commands = sections.flatMap((section) => section.commands);
    commands.find((one) => one.id === id)?.run();
  };
  /** Enter may come before the first command has the focus. */
  const runFirst = ({ key, nativeEvent }: KeyboardEvent): void => {
    const first = typed === '' ? undefined : sections[0]?.commands[0];
    const isFocused = menu.current?.querySelector('[data-focused]') != null;
    if (key === 'Enter' && !nativeEvent.isComposing && !isFocused && first !== undefined) {
      run(first.id);
    }
  };
  return (
    <Overlay
      place="top"
      aria-label={text('palette.title')}
      onClose={onClose}
      className={styles['palette'] ?? ''}
    >
      <Autocomplete inputValue={typed} onInputChange={setTyped}>
        <TextField autoFocus aria-label={text('palette.label')}>
          <Input
            placeholder={text('palette.label')}
            className={`${controls.input} ${styles['input'] ?? ''}`}
            onKeyDown={runFirst}
          />
        </TextField>
        <Menu
          ref={menu}
          aria-label={text('palette.title')}
          className={styles['commands'] ?? ''}
          renderEmptyState={() => <p className={styles['none']}>{text('palette.none')}</p>}
          onAction={(id) => {
            run(String(id));
          }}
        >
          {sections.map(({ title, commands }) => (
            <MenuSection key={title} id={title}>
              <Header className={`quiet help bold ${styles['header'] ?? ''}`}>{text(title)}</Header>
              {commands.map((command) => (
                <Item key={command.id} command={command} />
              ))}
            </MenuSection>
          ))}
        </Menu>
      </Autocomplete>
    </Overlay>
  );
}

function Item({ command }: { command: Command }): ReactElement {
  const { id, label, keys, isCode = false } = command;
  return (
    <MenuItem id={id} textValue={label} className={`line gap3 ${styles['command'] ?? ''}`}>
      {isCode ? <Code>{label}</Code> : <span>{label}</span>}
      {keys !== undefined && (
        <kbd dir="ltr" className={styles['kbd']}>
          {keys}
        </kbd>
      )}
    </MenuItem>
  );
}
