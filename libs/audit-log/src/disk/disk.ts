/** Paths are absolute. After a failed write or sync the content is unknown: the file is closed, never retried. */
export interface Disk {
  /** Opens an existing file for reading and appending. @throws ENOENT */
  open(path: string): DiskFile;
  /** Creates an empty file, readable by its owner alone, and opens it. @throws EEXIST */
  create(path: string): DiskFile;
  read(path: string): Buffer | undefined;
  /** Sorted; empty if there is no such folder. */
  list(folder: string): string[];
  /** Readable by its owner alone. Its parent must exist; nothing happens if it is there. */
  makeFolder(folder: string): void;
  /** Replaces `to` if it exists. Durable after `syncFolder` of both folders. */
  rename(from: string, to: string): void;
  remove(path: string): void;
  syncFolder(folder: string): void;
}

export interface DiskFile {
  size(): number;
  /** Reads up to `length` bytes, into `into` if it is large enough; fewer at the end of the file. */
  read(at: number, length: number, into?: Buffer): Buffer;
  /** Appends after the last append, or at the end of a file that was just opened. */
  append(bytes: Uint8Array): void;
  /** Writes zeros where the next bytes go, fewer if the disk is full: a sync that writes no length takes half the time. */
  reserve(bytes: number): void;
  sync(): void;
  /** Durable after `sync`. */
  truncate(size: number): void;
  close(): void;
}
