import { instantText, type SearchedType } from '@caregate/fhir';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { EXPORT_MS, type Export } from '../../access/exports/export-store.ts';
import type { AccessStore } from '../../access/access-store.ts';
import { tooManyRequests } from '../../access/limits/rate-limits.ts';
import { loopMeter } from '../../access/limits/turns.ts';
import { actorIdOf, principalOf } from '../../access/principal.ts';
import type { PieceRecorder } from '../../audit/http/piece-recorder.ts';
import { FHIR_OPERATIONS, FHIR_ROOT } from '../../operations/fhir-operations.ts';
import type { PermissionTable } from '../../operations/permission-table.ts';
import { notFound, orNotFound } from '../../problem/problem-error.ts';
import type { HealthDataSource } from '../../source/health-data-source.ts';
import { FhirCall } from '../fhir-call.ts';
import { LINES, type Found } from './export-lines.ts';
import { exportQuery } from './export-query.ts';
import { pieces, type Piece } from './pieces.ts';

export interface ExportParts {
  readonly source: HealthDataSource;
  readonly permissions: PermissionTable;
  readonly access: Pick<AccessStore, 'exports' | 'sessions'>;
  readonly recorder: PieceRecorder;
  /** Of the service. */
  readonly address: () => string;
}

/** Of a key or a member of staff, on this instance: each has a piece in memory. */
const FILES_AT_ONCE = 8;
const BEGIN = FHIR_OPERATIONS.beginExport.path;
/** Patients of a file, and how many are read at once. */
const OF_FILE = 1000;
const AT_ONCE = 100;
const EVERY_MS = 3_600_000;

/** HL7 Bulk Data Access 2.0.0. A file is made of the store while it is sent: none lies on a disk. */
export class Exports implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #parts: ExportParts;
  #timer: NodeJS.Timeout | undefined;
  readonly #reading = new Map<string, number>();

  constructor(parts: ExportParts) {
    this.#parts = parts;
  }

  onApplicationBootstrap(): void {
    const drop = (): void => {
      // Tried again: meanwhile they are found by nobody.
      this.#parts.access.exports.dropExpired().catch(() => undefined);
    };
    drop();
    this.#timer = setInterval(drop, EVERY_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }

  /** Another file of the caller is read. Returns what to call when it no longer is. @throws ProblemError 429 */
  reads(request: FastifyRequest): () => void {
    const owner = actorIdOf(principalOf(request));
    const count = this.#reading.get(owner) ?? 0;
    if (count >= FILES_AT_ONCE) {
      const detail = `At most ${FILES_AT_ONCE} files are sent at once.`;
      throw tooManyRequests(1, detail);
    }
    this.#reading.set(owner, count + 1);
    return () => {
      const left = (this.#reading.get(owner) ?? 1) - 1;
      if (left === 0) {
        this.#reading.delete(owner);
      } else {
        this.#reading.set(owner, left);
      }
    };
  }

  /** @returns the address of its status @throws ProblemError 400, 429, 501 */
  async begin(request: FastifyRequest): Promise<string> {
    const { access, address } = this.#parts;
    const { types, sinceUs, used } = exportQuery(request);
    const call = this.#call(request);
    const principal = principalOf(request);
    // Before all ids are read.
    await loopMeter.through(access.exports.requireRoom(principal));
    const untilUs = await call.read('lastChange', undefined);
    const ends = await endsOfFiles(call);
    const asked = { types, sinceUs, untilUs, ends, request: `${address()}${BEGIN}${used}` };
    const exportId = await loopMeter.through(access.exports.begin(principal, asked));
    call.disclose({
      ...{ patients: [], recordCount: 0 },
      details: {
        ...{ export_id: exportId, types: types.join() },
        ...(sinceUs !== undefined && { since: instantText(sinceUs) }),
      },
    });
    return this.#addressOf(exportId);
  }

  /** The manifest. @throws ProblemError 404 */
  async status(
    request: FastifyRequest,
    exportId: string,
  ): Promise<{ readonly manifest: object; readonly expires: Date }> {
    const found = await this.#find(request, exportId);
    const call = this.#call(request);
    call.disclose({ patients: [], recordCount: 0, details: { export_id: found.exportId } });
    const { types, sinceUs = -Infinity, untilUs, beganMs, ends } = found;
    const isEmpty = sinceUs >= untilUs || (await call.read('userIds', { limit: 1 })).length === 0;
    const address = this.#addressOf(found.exportId);
    const output = types.flatMap((type) =>
      [...ends, undefined].map((_, at) => ({ type, url: `${address}/${type}-${at + 1}.ndjson` })),
    );
    return {
      manifest: {
        transactionTime: instantText(untilUs),
        request: found.request,
        ...{ requiresAccessToken: true, output: isEmpty ? [] : output, deleted: [], error: [] },
      },
      expires: new Date(beganMs + EXPORT_MS),
    };
  }

  /** @throws ProblemError 404 */
  async end(request: FastifyRequest, exportId: string): Promise<void> {
    const { exportId: known } = await this.#find(request, exportId);
    await loopMeter.through(this.#parts.access.exports.end(known));
    this.#call(request).disclose({
      ...{ patients: [], recordCount: 0, details: { export_id: known } },
    });
  }

  /** Its first piece is disclosed by the answer, each further one before it leaves. @throws ProblemError 404 */
  async file(
    request: FastifyRequest,
    exportId: string,
    name: string,
  ): Promise<AsyncGenerator<Buffer>> {
    const found = await this.#find(request, exportId);
    const [, type = '', number] = /^([A-Za-z]+)-([1-9]\d{0,6})\.ndjson$/u.exec(name) ?? [];
    const at = Number(number) - 1;
    if (!found.types.includes(type) || !(at <= found.ends.length)) {
      throw notFound();
    }
    const call = this.#call(request);
    const [after, upTo] = [found.ends[at - 1], found.ends[at]];
    const lines = linesOf(call, type as SearchedType, { after, upTo, sinceUs: found.sinceUs });
    const rest = pieces(lines, call.pause);
    const first = await rest.next();
    if (first.done === true) {
      throw new Error('A file has no pieces');
    }
    const disclosureOf = ({ patients, recordCount }: Piece) => ({
      ...{ patients, recordCount, details: { export_id: found.exportId, file: name } },
      category: CATEGORY[type as SearchedType],
    });
    call.disclose(disclosureOf(first.value));
    const go = async (piece: Piece): Promise<void> => {
      await this.#find(request, found.exportId);
      await this.#parts.recorder.record(request, disclosureOf(piece));
    };
    return sent(request, first.value, rest, go);
  }

  #call(request: FastifyRequest): FhirCall {
    return new FhirCall(request, this.#parts);
  }

  async #find(request: FastifyRequest, exportId: string): Promise<Export> {
    const { exports, sessions } = this.#parts.access;
    const principal = principalOf(request);
    // A file is read for minutes: the guard saw the session at its beginning alone.
    const goesOn =
      principal.kind === 'key' ||
      (await loopMeter.through(sessions.goesOn(principal.sessionId, principal.role)));
    return orNotFound(
      goesOn ? await loopMeter.through(exports.find(principal, exportId)) : undefined,
    );
  }

  #addressOf(exportId: string): string {
    return `${this.#parts.address()}${FHIR_ROOT}/export/${exportId}`;
  }
}

