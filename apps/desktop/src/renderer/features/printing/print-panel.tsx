import { useQuery } from '@tanstack/react-query';
import { FileDown, Tag, X } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useIntl } from 'react-intl';
import { Heading } from 'react-aria-components/Heading';
import { LABEL_SIZES, PAPERS, type PrintKind } from '../../../shared/print-kinds.ts';
import type { Label, Printable, PrintDocument, PrintRequest } from '../../../shared/print.ts';
import type { Problem } from '../../../shared/problem.ts';
import { useSettings } from '../../api/app-state.ts';
import { toProblem, unwrap } from '../../api/service-call.ts';
import { useMasked } from '../../app/mask.tsx';
import { getDirection, useText, type MessageKey } from '../../i18n/text.tsx';
import { Button, IconButton, KeyCap, Select, selectClass } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { Overlay } from '../../ui/overlay.tsx';
import { ProblemNote } from '../../ui/problem.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { formatDate } from '../../ui/values/dates.tsx';
import type { PrintChoice } from './print-document.ts';
import { PrintPreview } from './print-preview.tsx';
import styles from './print-panel.module.css';

export interface PrintableDocument {
  readonly kind: PrintKind;
  /** Parts of the document that can be printed separately, the default first. */
  readonly parts?: readonly (readonly [part: string, name: string])[];
  /** Builds the document. The function stays the same as long as the data does. */
  readonly build: (choice: PrintChoice) => PrintDocument;
}

export interface LabelPerson {
  readonly clientUserId: string;
  readonly name: string | undefined;
  /** YYYY-MM-DD */
  readonly birthDate: string | undefined;
  /** The audit records of the answers that the label comes from. */
  readonly recordIds: readonly string[];
}

/** Prints a document or, unless the mask is on, a label. If there are both, it starts with the document. */
export default function PrintPanel(props: {
  readonly document?: PrintableDocument | undefined;
  readonly label?: LabelPerson | undefined;
  readonly onClose: () => void;
}) {
  const { document, onClose } = props;
  const text = useText();
  const label = useMasked() ? undefined : props.label;
  const parts = document?.parts ?? [];
  const [part, setPart] = useState(document === undefined ? 'label' : (parts[0]?.[0] ?? 'all'));
  const options = [
    ...parts,
    ...(label === undefined ? [] : [['label', text('label.word'), Tag] as const]),
  ];
  const what = options.length > 1 && (
    <SegmentedControl
      label={text('print.part')}
      value={part}
      options={options}
      onChange={setPart}
    />
  );
  if (document !== undefined && part !== 'label') {
    return <DocumentPrint {...document} part={part} what={what} onClose={onClose} />;
  }
  return label === undefined ? null : <LabelPrint person={label} what={what} onClose={onClose} />;
}

/** Names of the label sizes that are sold in inches. */
const inches: Readonly<Record<string, string>> = { '57x32': '2¼ × 1¼', '54x25': '2⅛ × 1' };

interface ChoiceProps {
  readonly what: ReactNode;
  readonly onClose: () => void;
}

function DocumentPrint(props: PrintableDocument & { readonly part: string } & ChoiceProps) {
  const { kind, build, part, what, onClose } = props;
  const text = useText();
  const masked = useMasked();
  const { paper: usual, prints } = useSettings();
  const remembered = prints.documents.find((one) => one.kind === kind);
  const [paper, setPaper] = useState(remembered?.paper ?? usual);
  const document = useMemo(() => build({ part, paper, masked }), [build, part, paper, masked]);
  return (
    <Panel
      document={document}
      printer={remembered?.printer}
      onClose={onClose}
      onSent={({ printer }) =>
        window.caregate.changeSettings({ document: { kind, paper, printer } })
      }
    >
      {what}
      <SegmentedControl
        label={text('print.paper')}
        value={paper}
        options={PAPERS.map((one) => [one, text(`print.paper.${one}`)])}
        onChange={setPaper}
      />
    </Panel>
  );
}

