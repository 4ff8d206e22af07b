import { Counter, Gauge, type Registry } from 'prom-client';
import type { AuditLogState } from '@caregate/audit-log';
import type { DiskSpace } from './disk-watch.ts';

/** What is read when the metrics are. */
export interface Gauged {
  readonly auditState: () => AuditLogState;
  /** Records that the index of the audit log does not have yet; undefined where there is none, or it is not known yet. */
  readonly indexLag: () => number | undefined;
  /** Undefined if it could not be read. */
  readonly diskSpace: () => DiskSpace | undefined;
}

/** Registers the metrics of the audit log and of the disk with the data folder. */
export function registerServiceGauges(
  registry: Registry,
  { auditState, indexLag, diskSpace }: Gauged,
): void {
  counter(
    'caregate_audit_records_total',
    'Records that this process has written to the audit log',
    () => auditState().written,
  );
  counter(
    'caregate_audit_groups_total',
    'Groups of records, each written with one sync',
    () => auditState().groups,
  );
  counter(
    'caregate_audit_sync_seconds_total',
    'Time that writing and syncing those groups took',
    () => auditState().syncMs.sum / 1000,
  );
  gauge(
    'caregate_audit_last_sync_seconds',
    'Time that the last group took to write and sync',
    () => auditState().syncMs.last / 1000,
  );
  gauge('caregate_audit_queue', 'Records that wait to be written', () => auditState().queued);
  gauge('caregate_audit_open', '1 while the audit log accepts records, otherwise 0', () =>
    auditState().latched ? 0 : 1,
  );
  gauge(
    'caregate_audit_index_lag_records',
    'Records that the index of the audit log does not have yet',
    () => indexLag() ?? NaN,
  );
  gauge(
    'caregate_disk_free_bytes',
    'Free space of the disk with the data folder',
    () => diskSpace()?.freeBytes ?? NaN,
  );
  gauge(
    'caregate_disk_total_bytes',
    'Size of the disk with the data folder',
    () => diskSpace()?.totalBytes ?? NaN,
  );

  function gauge(name: string, help: string, value: () => number): void {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value());
      },
    });
  }

  function counter(name: string, help: string, value: () => number): void {
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(value());
      },
    });
  }
}
