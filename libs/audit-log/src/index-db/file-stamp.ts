import { statSync } from 'node:fs';

/** What the system says of a SQLite file and its write-ahead log: another thing after each write by anybody. */
export class FileStamp {
  readonly #file: string;
  #taken: readonly string[] = [];
  #isChanged = false;

  constructor(file: string) {
    this.#file = file;
  }

  /** The files are as they should be: they were opened, or written by the caller. */
  take(): void {
    this.#taken = this.#now();
  }

  /** Before the caller writes: what another wrote must not be taken for its own. */
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
    // The time that nobody can set; but SQLite itself gives the log its owner anew where root opens it.
    return [
      file === undefined ? '' : `${file.ino} ${file.size} ${file.ctimeNs}`,
      log === undefined ? '' : `${log.ino} ${log.size} ${log.mtimeNs}`,
    ];
  }
}

function inodeIn([file = '']: readonly string[]): string | undefined {
  return file.split(' ', 1)[0];
}
