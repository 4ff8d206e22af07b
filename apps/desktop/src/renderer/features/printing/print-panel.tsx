import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { Heading } from 'react-aria-components/Heading';
import type { Paper, PrintKind } from '../../../shared/print-kinds.ts';
import type { Label, Printable, PrintDocument, PrintRequest } from '../../../shared/print.ts';
import type { Problem } from '../../../shared/problem.ts';
import { toProblem, unwrap } from '../../api/service-call.ts';
import { useMasked } from '../../app/mask.tsx';
import { useText } from '../../i18n/text.tsx';
import type { MessageKey } from '../../i18n/text.tsx';
import { Button, controls, IconButton, KeyCap, Select } from '../../ui/controls.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { Overlay } from '../../ui/overlay.tsx';
import { ProblemNote } from '../../ui/problem.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Banner } from '../../ui/surfaces.tsx';
import type { Parts } from './print-button.tsx';
import type { PrintChoice } from './print-document.ts';
import { PrintPreview } from './print-preview.tsx';
import {
  rememberDocument,
  rememberLabel,
  useLabelSizes,
  usePaper,
  useRemembered,
  useRememberedLabel,
} from './remembered.ts';
import styles from './print-panel.module.css';

interface PanelProps {
  readonly note: string | undefined;
  readonly onClose: () => void;
}

export function PrintPanel(
  props: PanelProps & {
    readonly kind: PrintKind;
    readonly papers: readonly Paper[];
    readonly parts: Parts;
    readonly build: (choice: PrintChoice) => PrintDocument;
  },
): ReactElement {
  const { kind, papers, parts, build, ...panel } = props;
  const text = useText();
  const screenIsMasked = useMasked();
  const remembered = useRemembered(kind);
  const usual = usePaper(kind, papers);
  const [paper, setPaper] = useState(usual);
  const [masked, setMasked] = useState(screenIsMasked);
  const [part, setPart] = useState(parts[0]?.[0]);
  const document = useMemo(
    () => build({ paper, masked, ...(part !== undefined && { part }) }),
    [build, paper, masked, part],
  );
  return (
    <Panel
      {...panel}
      title={text('print.send')}
      document={document}
      printer={remembered?.printer}
      onSent={({ printer = remembered?.printer }) =>
        rememberDocument({ kind, paper, ...(printer !== undefined && { printer }) })
      }
    >
      {parts.length > 1 && part !== undefined && (
        <SegmentedControl
          label={text('print.part')}
          value={part}
          options={parts}
          onChange={setPart}
        />
      )}
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
    </Panel>
  );
}

export function LabelPanel(
  props: PanelProps & { readonly build: (size: string) => Label },
): ReactElement {
  const { build, ...panel } = props;
  const text = useText();
  const sizes = useLabelSizes();
  const remembered = useRememberedLabel();
  const [size, setSize] = useState(remembered?.size ?? sizes[0] ?? '');
  const label = useMemo(() => build(size), [build, size]);
  return (
    <Panel
      {...panel}
      title={text('label.title')}
      document={label}
      printer={remembered?.printer}
      copies={remembered?.copies ?? 1}
      onSent={async ({ printer, copies }) => {
        if (printer !== undefined) await rememberLabel({ printer, size, copies });
      }}
    >
      <SegmentedControl
        label={text('label.size')}
        value={size}
        options={sizes.map((one) => [one, text('label.mm', { size: one.replace('x', ' × ') })])}
        onChange={setSize}
      />
    </Panel>
  );
}

interface Outcome {
  readonly of: Printable;
  readonly key: MessageKey;
  readonly values?: { readonly printer: string };
  readonly problem?: Problem;
}

