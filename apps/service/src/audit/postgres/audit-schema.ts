import { postgresTables } from '@caregate/audit-log';
import type pg from 'pg';
import { createPostgresTables } from '@caregate/data-store/database';
import { members } from '../record/record-body.ts';

export async function createAuditTables(pool: pg.Pool): Promise<void> {
  await createPostgresTables(pool, 'audit', postgresTables(members));
}
