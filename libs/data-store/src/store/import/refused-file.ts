import { closeSync, openSync, realpathSync, writeSync } from 'node:fs';
import { ImportFailedError, type RefusedLine } from './import-types.ts';

/**
 * Writes the file of `--skip-invalid`: one JSON object for each refused line, with the original line. It contains
 * health data.
 */
export class RefusedFile {
  readonly #descriptor: number;

  /** @param inputs files that must not be overwritten @throws ImportFailedError if the file can't be written */
  constructor(file: string, inputs: readonly string[]) {
    const target = findRealPath(file);
    if (target !== undefined && inputs.some((input) => findRealPath(input) === target)) {
      throw new ImportFailedError('input', `${file}: is one of the files to import`);
    }
    try {
      this.#descriptor = openSync(file, 'w', 0o600);
    } catch (error) {
      throw new ImportFailedError('input', `${file}: cannot be written`, error);
    }
  }

  write({ file, line, reasons, text }: RefusedLine): void {
    writeSync(this.#descriptor, `${JSON.stringify({ file, line, reasons, text })}\n`);
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

function findRealPath(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}
