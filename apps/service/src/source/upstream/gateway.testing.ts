import { KEY, upstreamOf } from '@caregate/data-store/testing';
import { otherTeamId, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { testService, type TestService } from '../../testing/service.testing.ts';

/** For specs: a service that reads one team from this address, and another from its own store; a key of the first. */
export async function gatewayTo(
  url: string,
  upstreamMs = 10_000,
): Promise<{ service: TestService; key: string }> {
  const service = await testService([...sampleEnvelopes({ users: 1, teamId: otherTeamId })], {
    limits: { upstreamMs },
    upstreams: upstreamOf(sampleTeamId, url, KEY),
  });
  return { service, key: await service.key(sampleTeamId) };
}
