import { useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import { Dialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import type { Made, Paper, PrintDocument } from '../../bridge/print.ts';
import type { Problem } from '../../bridge/problem.ts';
import { SegmentedControl } from '../components/segmented-control.tsx';
import { Button } from '../components/controls.tsx';
import { Overlay } from '../components/overlay.tsx';
import { ProblemNote } from '../components/problem.tsx';
import { problemOf, unwrap } from '../state/service-call.ts';
import { useSettings } from '../state/app-state.ts';
import { useMasked } from '../state/mask.tsx';
import { useText } from '../text/text.tsx';
import type { MessageKey } from '../text/text.tsx';
import type { PrintChoice } from './print-document.ts';
import { PrintPreview } from './print-preview.tsx';
import { print } from './print-sheets.ts';
import { usePdf } from './use-pdf.ts';
import { useAbortOnUnmount, usePrint, usePrinters } from './use-print.ts';
import styles from './print-panel.module.css';

interface PanelProps {
  /** The papers that it fits on; the first is selected unless another is the default. */
  readonly papers: readonly Paper[];
  /** Builds the document of a choice; the same function as long as the data is the same. */
  readonly build: (choice: PrintChoice) => PrintDocument;
  readonly onClose: () => void;
}

/** The print dialog: paper, masking, preview, printing and saving. */
export function PrintPanel({ papers, build, onClose }: PanelProps): ReactElement {
  const text = useText();
  return (
    <Overlay onClose={onClose}>
      <Dialog className={styles['panel'] ?? ''}>
        <Heading slot="title">{text('print.title')}</Heading>
        <Choices papers={papers} build={build} onClose={onClose} />
      </Dialog>
    </Overlay>
  );
}

function Choices({ papers, build, onClose }: PanelProps): ReactElement {
  const text = useText();
  const screenIsMasked = useMasked();
  const usual = useSettings().paper;
  const [paper, setPaper] = useState(papers.find((one) => one === usual) ?? papers[0] ?? 'a4');
  const [masked, setMasked] = useState(screenIsMasked);
  const document = useMemo(() => build({ paper, masked }), [build, paper, masked]);
  const { made, problem } = usePrint(document);
  const { pages, failed = false } = usePdf(made?.id);
  return (
    <div className={styles['body']}>
      <div className={styles['controls']}>
        <SegmentedControl
          label={text('print.paper')}
          value={paper}
          options={papers.map((one) => [one, text(`print.paper.${one}`)])}
          onChange={setPaper}
        />
        <SegmentedControl
          label={text('print.values')}
          value={masked ? 'masked' : 'shown'}
          options={[
            ['shown', text('print.values.shown')],
            ['masked', text('print.values.masked')],
          ]}
          onChange={(value) => {
            setMasked(value === 'masked');
          }}
        />
        {problem !== undefined && <ProblemNote problem={problem} />}
        <Actions made={made} />
        <Button onPress={onClose}>{text('print.close')}</Button>
      </div>
      <PrintPreview pages={pages} failed={failed || problem !== undefined} />
    </div>
  );
}

function Actions({ made }: { made: Made | undefined }): ReactElement {
  const text = useText();
  const printers = usePrinters();
  const [printer, setPrinter] = useState<string>();
  const [copies, setCopies] = useState(1);
  const gone = useAbortOnUnmount();
  const [told, setTold] = useState<{
    readonly of: string;
    readonly key: MessageKey;
    readonly problem?: Problem;
  }>();
  // A message about one PDF isn't shown for the next.
  const { key: said, problem } = told?.of === made?.id ? (told ?? {}) : {};
  const chosen = printer ?? printers?.[0]?.name;
  const send = (to: string | undefined): void => {
    if (made === undefined) return;
    const { id } = made;
    const request = { id, copies, ...(to !== undefined && { printer: to }) };
    print(request, gone.signal).then(
      (sent) => {
        setTold({ of: id, key: sent ? 'print.sent' : 'print.notSent' });
      },
      (error: unknown) => {
        setTold({ of: id, key: 'print.notSent', problem: problemOf(error) });
      },
    );
  };
  const save = (): void => {
    if (made === undefined) return;
    const { id } = made;
    unwrap(window.caregate.savePrint({ id })).then(
      ({ saved }) => {
        setTold({ of: id, key: saved ? 'print.saved' : 'print.notSaved' });
      },
      (error: unknown) => {
        setTold({ of: id, key: 'print.notSaved', problem: problemOf(error) });
      },
    );
  };
  // The way out that there is gets the focus: from Find it's Enter, Ctrl+4, Ctrl+P, Enter.
  const canPrint = printers !== undefined && printers.length > 0;
  const idle = made === undefined;
  return (
    <>
      {canPrint && (
        <div className={styles['actions']}>
          <label className={styles['label']}>
            {text('print.printer')}
            <select
              className={styles['control']}
              value={chosen}
              onChange={(event) => {
                setPrinter(event.target.value);
              }}
            >
              {printers.map(({ name, label }) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </select>
          </label>
          <label className={styles['label']}>
            {text('print.copies')}
            <input
              className={styles['control']}
              type="number"
              min={1}
              max={20}
              value={copies}
              onChange={(event) => {
                setCopies(Math.min(20, Math.max(1, Math.trunc(Number(event.target.value)) || 1)));
              }}
            />
          </label>
        </div>
      )}
      {printers?.length === 0 && <p>{text('print.noPrinter')}</p>}
      <div className={styles['actions']}>
        {canPrint && !idle && (
          <Button
            kind="main"
            autoFocus
            onPress={() => {
              send(chosen);
            }}
          >
            {text('print.send')}
          </Button>
        )}
        {printers !== undefined && !idle && (
          <Button kind={canPrint ? 'plain' : 'main'} autoFocus={!canPrint} onPress={save}>
            {text('print.save')}
          </Button>
        )}
        {canPrint && (
          <Button
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
    </>
  );
}
