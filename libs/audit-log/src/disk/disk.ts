/**
 * The file calls that the log stands on, and no others: what a simulated disk has to take the place of. Synchronous, since
 * the log is written by a thread of its own. Paths are absolute. Every call throws the system's error (`code`: ENOENT,
 * ENOSPC, EIO, ...); after a failed `write` or `sync` nothing is known about the bytes, and the file is closed, not tried
 * again.
 */
export interface Disk {
  /** Opens an existing file for reading and appending. @throws ENOENT */
  open(path: string): DiskFile;
  /** Creates an empty file, readable by its owner alone, and opens it. @throws EEXIST */
  create(path: string): DiskFile;
  /** The whole file; undefined if there is none. */
  read(path: string): Buffer | undefined;
  /** Names in a folder, sorted; none if there is no folder. */
  list(folder: string): string[];
  /** Creates a folder, readable by its owner alone; its parent must exist. Nothing if it is there. */
  makeFolder(folder: string): void;
  /** Replaces `to` if it exists. Durable after `syncFolder` of both folders. */
  rename(from: string, to: string): void;
  /** Durable after `syncFolder`. */
  remove(path: string): void;
  /** Makes names in a folder durable: new ones, renamed ones, removed ones. */
  syncFolder(folder: string): void;
}

/** An open file. */
export interface DiskFile {
  size(): number;
  /** Reads up to `length` bytes from `at`; fewer at the end of the file. They stand at the start of `into` if that has the room. */
  read(at: number, length: number, into?: Buffer): Buffer;
  /** Writes all bytes behind what was appended before; at the end of the file when it was just opened. */
  append(bytes: Uint8Array): void;
  /**
   * Writes so many zeros behind what was appended, where the next bytes then go: their sync has no length to write, which takes
   * half of its time. Fewer, or none, where the disk has no room for them.
   */
  reserve(bytes: number): void;
  /** Makes content and length durable (fdatasync). */
  sync(): void;
  /** Cuts the file off, and what is appended goes there; durable after `sync`. */
  truncate(size: number): void;
  close(): void;
}
