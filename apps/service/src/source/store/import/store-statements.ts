import { countImport } from '../schema.ts';

export const IMPORT_STATEMENTS = {
  addUser: `insert into users (team_id, user_id, client_user_id, created_us, body)
      values (?, ?, ?, ?, ?) on conflict do nothing`,
  user: 'select created_us, body from users where team_id = ? and user_id = ?',
  userExists: 'select 1 from users where team_id = ? and user_id = ?',
  userByClientId: 'select user_id from users where team_id = ? and client_user_id = ?',
  changeUser: `update users set client_user_id = ?, created_us = ?, body = ?
      where team_id = ? and user_id = ?`,
  addToTotal: `insert into user_totals (team_id, total) values (?, ?)
      on conflict (team_id) do update set total = total + excluded.total`,
  countImport: countImport('', '?'),
  addLabResult: `insert into lab_results (team_id, order_id, user_id, body)
      values (?, ?, ?, ?) on conflict do nothing`,
  labResult: 'select body from lab_results where team_id = ? and order_id = ?',
  keepVersion: `insert into lab_result_versions (team_id, order_id, version, replaced_us, body)
      select team_id, order_id,
        (select count(*) + 1 from lab_result_versions v
          where v.team_id = r.team_id and v.order_id = r.order_id), ?, body
      from lab_results r where team_id = ? and order_id = ?
      returning version`,
  version:
    'select body from lab_result_versions where team_id = ? and order_id = ? and version = ?',
  forgetVersions:
    'delete from lab_result_versions where team_id = ? and order_id = ? and version >= ?',
  orderOwner: 'select user_id from orders where team_id = ? and order_id = ?',
  importedOrder: 'select body from imported_orders where team_id = ? and order_id = ?',
  putImportedOrder: `insert into imported_orders (team_id, order_id, user_id, body) values (?, ?, ?, ?)
      on conflict do update set body = excluded.body`,
  addUserInfo: `insert into user_infos (team_id, user_id, recorded_us, body)
      values (?, ?, ?, ?) on conflict do nothing`,
  changeUserInfo: `update user_infos set body = ?
      where team_id = ? and user_id = ? and recorded_us = ? and body <> ?`,
  changeLabResult: 'update lab_results set body = ? where team_id = ? and order_id = ?',
  addInsurance: `insert into insurances (team_id, user_id, is_primary, recorded_us, body)
      values (?, ?, ?, ?, ?) on conflict do nothing`,
  changeInsurance: `update insurances set body = ?
      where team_id = ? and user_id = ? and is_primary = ? and recorded_us = ? and body <> ?`,
};
