import { useQuery } from '@tanstack/react-query';
import { Printer } from 'lucide-react';
import { useCallback, useState } from 'react';
import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import type { Disclosure } from '../../../shared/audit.ts';
import type { Received } from '../../../shared/channels.ts';
import type { PrintDocument } from '../../../shared/print.ts';
import { Button } from '../../ui/controls.tsx';
import { formatDay, formatDate, formatDateTime } from '../../ui/values/dates.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ProblemNote } from '../../ui/problem.tsx';
import { PrintButton } from '../printing/print-button.tsx';
import { usePrintFrame } from '../printing/print-document.ts';
import type { Frame, PrintChoice } from '../printing/print-document.ts';
import { useAuditSubject } from '../../app/selection.tsx';
import { hidden } from '../../app/mask.tsx';
import { callService, toProblem } from '../../api/service-call.ts';
import { useFormatRole, useText } from '../../i18n/text.tsx';
import type { MessageKey } from '../../i18n/text.tsx';
import { useAuditWords } from './words.ts';

const PAPERS = ['a4', 'letter'] as const;

/** Reads the whole report on a press; then its button prints it. */
export function Disclosures(props: {
  readonly userId: string;
  readonly from: string | undefined;
}): ReactElement {
  const { userId, from } = props;
  const text = useText();
  const [isRequested, setRequested] = useState(false);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['disclosures', userId, from],
    queryFn: ({ signal }) => fetchAllDisclosures(userId, from, signal),
    enabled: isRequested,
  });
  if (data !== undefined) return <Ready userId={userId} from={from} read={data} />;
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

function Ready(props: {
  readonly userId: string;
  readonly from: string | undefined;
  readonly read: AllDisclosures;
}): ReactElement {
  const { userId, from, read } = props;
  const text = useText();
  const intl = useIntl();
  const formatRole = useFormatRole();
  const { formatAction } = useAuditWords();
  const createFrame = usePrintFrame();
  const { subject } = useAuditSubject();
  const clientUserId = subject?.toLowerCase() === userId.toLowerCase() ? undefined : subject;
  const build = useCallback(
    (choice: PrintChoice) =>
      buildDisclosuresDocument({
        userId,
        clientUserId,
        masked: choice.masked,
        disclosures: read.value,
        from: from === undefined ? undefined : formatDate(intl, from),
        to: formatDay(intl, read.receivedAt),
        frame: createFrame(choice, read, read.records),
        text,
        formatRole,
        formatAction,
        formatTime: (at) => formatDateTime(intl, at),
      }),
    [clientUserId, createFrame, from, intl, read, formatRole, formatAction, text, userId],
  );
  return (
    <PrintButton
      label={text('disclosures.print', { count: read.value.length })}
      kind="disclosures"
      papers={PAPERS}
      build={build}
    />
  );
}

interface AllDisclosures extends Received<readonly Disclosure[]> {
  readonly records: readonly string[];
}

/** All pages: a report may not leave anything out. */
async function fetchAllDisclosures(
  userId: string,
  from: string | undefined,
  signal: AbortSignal,
): Promise<AllDisclosures> {
  const found: Disclosure[] = [];
  const records: string[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await callService(
      'listDisclosures',
      {
        userId,
        ...(from !== undefined && { startDate: from }),
        ...(cursor !== undefined && { cursor }),
      },
      signal,
    );
    found.push(...page.value.disclosures);
    if (page.auditId !== undefined) records.push(page.auditId);
    cursor = page.value.nextCursor;
    if (cursor === undefined) return { ...page, value: found, records };
  }
}

interface Parts {
  readonly userId: string;
  /** The log has no names: only the id that was searched for. */
  readonly clientUserId: string | undefined;
  readonly masked: boolean;
  readonly disclosures: readonly Disclosure[];
  readonly from: string | undefined;
  readonly to: string;
  readonly frame: Frame;
  readonly text: (key: MessageKey, values?: Readonly<Record<string, string | number>>) => string;
  readonly formatRole: (role: string) => string;
  readonly formatAction: ReturnType<typeof useAuditWords>['formatAction'];
  readonly formatTime: (at: string) => string;
}

/** The limit of a printed table. */
const maxRows = 5000;

export function buildDisclosuresDocument(parts: Parts): PrintDocument {
  const {
    userId,
    clientUserId,
    masked,
    disclosures,
    from,
    to,
    frame,
    text,
    formatRole,
    formatAction,
    formatTime,
  } = parts;
  const rows = disclosures.map(
    ({ occurredAt, actor, operation, how, document, why, desk, outcome }) => {
      const details = [
        { name: 'kind', value: how },
        { name: 'document', value: document ?? '' },
      ];
      const actorName = actor.name ?? actor.id ?? actor.type;
      return {
        cells: [
          formatTime(occurredAt),
          actor.role === undefined ? actorName : `${actorName}, ${formatRole(actor.role)}`,
          formatAction({ operation, details, decision: outcome }),
          [why, desk, outcome === 'allowed' ? undefined : outcome].filter(Boolean).join(', '),
        ],
      };
    },
  );
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
      name: `${text('disclosures.of')} ${masked ? hidden : userId}`,
      facts:
        clientUserId === undefined
          ? []
          : [
              {
                label: text('patient.clientId'),
                value: masked ? hidden : clientUserId,
                code: true,
              },
            ],
    },
    main: [
      {
        label: text('audit.period'),
        value: from === undefined ? text('disclosures.until', { to }) : `${from} – ${to}`,
      },
      { label: text('disclosures.count'), value: String(disclosures.length) },
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
              rows: tableRows,
            },
          })),
  };
}