const CATEGORY = {
  Patient: 'user',
  Coverage: 'insurance',
  ServiceRequest: 'lab_result',
  DiagnosticReport: 'lab_result',
  Observation: 'lab_result',
} as const satisfies Readonly<Record<SearchedType, string>>;

async function endsOfFiles(call: FhirCall): Promise<string[]> {
  const ends: string[] = [];
  for (;;) {
    const ids = await call.read('userIds', { after: ends.at(-1), limit: OF_FILE });
    const last = ids.at(-1);
    if (ids.length < OF_FILE || last === undefined) {
      // The last file has no end: it takes who was added since, too.
      return ids.length === 0 ? ends.slice(0, -1) : ends;
    }
    ends.push(last);
    await call.pause();
  }
}

interface Part {
  readonly after: string | undefined;
  readonly upTo: string | undefined;
  readonly sinceUs: number | undefined;
}

async function* linesOf(
  call: FhirCall,
  type: SearchedType,
  { after, upTo, sinceUs = -Infinity }: Part,
): AsyncGenerator<Found> {
  for (let last = after; ;) {
    const ids = await call.read('userIds', { after: last, upTo, limit: AT_ONCE });
    yield* LINES[type](call, ids, sinceUs);
    last = ids.at(-1);
    if (ids.length < AT_ONCE) {
      return;
    }
  }
}

async function* sent(
  { account }: FastifyRequest,
  first: Piece,
  rest: AsyncIterable<Piece>,
  go: (piece: Piece) => Promise<void>,
): AsyncGenerator<Buffer> {
  account?.spend(0, first.bytes.length);
  yield first.bytes;
  loopMeter.enter(account);
  for await (const piece of rest) {
    await go(piece);
    account?.spend(0, piece.bytes.length);
    yield piece.bytes;
    // What has waited for its reader.
    loopMeter.enter(account);
  }
}
