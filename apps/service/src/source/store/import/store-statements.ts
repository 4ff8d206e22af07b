import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { countImport } from '../schema.ts';

/** Every statement of an import, prepared once. */
export function prepareStatements(raw: DatabaseSync): Record<StatementName, StatementSync> {
  return {
    addUser: raw.prepare(
      `insert into users (team_id, user_id, client_user_id, created_us, body)
        values (?, ?, ?, ?, ?) on conflict do nothing`,
    ),
    user: raw.prepare('select created_us, body from users where team_id = ? and user_id = ?'),
    userExists: raw.prepare('select 1 from users where team_id = ? and user_id = ?'),
    userByClientId: raw.prepare(
      'select user_id from users where team_id = ? and client_user_id = ?',
    ),
    changeUser: raw.prepare(
      `update users set client_user_id = ?, created_us = ?, body = ?
        where team_id = ? and user_id = ?`,
    ),
    addToTotal: raw.prepare(
      `insert into user_totals (team_id, total) values (?, ?)
        on conflict (team_id) do update set total = total + excluded.total`,
    ),
    countImport: raw.prepare(countImport('', '?')),
    addLabResult: raw.prepare(
      `insert into lab_results (team_id, order_id, user_id, body)
        values (?, ?, ?, ?) on conflict do nothing`,
    ),
    labResult: raw.prepare('select body from lab_results where team_id = ? and order_id = ?'),
    keepVersion: raw.prepare(
      `insert into lab_result_versions (team_id, order_id, version, replaced_us, body)
        select team_id, order_id,
          (select count(*) + 1 from lab_result_versions v
            where v.team_id = r.team_id and v.order_id = r.order_id), ?, body
        from lab_results r where team_id = ? and order_id = ?
        returning version`,
    ),
    version: raw.prepare(
      'select body from lab_result_versions where team_id = ? and order_id = ? and version = ?',
    ),
    forgetVersions: raw.prepare(
      'delete from lab_result_versions where team_id = ? and order_id = ? and version >= ?',
    ),
    orderOwner: raw.prepare('select user_id from orders where team_id = ? and order_id = ?'),
    importedOrder: raw.prepare(
      'select body from imported_orders where team_id = ? and order_id = ?',
    ),
    putImportedOrder: raw.prepare(
      `insert into imported_orders (team_id, order_id, user_id, body) values (?, ?, ?, ?)
        on conflict do update set body = excluded.body`,
    ),
    addUserInfo: raw.prepare(
      `insert into user_infos (team_id, user_id, recorded_us, body)
        values (?, ?, ?, ?) on conflict do nothing`,
    ),
    changeUserInfo: raw.prepare(
      `update user_infos set body = ?
        where team_id = ? and user_id = ? and recorded_us = ? and body <> ?`,
    ),
    changeLabResult: raw.prepare(
      'update lab_results set body = ? where team_id = ? and order_id = ?',
    ),
    addInsurance: raw.prepare(
      `insert into insurances (team_id, user_id, is_primary, recorded_us, body)
        values (?, ?, ?, ?, ?) on conflict do nothing`,
    ),
    changeInsurance: raw.prepare(
      `update insurances set body = ?
        where team_id = ? and user_id = ? and is_primary = ? and recorded_us = ? and body <> ?`,
    ),
  };
}

type StatementName =
  | 'addUser'
  | 'user'
  | 'userExists'
  | 'userByClientId'
  | 'changeUser'
  | 'addToTotal'
  | 'countImport'
  | 'addLabResult'
  | 'labResult'
  | 'keepVersion'
  | 'version'
  | 'forgetVersions'
  | 'orderOwner'
  | 'importedOrder'
  | 'putImportedOrder'
  | 'addUserInfo'
  | 'changeUserInfo'
  | 'changeLabResult'
  | 'addInsurance'
  | 'changeInsurance';
