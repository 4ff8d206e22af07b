import { statSync } from 'node:fs';

/** Inode, size and times of a SQLite file and its write-ahead log, which any write changes. */
export class FileStamp {
  readonly #file: string;
  #taken: readonly string[] = [];
  #isChanged = false;

  constructor(file: string) {
    this.#file = file;
  }

  take(): void {
    this.#taken = this.#now();
  }

  /** Call before a write, so that it does not hide one by another process. */
  check(): void {
    this.#isChanged ||= this.wasChanged();
  }

  wasChanged(): boolean {
    const now = this.#now();
    return this.#isChanged || this.#taken.some((one, at) => one !== now[at]);
  }

  wasReplaced(): boolean {
    return inodeIn(this.#taken) !== inodeIn(this.#now());
  }

  #now(): string[] {
    const [file, log] = ['', '-wal'].map((part) =>
      statSync(`${this.#file}${part}`, { bigint: true, throwIfNoEntry: false }),
    );
    // ctime can't be set, but SQLite run by root changes the owner of the write-ahead log.
    return [
      file === undefined ? '' : `${file.ino} ${file.size} ${file.ctimeNs}`,
      log === undefined ? '' : `${log.ino} ${log.size} ${log.mtimeNs}`,
    ];
  }
}

function inodeIn([file = '']: readonly string[]): string | undefined {
  return file.split(' ', 1)[0];
}