function LabelPrint(props: { readonly person: LabelPerson } & ChoiceProps) {
  const { what, onClose } = props;
  const text = useText();
  const intl = useIntl();
  // The label that is previewed is printed, even if newer data arrives.
  const [{ clientUserId, name = '', birthDate, recordIds }] = useState(props.person);
  const { labelSizes, prints } = useSettings();
  const sizes = [...new Set([...LABEL_SIZES, ...labelSizes])];
  // The policy may no longer have the remembered size.
  const remembered = prints.label && sizes.includes(prints.label.size) ? prints.label : undefined;
  const [size, setSize] = useState(remembered?.size ?? sizes[0] ?? '');
  const label = useMemo(
    (): Label => ({
      kind: 'label',
      size,
      language: intl.locale,
      direction: getDirection(intl.locale),
      name,
      born:
        birthDate === undefined ? '' : text('label.born', { date: formatDate(intl, birthDate) }),
      clientUserId,
      recordIds: [...recordIds],
    }),
    [size, intl, text, name, birthDate, clientUserId, recordIds],
  );
  return (
    <Panel
      document={label}
      printer={remembered?.printer}
      copies={remembered?.copies}
      onClose={onClose}
      onSent={({ printer, copies }) =>
        window.caregate.changeSettings({ label: { printer, size, copies } })
      }
    >
      {what}
      <SegmentedControl
        label={text('label.size')}
        value={size}
        options={sizes.map((one) => [
          one,
          inches[one] === undefined
            ? text('label.mm', { size: one.replace('x', ' × ') })
            : text('label.inches', { size: inches[one] }),
        ])}
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

function Panel(props: {
  readonly document: Printable;
  readonly printer: string | undefined;
  readonly copies?: number | undefined;
  readonly onClose: () => void;
  readonly onSent: (sent: {
    readonly printer: string;
    readonly copies: number;
  }) => Promise<unknown>;
  readonly children: ReactNode;
}) {
  const { document, printer: usual, onClose, onSent, children } = props;
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
  const [latestOutcome, setOutcome] = useState<Outcome>();
  const isBusy = useRef(false);

  // If the preferred printer is missing, the user has to choose, since another one may be in another room.
  const preferred = picked ?? usual ?? printers?.[0]?.name;
  const printer = printers?.find(({ name }) => name === preferred)?.name;
  const canPrint = printers !== undefined && printers.length > 0;
  const mustChoose = canPrint && printer === undefined;
  useEffect(() => {
    if (mustChoose) chooser.current?.focus();
  }, [mustChoose]);

  const print = async (to: PrintRequest['to']): Promise<void> => {
    const [yes, no] = (
      to === 'file' ? ['print.saved', 'print.notSaved'] : ['print.sent', 'print.notSent']
    ) satisfies [MessageKey, MessageKey];
    setOutcome({ of: document, key: 'print.busy' });
    try {
      const request = { document, to, copies, ...(to === 'printer' && { printer }) };
      const { result } = await unwrap(window.caregate.print(request));
      if (result === 'printerGone' && printer !== undefined) {
        const label = printers?.find(({ name }) => name === printer)?.label ?? printer;
        await listing.refetch();
        setPicked(printer);
        setOutcome({ of: document, key: 'print.printerGone', values: { printer: label } });
        return;
      }
      if (result === 'done' && to === 'printer' && printer !== undefined) {
        await onSent({ printer, copies });
      }
      setOutcome({ of: document, key: result === 'done' ? yes : no });
      // A repeated Enter then closes the panel, and doesn't print or save again.
      if (result === 'done') close.current?.focus();
    } catch (error) {
      setOutcome({ of: document, key: no, problem: toProblem(error) });
    }
  };
  const start = (to: PrintRequest['to']): void => {
    // Holding or repeating a key prints only once.
    if (isBusy.current) return;
    isBusy.current = true;
    void print(to).finally(() => {
      isBusy.current = false;
    });
  };
  const isReady = preview.isSuccess;
  const count = preview.data?.pages ?? 0;
  const outcome = latestOutcome?.of === document ? latestOutcome : undefined;
  const readyText = isReady
    ? text(document.kind === 'label' ? 'label.exact' : 'print.exact', { count })
    : '';
  return (
    <Overlay place="side" onClose={onClose} className={`column ${styles['panel'] ?? ''}`}>
      <Row className={styles['head']}>
        <Heading slot="title" className="grow">
          {text('print.send')}
        </Heading>
        <KeyCap isSilent keys="Esc" />
        <IconButton ref={close} icon={X} label={text('notice.close')} onPress={onClose} />
      </Row>
      {preview.isError && <ProblemNote problem={toProblem(preview.error)} />}
      <div className={`stack gap2 ${styles['choices'] ?? ''}`}>{children}</div>
      <PrintPreview pdf={preview.data?.pdf} isFailed={preview.isError} />
      <Stack gap="gap3" className={styles['foot']}>
        <Row className="quiet meta between">
          <span role="status">
            {outcome === undefined ? readyText : text(outcome.key, outcome.values)}
          </span>
          <span>{text('print.recorded')}</span>
        </Row>
        {outcome?.problem !== undefined && <ProblemNote problem={outcome.problem} />}
        {printers?.length === 0 && <p>{text('print.noPrinter')}</p>}
        {canPrint && (
          <div className={styles['fields']}>
            <label className="stack gap1 quiet meta">
              {text('print.printer')}
              <Select
                ref={chooser}
                value={printer ?? ''}
                options={[
                  ...(mustChoose ? [['', text('print.choose')] as const] : []),
                  ...printers.map(({ name, label }) => [name, label] as const),
                ]}
                onChange={setPicked}
              />
            </label>
            <label className="stack gap1 quiet meta">
              {text('print.copies')}
              <input
                className={selectClass}
                type="number"
                min={1}
                max={20}
                value={copies}
                onChange={({ target }) =>
                  setCopies(Math.min(20, Math.max(1, Math.trunc(Number(target.value)) || 1)))
                }
              />
            </label>
          </div>
        )}
        <Row className="between">
          {canPrint && isReady && (
            // This button gets the focus, so that Enter prints right after the panel was opened.
            <Button
              kind="main"
              autoFocus
              aria-label={text('print.send')}
              isDisabled={mustChoose}
              onPress={() => start('printer')}
            >
              {text('print.send')}
              <KeyCap keys="Enter" />
            </Button>
          )}
          {printers !== undefined && isReady && (
            <Button
              kind={canPrint ? 'plain' : 'main'}
              autoFocus={!canPrint}
              onPress={() => start('file')}
            >
              <Icon of={FileDown} />
              {text('print.save')}
            </Button>
          )}
        </Row>
      </Stack>
    </Overlay>
  );
}
