/** The types of all messages between the page and main. Only main validates them. */
import type { AuditLogState, BreakGlassGrantList, DisclosureList } from '@caregate/domain';
import type { AnswerOf, OperationName, ReadOperations } from '@caregate/domain/operations';
import type * as validators from '@caregate/domain/validate';
import type { InferOutput } from 'valibot';
import type { About, AppState, Settings, StateChange, Status } from './app-state.ts';
import type { AuditPage } from './audit.ts';
import type { Me } from './people.ts';
import type { Preview, PrintResult, Printers } from './print.ts';
import type { Outcome } from './problem.ts';
import type { AUDIT_READS, OTHER_READS, REQUESTS } from './requests.ts';

export interface Received<T> {
  readonly value: T;
  readonly requestId?: string | undefined;
  /** The `x-audit-record-id` header of the answer. */
  readonly auditId?: string | undefined;
  /** An ISO 8601 time in UTC, which is shown as "as of". */
  readonly receivedAt: string;
}

interface Answers {
  readonly state: AppState;

  readonly signOut: Status;
  readonly lock: Status;
  readonly signInInfo: Status;
  readonly enrolDesk: Status;
  readonly beginSignIn: Status;
  readonly cancelSignIn: Status;
  readonly setPin: Status;
  readonly unlockSession: Status;
  readonly switchTo: Status;
  readonly readBadge: Status;
  readonly noteOpen: object;
  readonly askBreakGlass: Status;
  readonly endBreakGlass: Status;

  readonly read: Received<unknown>;
  readonly cancel: object;
  readonly reviewBreakGlass: object;
  readonly exportAuditEvents: { readonly saved: boolean; readonly records: number };

  readonly preview: Preview;
  readonly print: PrintResult;
  readonly printers: Printers;

  readonly changeSettings: Settings;
  readonly about: About;
  readonly copyText: object;
  readonly reportFailure: object;
}

export type ChannelName = keyof typeof REQUESTS;
export type ChannelRequest<C extends ChannelName> = InferOutput<(typeof REQUESTS)[C]>;
export type ChannelResponse<C extends ChannelName> = Answers[C];

interface OtherAnswers {
  readonly listAuditEvents: AuditPage;
  readonly listBreakGlass: BreakGlassGrantList;
  readonly auditLogState: AuditLogState;
  readonly listDisclosures: DisclosureList;
  readonly me: Me;
  readonly serviceVersion: string;
}

type OtherRead = keyof typeof OTHER_READS;
export type AuditRead = keyof typeof AUDIT_READS;
export type ReadName = OperationName | OtherRead;

type CamelCase<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;
type Fields<T> = { [K in keyof T as CamelCase<K>]: Exclude<T[K], null> };
type OperationPart<O extends OperationName, Part extends string> =
  ReadOperations[O] extends Readonly<Record<Part, infer Name extends string>>
    ? `validate${Name}` extends keyof typeof validators
      ? (typeof validators)[`validate${Name}`] extends validators.Validator<infer T>
        ? Fields<T>
        : never
      : never
    : object;

/** The parameters of the path, the query and the body in one object, with their names in camel case. */
export type ReadParams<R extends ReadName> = R extends OtherRead
  ? InferOutput<(typeof OTHER_READS)[R]>
  : R extends OperationName
    ? OperationPart<R, 'params'> & OperationPart<R, 'query'> & OperationPart<R, 'body'>
    : never;

export type ReadAnswer<R extends ReadName> = Received<
  R extends OtherRead ? OtherAnswers[R] : R extends OperationName ? AnswerOf<R> : never
>;

type Calls = {
  readonly [C in Exclude<ChannelName, 'read'>]: (
    request: ChannelRequest<C>,
  ) => Promise<Outcome<ChannelResponse<C>>>;
};

/** The preload script exposes this as `window.caregate`. */
export interface CaregateBridge extends Calls {
  readonly read: <R extends ReadName>(request: {
    readonly operation: R;
    readonly call: string;
    readonly params: ReadParams<R>;
  }) => Promise<Outcome<ReadAnswer<R>>>;
  readonly onState: (listener: (change: StateChange) => void) => () => void;
}
