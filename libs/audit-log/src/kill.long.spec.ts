import { it } from '@jest/globals';
import { playKillRounds } from './testing/kill-rounds.testing.ts';

it('loses no record that it answered when its process is killed', async () => {
  await playKillRounds(200);
});
