import { useRef, useState } from 'react';
import type { ReactElement } from 'react';
import type { Made } from '../../bridge/print.ts';
import type { Problem } from '../../bridge/problem.ts';
import { Button, KeyCap } from '../components/controls.tsx';
import { ProblemNote } from '../components/problem.tsx';
import { problemOf, unwrap } from '../state/service-call.ts';
import { useText } from '../text/text.tsx';
import type { MessageKey } from '../text/text.tsx';
import { print } from './sheets/print-sheets.ts';
import type { Printers } from './use-print.ts';
import { useAbortOnUnmount, usePrinters, withHeld } from './use-print.ts';
import styles from './print-panel.module.css';

interface Told {
  /** The id of its PDF; without one it's about whichever is shown. */
  readonly of?: string;
  readonly key: MessageKey;
  readonly problem?: Problem;
}

/** Printer, copies, and what is done with the PDF; what was sent where is told to `onSent`, and then to people. */
export function PrintActions(props: {
  readonly made: Made | undefined;
  /** Makes the same once more. */
  readonly again: () => Promise<Made>;
  /** The printer to begin with, where it is still there. */
  readonly printer?: string | undefined;
  readonly copies?: number;
  readonly onSent: (sent: {
    readonly printer: string | undefined;
    readonly copies: number;
  }) => Promise<void>;
}): ReactElement {
  const { made, again, printer: usual, copies: begun = 1, onSent } = props;
  const text = useText();
  const printers = usePrinters();
  const [picked, setPicked] = useState<string>();
  const [copies, setCopies] = useState(begun);
  const gone = useAbortOnUnmount();
  const [told, setTold] = useState<Told>();
  // A message about one PDF isn't shown for the next.
  const isOther = told?.of !== undefined && told.of !== made?.id;
  const { key: said, problem } = isOther ? {} : (told ?? {});
  const isThere = (name: string | undefined): boolean =>
    printers?.some((one) => one.name === name) === true;
  const printer = [picked, usual].find(isThere) ?? printers?.[0]?.name;
  const busy = useRef(false);
  const act = (does: (id: string) => Promise<boolean>, yes: MessageKey, no: MessageKey): void => {
    // A key that is held or pressed twice is one print.
    if (made === undefined || busy.current) return;
    busy.current = true;
    let of = made.id;
    const doing = async (id: string): Promise<boolean> => {
      of = id;
      return does(id);
    };
    withHeld(made.id, doing, { again, signal: gone.signal })
      .finally(() => {
        busy.current = false;
      })
      .then(
        (done) => {
          setTold({ of, key: done ? yes : no });
        },
        (error: unknown) => {
          setTold({ of, key: no, problem: problemOf(error) });
        },
      );
  };
  const send = (to: string | undefined): void => {
    const printOne = async (id: string): Promise<boolean> => {
      setTold({ key: 'print.quick.busy' });
      const request = { id, copies, ...(to !== undefined && { printer: to }) };
      const sent = await print(request, gone.signal);
      // Whoever reads that it was sent may print the next by one key.
      if (sent) await onSent({ printer: to, copies });
      return sent;
    };
    act(printOne, 'print.sent', 'print.notSent');
  };
  const save = (): void => {
    const saveOne = async (id: string): Promise<boolean> => {
      const { saved } = await unwrap(window.caregate.savePrint({ id }));
      return saved;
    };
    act(saveOne, 'print.saved', 'print.notSaved');
  };
  // The way out that there is gets the focus: from Find it's Enter, Ctrl+3, Ctrl+P, Enter.
  const canPrint = printers !== undefined && printers.length > 0;
  const idle = made === undefined;
  return (
    <div className={styles['foot']}>
      {canPrint && (
        <div className={styles['row']}>
          <PrinterField printers={printers} value={printer} onChange={setPicked} />
          <Copies copies={copies} onChange={setCopies} />
        </div>
      )}
      {printers?.length === 0 && <p>{text('print.noPrinter')}</p>}
      <div className={styles['row']}>
        {canPrint && !idle && (
          <Button
            kind="main"
            autoFocus
            aria-label={text('print.send')}
            onPress={() => {
              send(printer);
            }}
          >
            {text('print.send')}
            <KeyCap keys="Enter" />
          </Button>
        )}
        {printers !== undefined && !idle && (
          <Button kind={canPrint ? 'plain' : 'main'} autoFocus={!canPrint} onPress={save}>
            {text('print.save')}
          </Button>
        )}
        {canPrint && (
          <Button
            kind="quiet"
            isDisabled={idle}
            onPress={() => {
              send(undefined);
            }}
          >
            {text('print.dialog')}
          </Button>
        )}
      </div>
      {problem !== undefined && <ProblemNote problem={problem} />}
      <p role="status">{said === undefined ? (idle ? '' : text('print.ready')) : text(said)}</p>
    </div>
  );
}

function PrinterField(props: {
  readonly printers: Printers;
  readonly value: string | undefined;
  readonly onChange: (name: string) => void;
}): ReactElement {
  const text = useText();
  return (
    <label className={styles['label']}>
      {text('print.printer')}
      <select
        className={styles['control']}
        value={props.value}
        onChange={(event) => {
          props.onChange(event.target.value);
        }}
      >
        {props.printers.map(({ name, label }) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}

function Copies(props: {
  readonly copies: number;
  readonly onChange: (copies: number) => void;
}): ReactElement {
  const text = useText();
  return (
    <label className={styles['label']}>
      {text('print.copies')}
      <input
        className={styles['control']}
        type="number"
        min={1}
        max={20}
        value={props.copies}
        onChange={(event) => {
          props.onChange(Math.min(20, Math.max(1, Math.trunc(Number(event.target.value)) || 1)));
        }}
      />
    </label>
  );
}
