import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { TestServer } from './test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await TestServer.start();
  server.answer = () => undefined;
});
afterAll(() => server.stop());

it('counts no request for a test that one before it sent and gave up', async () => {
  const { port } = new URL(server.url);
  for (let round = 0; round < 20; round += 1) {
    const late = connect(Number(port), '127.0.0.1', () => {
      late.end('GET /late HTTP/1.1\r\nhost: x\r\n\r\n');
    });
    await new Promise((resolve) => late.once('connect', resolve));
    await server.forget();
    expect(server.targets).toEqual([]);
    await new Promise((resolve) => late.resume().once('close', resolve));
    expect([server.targets, server.dropped]).toEqual([[], 0]);
  }
});
