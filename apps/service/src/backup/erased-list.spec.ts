import { expect, it } from '@jest/globals';
import { otherTeamId, sampleTeamId } from '@caregate/sample-data';
import { addErased, readErased, type ErasedPerson } from './erased-list.ts';
import { createSpecFolder } from '../testing/folder.testing.ts';

const folder = createSpecFolder();

it('is on the list once for each team that has that user id', async () => {
  const [one, other] = [sampleTeamId, otherTeamId].map((team_id) => ({
    ...{ team_id, user_id: 'b7e23ec2-9af3-4a5c-8d11-2f0f6a3e9c01', proposal_id: 'a1b2c3d4' },
  })) as [ErasedPerson, ErasedPerson];
  await addErased([folder], [one]);
  await addErased([folder], [one, other]);
  expect(await readErased([folder])).toEqual([one, other]);
});
