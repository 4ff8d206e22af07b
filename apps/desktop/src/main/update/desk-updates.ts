import { randomUUID } from 'node:crypto';
import type { FetchFunction } from '@caregate/api-client';
import type { Settings } from '../../shared/app-state.ts';
import { integer, object, text } from './schema.ts';
import type { TypeOf } from './schema.ts';
import type { UpdateKind, UpdateState } from '../../shared/update.ts';
import { readJson, writeWhole } from '../files/whole-file.ts';
import { serviceAddress } from '../service/service-address.ts';
import { decideUpdate } from './decide-update.ts';
import type { Decision, DeskState } from './decide-update.ts';
import { fetchManifest, fetchPackage, holds } from './fetch-update.ts';
import { manifestName, openManifest } from './update-manifest.ts';
import type { Channel, Packaging, UpdateFile, UpdateManifest } from './update-manifest.ts';

const minute = 60_000;
/** Interval of checks, with an hour of jitter for the desks of a clinic. */
const askEveryMs = 3 * 60 * minute;
const spreadMs = 60 * minute;
/** Nobody signed in and no input for so long. */
const unusedMs = 2 * minute;

const memorySchema = object({
  deskId: text(36, 36),
  newestSeen: integer(0, Number.MAX_SAFE_INTEGER),
});

export interface UpdateParts {
  /** Wall clock and monotonic clock, in milliseconds. */
  readonly now: () => number;
  readonly elapsed: () => number;
  readonly random: () => number;
  readonly pinned: readonly string[];
  /** `-development` or `-test`: no release. */
  readonly version: string;
  readonly packaging: Packaging;
  readonly arch: UpdateFile['arch'];
  readonly settings: () => Pick<Settings, 'updateAddress' | 'updateChannel' | 'updateHold'>;
  readonly fetch: FetchFunction;
  readonly memoryFile: string;
  readonly folder: string;
  readonly isSignedOut: () => boolean;
  readonly canReplace: boolean;
  /** Replaces the program. With `isUnused` restarts it, unless somebody is at the desk when all is prepared: then false. */
  readonly install: (
    path: string,
    version: string,
    isUnused: (() => boolean) | undefined,
  ) => Promise<boolean>;
  readonly onState: (state: UpdateState) => void;
}

interface Ready {
  readonly path: string;
  readonly file: UpdateFile;
  readonly manifest: UpdateManifest;
}

export class DeskUpdates {
  readonly #parts: UpdateParts;
  #memory: TypeOf<typeof memorySchema>;
  #state: UpdateState;
  #asking: Promise<UpdateState> | undefined;
  #askAt = 0;
  #activeAt: number;
  #ready: Ready | undefined;
  #isInstalling = false;

  constructor(parts: UpdateParts) {
    this.#parts = parts;
    const stored = memorySchema(readJson(parts.memoryFile));
    this.#memory = stored.ok ? stored.value : { deskId: randomUUID(), newestSeen: 0 };
    this.#activeAt = parts.elapsed();
    this.#state = { kind: this.#unasked() ?? 'asking', isDevelopment: parts.version.includes('-') };
  }

  state(): UpdateState {
    return this.#state;
  }

  active(): void {
    this.#activeAt = this.#parts.elapsed();
  }

