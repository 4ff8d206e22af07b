/** For Node only. A separate entry point keeps Node's modules out of browser bundles. */
export { NodeTransport } from './transport/node.transport.ts';
export type { NodeTransportOptions } from './transport/node.transport.ts';