function Panel(
  props: PanelProps & {
    readonly title: string;
    readonly document: Printable;
    readonly printer: string | undefined;
    readonly copies?: number;
    readonly onSent: (sent: Pick<PrintRequest, 'printer' | 'copies'>) => Promise<void>;
    readonly children: ReactNode;
  },
): ReactElement {
  const { title, note, onClose, document, printer: usual, onSent, children } = props;
  const text = useText();
  const close = useRef<HTMLButtonElement>(null);
  const chooser = useRef<HTMLSelectElement>(null);
  const preview = useQuery({
    queryKey: ['preview', document],
    queryFn: () => unwrap(window.caregate.preview(document)),
    staleTime: Infinity,
    gcTime: 0,
    structuralSharing: false,
  });
  const listing = useQuery({
    queryKey: ['printers'],
    queryFn: () => unwrap(window.caregate.printers({})),
    gcTime: 0,
  });
  const printers = listing.isError ? [] : listing.data;
  const [picked, setPicked] = useState<string>();
  const [copies, setCopies] = useState(props.copies ?? 1);
  const [outcome, setOutcome] = useState<Outcome>();
  const isBusy = useRef(false);

  // If the chosen printer is gone, ask: another may be in another room.
  const preferred = picked ?? usual ?? printers?.[0]?.name;
  const printer = printers?.find(({ name }) => name === preferred)?.name;
  const canPrint = printers !== undefined && printers.length > 0;
  const mustChoose = canPrint && printer === undefined;
  useEffect(() => {
    if (mustChoose) chooser.current?.focus();
  }, [mustChoose]);

  const print = async (to: PrintRequest['to']): Promise<void> => {
    const name = to === 'printer' ? printer : undefined;
    const [yes, no] = (
      to === 'file' ? ['print.saved', 'print.notSaved'] : ['print.sent', 'print.notSent']
    ) satisfies [MessageKey, MessageKey];
    setOutcome({ of: document, key: 'print.quick.busy' });
    try {
      const request = { document, to, copies, ...(name !== undefined && { printer: name }) };
      const { result } = await unwrap(window.caregate.print(request));
      if (result === 'printerGone' && name !== undefined) {
        const label = printers?.find((one) => one.name === name)?.label ?? name;
        await listing.refetch();
        setPicked(name);
        setOutcome({ of: document, key: 'print.quick.gone', values: { printer: label } });
        return;
      }
      // Remembered before the result is shown: the next print may be one key.
      if (result === 'done' && to !== 'file') await onSent(request);
      setOutcome({ of: document, key: result === 'done' ? yes : no });
      // One more Enter closes the panel; it neither saves nor prints once more.
      if (result === 'done') close.current?.focus();
    } catch (error) {
      setOutcome({ of: document, key: no, problem: toProblem(error) });
    }
  };
  const start = (to: PrintRequest['to']): void => {
    // A key that is held or pressed twice prints once.
    if (isBusy.current) return;
    isBusy.current = true;
    void print(to).finally(() => {
      isBusy.current = false;
    });
  };
  const isReady = preview.isSuccess;
  const { key, values, problem } =
    outcome?.of === document ? outcome : { key: isReady ? ('print.ready' as const) : undefined };
  return (
    <Overlay place="side" onClose={onClose} className={`column ${styles['panel'] ?? ''}`}>
      <Row className={styles['head']}>
        <Heading slot="title">{title}</Heading>
        <IconButton ref={close} icon={X} label={text('notice.close')} onPress={onClose} />
      </Row>
      {note !== undefined && (
        <Banner kind="notice" role="alert" className={styles['note']}>
          {note}
        </Banner>
      )}
      {preview.isError && <ProblemNote problem={toProblem(preview.error)} />}
      <div className={`stack gap2 ${styles['choices'] ?? ''}`}>{children}</div>
      <PrintPreview pdf={preview.data?.pdf} isFailed={preview.isError} />
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
          {canPrint && isReady && (
            // Gets the focus: from Find it's Enter, Ctrl+3, Ctrl+P, Enter.
            <Button
              kind="main"
              autoFocus
              aria-label={text('print.send')}
              isDisabled={mustChoose}
              onPress={() => {
                start('printer');
              }}
            >
              {text('print.send')}
              <KeyCap keys="Enter" />
            </Button>
          )}
          {printers !== undefined && isReady && (
            <Button
              kind={canPrint ? 'plain' : 'main'}
              autoFocus={!canPrint}
              onPress={() => {
                start('file');
              }}
            >
              {text('print.save')}
            </Button>
          )}
          {canPrint && (
            <Button
              kind="quiet"
              isDisabled={!isReady}
              onPress={() => {
                start('dialog');
              }}
            >
              {text('print.dialog')}
            </Button>
          )}
        </div>
        {problem !== undefined && <ProblemNote problem={problem} />}
        <p role="status">{key === undefined ? '' : text(key, values)}</p>
      </Stack>
    </Overlay>
  );
}
