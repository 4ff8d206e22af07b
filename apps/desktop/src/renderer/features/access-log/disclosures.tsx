import { useQuery } from '@tanstack/react-query';
import { Printer } from 'lucide-react';
import { useCallback, useState } from 'react';
import type { Disclosure } from '@caregate/domain';
import { useIntl } from 'react-intl';
import type { Received } from '../../../shared/channels.ts';
import type { PrintDocument } from '../../../shared/print.ts';
import { Button } from '../../ui/controls.tsx';
import { formatDay, formatDate, formatDateTime } from '../../ui/values/dates.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ProblemNote } from '../../ui/problem.tsx';
import { PrintButton } from '../printing/print-button.tsx';
import { usePrintFrame, type Frame, type PrintChoice } from '../printing/print-document.ts';
import { useAuditSubject } from '../../app/selection.tsx';
import { hidden } from '../../app/mask.tsx';
import { callService, toProblem } from '../../api/service-call.ts';
import { useFormatRole, useText, type Text } from '../../i18n/text.tsx';
import { formatActor, useAuditWords } from './words.ts';

/** The button reads the complete report at its first press, and then becomes a print button. */
export function Disclosures(props: { readonly userId: string; readonly from: string | undefined }) {
  const { userId, from } = props;
  const text = useText();
  const [isRequested, setRequested] = useState(false);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['disclosures', userId, from],
    queryFn: ({ signal }) => fetchAllDisclosures(userId, from, signal),
    enabled: isRequested,
  });
  if (data !== undefined) return <PrintDisclosures userId={userId} from={from} read={data} />;
  return (
    <>
      <Button
        onPress={() => {
          if (isRequested) void refetch();
          setRequested(true);
        }}
      >
        <Icon of={Printer} />
        {text(isFetching ? 'state.loading' : 'disclosures.make')}
      </Button>
      {error !== null && <ProblemNote problem={toProblem(error)} />}
    </>
  );
}

function PrintDisclosures(props: {
  readonly userId: string;
  readonly from: string | undefined;
  readonly read: AllDisclosures;
}) {
  const { userId, from, read } = props;
  const text = useText();
  const intl = useIntl();
  const formatRole = useFormatRole();
  const { formatAction } = useAuditWords();
  const createFrame = usePrintFrame();
  const { subject } = useAuditSubject();
  const clientUserId = subject?.toLowerCase() === userId.toLowerCase() ? undefined : subject;
  const build = useCallback(
    (choice: PrintChoice) => {
      const to = formatDay(intl, read.receivedAt);
      return buildDisclosuresDocument(text, {
        ...{ userId, clientUserId, masked: choice.masked },
        period:
          from === undefined
            ? text('disclosures.until', { to })
            : `${formatDate(intl, from)} – ${to}`,
        frame: createFrame(choice, read.records),
        rows: read.value.map(({ occurred_at: at, actor, operation, how, document, ...one }) => {
          const details = [
            { name: 'kind', value: how },
            { name: 'document', value: document ?? '' },
          ];
          const desk = one.desk?.name ?? one.desk?.desk_id;
          const failure = one.outcome === 'allowed' ? undefined : one.outcome;
          return [
            formatDateTime(intl, at),
            [formatActor(text, actor), actor.role && formatRole(actor.role)]
              .filter(Boolean)
              .join(', '),
            formatAction({ operation, details, decision: one.outcome }),
            [one.why, desk, failure].filter(Boolean).join(', '),
          ];
        }),
      });
    },
    [clientUserId, createFrame, from, intl, read, formatRole, formatAction, text, userId],
  );
  return (
    <PrintButton
      name={text('disclosures.print', { count: read.value.length })}
      kind="disclosures"
      build={build}
    />
  );
}

interface AllDisclosures extends Received<readonly Disclosure[]> {
  readonly records: readonly string[];
}

/** Reads all pages, since a disclosure report must be complete. */
async function fetchAllDisclosures(
  userId: string,
  startDate: string | undefined,
  signal: AbortSignal,
): Promise<AllDisclosures> {
  const found: Disclosure[] = [];
  const records: string[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await callService('listDisclosures', { userId, startDate, cursor }, signal);
    found.push(...page.value.disclosures);
    if (page.auditId !== undefined) records.push(page.auditId);
    cursor = page.value.next_cursor ?? undefined;
    if (cursor === undefined) return { ...page, value: found, records };
  }
}

/** The maximum number of rows in a printed table. */
const maxRows = 5000;

export function buildDisclosuresDocument(
  text: Text,
  parts: {
    readonly userId: string;
    /** The MRN that was searched for. The audit log has no names. */
    readonly clientUserId: string | undefined;
    readonly masked: boolean;
    readonly period: string;
    readonly frame: Frame;
    readonly rows: readonly string[][];
  },
): PrintDocument {
  const { userId, clientUserId, masked, period, frame, rows } = parts;
  const maskId = (id: string): string => (masked ? hidden : id);
  const tables = Array.from({ length: Math.ceil(rows.length / maxRows) }, (_, at) =>
    rows.slice(at * maxRows, (at + 1) * maxRows),
  );
  return {
    ...frame,
    kind: 'disclosures',
    title: text('disclosures.title'),
    heading: text('disclosures.title'),
    notice: text('disclosures.notice'),
    patient: {
      name: `${text('disclosures.of')} ${maskId(userId)}`,
      facts:
        clientUserId === undefined
          ? []
          : [{ label: text('patient.clientId'), value: maskId(clientUserId), code: true }],
    },
    main: [
      { label: text('audit.period'), value: period },
      { label: text('disclosures.count'), value: String(rows.length) },
    ],
    sections:
      tables.length === 0
        ? [{ heading: text('disclosures.none'), facts: [] }]
        : tables.map((tableRows, at) => ({
            heading: at === 0 ? text('disclosures.list') : '',
            facts: [],
            table: {
              columns: [
                text('disclosures.when'),
                text('audit.who'),
                text('audit.what'),
                text('disclosures.why'),
              ],
              widths: [20, 28, 27, 25],
              rows: tableRows.map((cells) => ({ cells })),
            },
          })),
  };
}
