import { useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import type { Made } from '../../../shared/print.ts';
import type { Problem } from '../../../shared/problem.ts';
import { Button, controls, KeyCap, Select } from '../../ui/controls.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ProblemNote } from '../../ui/problem.tsx';
import { problemOf, unwrap } from '../../api/service-call.ts';
import { useText } from '../../i18n/text.tsx';
import type { MessageKey } from '../../i18n/text.tsx';
import { print } from './sheets/print-sheets.ts';
import { useAbortOnUnmount, usePrinters, withMade } from './use-print.ts';
import styles from './print-panel.module.css';

interface Result {
  /** The PDF; undefined while it is under way. */
  readonly id?: string;
  readonly key: MessageKey;
  readonly values?: { readonly printer: string };
  readonly problem?: Problem;
}

export function PrintActions(props: {
  readonly made: Made | undefined;
  readonly again: () => Promise<Made>;
  readonly printer?: string | undefined;
  readonly copies?: number;
  readonly onSent: (sent: {
    readonly printer: string | undefined;
    readonly copies: number;
  }) => Promise<void>;
  readonly onDone: () => void;
}): ReactElement {
  const { made, again, printer: usual, onSent, onDone } = props;
  const text = useText();
  const [printers, readPrinters] = usePrinters();
  const [picked, setPicked] = useState<string>();
  const [copies, setCopies] = useState(props.copies ?? 1);
  const signal = useAbortOnUnmount();
  const [result, setResult] = useState<Result>();
  const isOther = result?.id !== undefined && result.id !== made?.id;
  const { key: message, values, problem } = isOther ? {} : (result ?? {});
  // If the chosen printer is gone, ask: another may be in another room.
  const wanted = picked ?? usual ?? printers?.[0]?.name;
  const printer = printers?.find(({ name }) => name === wanted)?.name;
  const canPrint = printers !== undefined && printers.length > 0;
  const mustChoose = canPrint && printer === undefined;
  const chooser = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    if (mustChoose) chooser.current?.focus();
  }, [mustChoose]);
  const isBusy = useRef(false);
  const act = (
    does: (id: string) => Promise<boolean>,
    yes: MessageKey,
    no: MessageKey,
    before: () => Promise<Result | undefined> = () => Promise.resolve(undefined),
  ): void => {
    // A key that is held or pressed twice prints once.
    if (made === undefined || isBusy.current) return;
    isBusy.current = true;
    let { id } = made;
    const doing = async (current: string): Promise<boolean> => {
      id = current;
      return does(current);
    };
    before()
      .then(
        async (refused) =>
          refused ?? { key: (await withMade(id, doing, { again, signal })) ? yes : no },
      )
      .finally(() => {
        isBusy.current = false;
      })
      .then(
        (done) => {
          setResult({ ...done, id });
          if (done.key === yes) onDone();
        },
        (error: unknown) => {
          setResult({ id, key: no, problem: problemOf(error) });
        },
      );
  };
  const send = (to: string | undefined): void => {
    const printOne = async (id: string): Promise<boolean> => {
      setResult({ key: 'print.quick.busy' });
      const request = { id, copies, ...(to !== undefined && { printer: to }) };
      const sent = await print(request, signal);
      // Remembered before the result is shown: the next print may be one key.
      if (sent) await onSent({ printer: to, copies });
      return sent;
    };
    act(printOne, 'print.sent', 'print.notSent', async () => {
      if (to === undefined) return undefined;
      const now = await readPrinters();
      if (now.some(({ name }) => name === to)) return undefined;
      setPicked(to);
      if (now.length === 0) return { key: 'print.notSent' };
      const { label = to } = printers?.find(({ name }) => name === to) ?? {};
      return { key: 'print.quick.gone', values: { printer: label } };
    });
  };
  const save = (): void => {
    act(
      async (id) => (await unwrap(window.caregate.savePrint({ id }))).saved,
      'print.saved',
      'print.notSaved',
    );
  };
  // The main button gets the focus: from Find it's Enter, Ctrl+3, Ctrl+P, Enter.
  const isMade = made !== undefined;
  return (
    <Stack gap="gap3" className={styles['foot']}>
      {canPrint && (
        <div className={styles['row']}>
          <label className={`stack gap1 quiet meta ${styles['label'] ?? ''}`}>
            {text('print.printer')}
            <Select
              ref={chooser}
              className={styles['control']}
              value={printer ?? ''}
              options={[
                ...(mustChoose ? [['', text('print.choose')] as const] : []),
                ...printers.map(({ name, label }) => [name, label] as const),
              ]}
              onChange={setPicked}
            />
          </label>
          <label className={`stack gap1 quiet meta ${styles['label'] ?? ''}`}>
            {text('print.copies')}
            <input
              className={`${controls.select} ${styles['control'] ?? ''}`}
              type="number"
              min={1}
              max={20}
              value={copies}
              onChange={({ target }) => {
                setCopies(Math.min(20, Math.max(1, Math.trunc(Number(target.value)) || 1)));
              }}
            />
          </label>
        </div>
      )}
      {printers?.length === 0 && <p>{text('print.noPrinter')}</p>}
      <div className={styles['row']}>
        {canPrint && isMade && (
          <Button
            kind="main"
            autoFocus
            aria-label={text('print.send')}
            isDisabled={mustChoose}
            onPress={() => {
              send(printer);
            }}
          >
            {text('print.send')}
            <KeyCap keys="Enter" />
          </Button>
        )}
        {printers !== undefined && isMade && (
          <Button kind={canPrint ? 'plain' : 'main'} autoFocus={!canPrint} onPress={save}>
            {text('print.save')}
          </Button>
        )}
        {canPrint && (
          <Button
            kind="quiet"
            isDisabled={!isMade}
            onPress={() => {
              send(undefined);
            }}
          >
            {text('print.dialog')}
          </Button>
        )}
      </div>
      {problem !== undefined && <ProblemNote problem={problem} />}
      <p role="status">
        {message === undefined ? (isMade ? text('print.ready') : '') : text(message, values)}
      </p>
    </Stack>
  );
}
