import { afterAll, expect, it } from '@jest/globals';
import { sampleTeamId } from '@caregate/sample-data';
import { spawnSync } from 'node:child_process';
import { bin, caregate, newFolder, removeFolder } from './caregate.testing.ts';

const data = newFolder();
afterAll(() => {
  removeFolder(data);
});

/** No file can grow: what is written fails, as on a full disk. */
const onFullDisk = (...command: string[]): readonly [number | null, string, string] => {
  const script = 'ulimit -f 0; trap "" XFSZ; exec "$@"';
  const arguments_ = ['-c', script, 'sh', process.execPath, bin, ...command, '--data', data];
  const { status, stdout, stderr } = spawnSync('/bin/sh', arguments_, { encoding: 'utf8' });
  return [status, stdout, stderr];
};
const printed = (...command: string[]): string => {
  const done = caregate([...command, '--data', data]);
  expect([command.join(' '), done.status]).toEqual([command.join(' '), 0]);
  return done.stdout;
};

it('people and desks stay as they are where the disk is full, which is said', () => {
  const inTeam = ['--team', sampleTeamId];
  const who = ['--role', 'billing', '--name'];
  const added = printed('staff', 'add', ...inTeam, ...who, 'Ines Example', '--json');
  const { staff_id: id } = JSON.parse(added) as { staff_id: string };
  const before = printed('staff', 'list', '--json');
  for (const command of [
    ['staff', 'add', ...inTeam, ...who, 'Noor Example'],
    ['staff', 'disable', id],
    ['staff', 'badge', id, '--badge', '0012345678'],
    ['keys', 'create', '--staff', id],
    ['desks', 'enrol', ...inTeam, '--name', 'Desk 1'],
  ]) {
    const [status, out, error] = onFullDisk(...command);
    expect([command[1], status, out]).toEqual([command[1], 1, '']);
    expect(error).toContain('the disk may be full');
  }
  expect(printed('staff', 'list', '--json')).toBe(before);
  expect(printed('desks', 'list')).toBe('No desks.\n');
  expect(printed('keys', 'list')).toBe('No keys.\n');
  expect(printed('audit', 'verify')).toContain('1 records');
  // With room again, all goes on.
  expect(printed('staff', 'disable', id)).toContain('was disabled');
});
