import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { once } from 'node:events';
import { atMost, inTurns, type Section } from './measure.ts';
import { noLimits } from './reads.ts';
import { benchKey, command, startService, workFolder } from './service.ts';

const users = 1_000_000;
const deep = 900_000;
const pairs = 500;

export const lists: Section = {
  name: 'lists',
  title: 'A page of 100 users of a million: offset 900,000 against offset 0',
  async run() {
    const folder = workFolder();
    await command(['import', '-', '--data', folder.path], async (stdin) => {
      for (const envelope of sampleEnvelopes({ users, teamId: sampleTeamId, kinds: ['user'] })) {
        if (!stdin.write(`${JSON.stringify(envelope)}\n`)) {
          await once(stdin, 'drain');
        }
      }
      stdin.end();
    });
    const headers = { 'x-service-api-key': await benchKey(folder.path, sampleTeamId) };
    const service = await startService(['serve', '--data', folder.path], noLimits);
    const page = (offset: number): string =>
      `${service.baseUrl}/v2/user/?offset=${offset}&limit=100`;
    const times = await inTurns({ url: page(deep), headers }, { url: page(0), headers }, pairs);
    await service.stop();
    folder.remove();
    return [atMost('list users, offset 900,000 against 0', 'ms', times.a, times.b, 2)];
  },
};
