import type { AppUpdater } from 'electron-updater';
import type { Settings } from '../../shared/app-state.ts';
import type { UpdateState } from '../../shared/update.ts';
import { parseServiceAddress } from '../service/service-address.ts';

const minute = 60_000;
const checkEveryMs = 180 * minute;
/** The random part of the interval keeps a clinic's desks from downloading at the same time. */
const jitterMs = 60 * minute;
const idleMs = 2 * minute;

/** The members of electron-updater that are used. It installs a downloaded update by itself when the program quits. */
export type Updater = Pick<AppUpdater, 'checkForUpdates' | 'on' | 'quitAndInstall' | 'setFeedURL'>;

interface Options {
  /** Returns milliseconds of a clock that never goes back. */
  readonly now: () => number;
  readonly settings: () => Pick<Settings, 'updateAddress' | 'updateChannel'>;
  readonly isSignedOut: () => boolean;
  /** Returns undefined if an administrator installs the updates. */
  readonly loadUpdater: () => Promise<Updater | undefined>;
  /** Called before the new version is started. */
  readonly onRestart: () => void;
  readonly onState: (state: UpdateState, error?: Error) => void;
}

/** Checks for updates, and installs a downloaded update while nobody uses the desk. */
export class DeskUpdates {
  readonly #options: Options;
  #updater: Updater | undefined;
  #state: UpdateState = { kind: 'checking' };
  #version = '';
  #checkAt = 0;
  #activeAt: number;

  constructor(options: Options) {
    this.#options = options;
    this.#activeAt = options.now();
  }

  getState(): UpdateState {
    return this.#state;
  }

  noteActivity(): void {
    this.#activeAt = this.#options.now();
  }

  /** Call this about every second. Resolves after the check and the download that it started. */
  async tick(): Promise<void> {
    const now = this.#options.now();
    if (this.#state.kind === 'ready') {
      const isIdle = now - this.#activeAt >= idleMs && this.#options.isSignedOut();
      if (!isIdle) return;
      this.#options.onRestart();
      this.#updater?.quitAndInstall(true, true);
    } else if (now >= this.#checkAt) {
      this.#checkAt = now + checkEveryMs + Math.random() * jitterMs;
      await this.#check();
    }
  }

  async #check(): Promise<void> {
    const { updateAddress, updateChannel } = this.#options.settings();
    if (updateAddress === '') {
      this.#setState({ kind: 'off' });
      return;
    }
    const parsedAddress = parseServiceAddress(updateAddress);
    if ('problem' in parsedAddress) {
      this.#setState({ kind: 'wrongAddress' });
      return;
    }
    this.#updater ??= await this.#load();
    if (this.#updater === undefined) {
      this.#setState({ kind: 'byAdmin' });
      return;
    }
    const { address: url } = parsedAddress;
    this.#updater.setFeedURL({ provider: 'generic', url, channel: updateChannel });
    try {
      const found = await this.#updater.checkForUpdates();
      await found?.downloadPromise;
    } catch {
      // electron-updater has already reported it as an `error` event.
    }
  }

  async #load(): Promise<Updater | undefined> {
    const updater = await this.#options.loadUpdater();
    updater?.on('update-not-available', () => this.#setState({ kind: 'current' }));
    updater?.on('update-available', ({ version }) => {
      this.#version = version;
      this.#setState({ kind: 'downloading', version });
    });
    updater?.on('update-downloaded', ({ version }) => this.#setState({ kind: 'ready', version }));
    updater?.on('error', (error) => this.#setState(this.#toFailureState(error), error));
    return updater;
  }

  #toFailureState(error: NodeJS.ErrnoException): UpdateState {
    const { kind } = this.#state;
    if (kind !== 'downloading' && kind !== 'ready') return { kind: 'unreachable' };
    const isWrong =
      error.code === 'ERR_CHECKSUM_MISMATCH' || error.code === 'ERR_UPDATER_INVALID_SIGNATURE';
    return { kind: isWrong ? 'wrongFile' : 'failed', version: this.#version };
  }

  #setState(state: UpdateState, error?: Error): void {
    this.#state = state;
    this.#options.onState(state, error);
  }
}
