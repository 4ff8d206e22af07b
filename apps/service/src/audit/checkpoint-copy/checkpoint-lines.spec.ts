import { expect, it } from '@jest/globals';
import { VerifierKey } from '@caregate/audit-log';
import { sampleTeamId } from '@caregate/sample-data';
import { testService } from '../../testing/service.testing.ts';
import { CheckpointLines } from './checkpoint-lines.ts';

it('the log output has the newest checkpoint where the log has grown, and once more at the end', async () => {
  const service = await testService([]);
  const key = await service.key(sampleTeamId, 'auditor');
  const publicKey = VerifierKey.parse((await service.get('/audit/key', key)).body);
  const sizes = (): number[] =>
    service.log.flatMap((line) => {
      const { checkpoint } = JSON.parse(line) as { readonly checkpoint?: string };
      return checkpoint === undefined ? [] : [publicKey.open(checkpoint).size];
    });
  const lines = service.app.get(CheckpointLines, { strict: false });
  lines.start();
  await lines.write();
  await lines.write();
  expect(sizes()).toHaveLength(1);
  await service.get('/v2/user', await service.key(sampleTeamId));
  await service.close();
  const [first = 0, last = 0, ...more] = sizes();
  expect(last).toBeGreaterThan(first);
  expect(more).toEqual([]);
});