  /** Call about every second. Resolves when what it started is done. */
  async tick(): Promise<void> {
    if (this.#parts.elapsed() >= this.#askAt) await this.check();
    const isUnused = (): boolean => this.#isUnused();
    if (isUnused()) await this.#install(isUnused);
  }

  /** Never throws. */
  async atQuit(): Promise<void> {
    await this.#install(undefined);
  }

  /** One check at a time. Never throws. */
  check(): Promise<UpdateState> {
    this.#askAt = this.#parts.elapsed() + askEveryMs + this.#parts.random() * spreadMs;
    this.#asking ??= this.#check()
      .catch(() => this.#say('failed'))
      .finally(() => {
        this.#asking = undefined;
      });
    return this.#asking;
  }

  async #check(): Promise<UpdateState> {
    // Don't replace the package that is being installed.
    if (this.#isInstalling) return this.#state;
    const unasked = this.#unasked();
    if (unasked !== undefined) return this.#say(unasked);
    const { fetch, pinned, settings, folder, canReplace } = this.#parts;
    const { updateAddress } = settings();
    const where = serviceAddress(updateAddress);
    if ('problem' in where) return this.#say('wrongAddress');
    const text = await fetchManifest(fetch, `${where.address}/${manifestName(this.#channel())}`);
    if (text === undefined) return this.#say('unreachable');
    const manifest = openManifest(text, pinned);
    if (manifest === undefined) return this.#say('unsigned');
    const decision = this.#decide(manifest);
    this.#saw(manifest.issued);
    this.#ready = undefined;
    if (decision.act === 'nothing') return this.#say(decision.why, manifest);
    const address = `${where.address}/${encodeURIComponent(decision.file.name)}`;
    if (!canReplace) return this.#say('told', manifest, { file: address });
    this.#say('fetching', manifest);
    const fetched = await fetchPackage(fetch, address, decision.file, folder);
    if ('why' in fetched) return this.#say(fetched.why, manifest);
    this.#ready = { path: fetched.path, file: decision.file, manifest };
    return this.#say('waiting', manifest);
  }

  /** Check again: hours may have passed, and the file is writable for this account. */
  async #install(isUnused: (() => boolean) | undefined): Promise<void> {
    const ready = this.#ready;
    if (ready === undefined || this.#isInstalling) return;
    const { path, file, manifest } = ready;
    this.#isInstalling = true;
    try {
      const decision = this.#decide(manifest);
      if (decision.act === 'nothing') this.#say(decision.why, manifest);
      else if (!(await holds(path, file))) this.#say('wrongFile', manifest);
      // Somebody may have come meanwhile.
      else if (isUnused?.() === false) return;
      else {
        this.#say('installing', manifest);
        if (!(await this.#parts.install(path, manifest.version, isUnused))) {
          this.#say('waiting', manifest);
          return;
        }
      }
      this.#ready = undefined;
    } catch {
      this.#ready = undefined;
      this.#say('failed', manifest);
    } finally {
      this.#isInstalling = false;
    }
  }

  #isUnused(): boolean {
    const { elapsed, isSignedOut } = this.#parts;
    return elapsed() - this.#activeAt >= unusedMs && isSignedOut();
  }

  #unasked(): UpdateKind | undefined {
    const { updateAddress, updateChannel } = this.#parts.settings();
    if (updateChannel === 'off') return 'off';
    if (this.#parts.pinned.length === 0) return 'noKey';
    return updateAddress === '' ? 'noAddress' : undefined;
  }

  #channel(): Channel {
    return this.#parts.settings().updateChannel === 'early' ? 'early' : 'stable';
  }

  #decide(manifest: UpdateManifest): Decision {
    const { now, version, packaging, arch, settings, isSignedOut } = this.#parts;
    const { updateChannel, updateHold } = settings();
    const desk: DeskState = {
      ...{ now: now(), packaging, arch, channel: this.#channel() },
      // A development build counts as its release.
      installed: version.replace(/[-+].*/u, ''),
      ...this.#memory,
      isInUse: !isSignedOut(),
      ...(updateHold !== '' && { hold: updateHold }),
    };
    // Turned off since.
    return updateChannel === 'off'
      ? { act: 'nothing', why: 'otherChannel' }
      : decideUpdate(manifest, desk);
  }

  #saw(issued: number): void {
    if (issued <= this.#memory.newestSeen) return;
    this.#memory = { ...this.#memory, newestSeen: issued };
    writeWhole(this.#parts.memoryFile, JSON.stringify(this.#memory));
  }

  #say(kind: UpdateKind, manifest?: UpdateManifest, more?: { readonly file: string }): UpdateState {
    const { isDevelopment } = this.#state;
    const { updateHold } = this.#parts.settings();
    this.#state = {
      ...{ kind, isDevelopment, checkedAt: new Date(this.#parts.now()).toISOString() },
      ...(manifest !== undefined && { version: manifest.version }),
      ...(kind === 'held' && { hold: updateHold }),
      ...more,
    };
    this.#parts.onState(this.#state);
    return this.#state;
  }
}
