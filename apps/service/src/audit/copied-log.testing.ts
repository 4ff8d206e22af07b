import { VerifierKey } from '@caregate/audit-log';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino, type Logger } from 'pino';
import { openAudit, type OpenedAudit } from '../open-data.ts';
import { readConfig } from '../config/read-config.ts';
import type { ServiceConfig } from '../config/service-config.ts';
import { makeFolder } from '@caregate/data-store/database';
import { buildSystemEntry } from './audit-entries.ts';
import { CheckpointCopy, requireNoOtherCopy } from './checkpoint-copy.ts';

export interface OpenLog extends OpenedAudit {
  readonly copy: CheckpointCopy;
  grow(records: number): Promise<void>;
  close(): Promise<void>;
}

/** Folders and logs of a spec. All are closed and removed at its end. */
export class CopiedLogPlace {
  readonly folder = mkdtempSync(join(tmpdir(), 'caregate-checkpoint-copy-'));
  readonly data = join(this.folder, 'data');
  readonly lines: Record<string, unknown>[] = [];
  readonly logger: Logger = pino(
    { level: 'info' },
    { write: (line) => void this.lines.push(JSON.parse(line) as Record<string, unknown>) },
  );
  readonly #open: { close(): Promise<void> }[] = [];

  config(settings: Partial<ServiceConfig> = {}): ServiceConfig {
    return { ...readConfig({ CAREGATE_DATA: this.data }), ...settings };
  }

  async openLog(settings: Partial<ServiceConfig> = {}): Promise<OpenLog> {
    const config = this.config(settings);
    makeFolder(this.data);
    await requireNoOtherCopy(config, this.logger);
    const opened = await openAudit(config);
    const { audit, auditTrail: trail } = opened;
    const closeLog = async (): Promise<void> => {
      await trail.close();
      await audit.close();
    };
    try {
      const parts = { trail, logId: audit.logId, logger: this.logger };
      const copy = await CheckpointCopy.open(config, parts);
      const log = {
        ...opened,
        copy,
        grow: async (records: number) => {
          const entries = Array.from({ length: records }, () => buildSystemEntry('startUp'));
          await Promise.all(entries.map((entry) => audit.record(entry)));
        },
        close: async () => {
          this.#open.splice(this.#open.indexOf(log), 1);
          await copy.close();
          await closeLog();
        },
      };
      this.#open.push(log);
      return log;
    } catch (error) {
      await closeLog();
      throw error;
    }
  }

  /** Copies the data folder. Returns a function that restores this copy. */
  snapshot(): () => void {
    const copy = join(this.folder, 'snapshot');
    cpSync(this.data, copy, { recursive: true });
    return () => {
      rmSync(this.data, { recursive: true });
      cpSync(copy, this.data, { recursive: true });
    };
  }

  async remove(): Promise<void> {
    for (const part of [...this.#open].reverse()) {
      await part.close();
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function readPublicKey({ audit }: OpenLog): VerifierKey {
  return VerifierKey.parse(audit.publicKey);
}
