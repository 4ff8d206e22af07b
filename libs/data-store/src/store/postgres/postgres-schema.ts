import { statements, type Migrations } from '../../database/sqlite/migrate.ts';
import { createPartitions, createTables } from '../schema.ts';

export const storeSchema = 'store';

const tables = [
  ...createTables('postgres'),
  'create index orders_by_creation on orders (team_id, created_us, order_id)',
  'create index orders_by_name on orders (team_id, patient_key, created_us, order_id)',
  'create index orders_by_status on orders (team_id, low_level_status, created_us, order_id)',
  // Not (team_id, user_id): without statistics a search then scanned the team.
  `create table people (
    team_id bytea not null,
    user_id bytea not null,
    facts text not null,
    tokens integer[] not null,
    primary key (user_id, team_id)
  ) partition by hash (team_id)`,
  // Tokens go into the index sorted, many at once: one by one they took half of an import's time.
  'create index people_by_token on people using gin (tokens)',
  ...createPartitions('people', 8),
];

export const postgresStoreMigrations: Migrations = { '001-tables': statements(tables) };
