/** For Node only: a separate entry point keeps Node's modules out of bundles for browsers. */
export { NodeTransport } from './transport/node.transport.ts';
export type { NodeTransportOptions } from './transport/node.transport.ts';
