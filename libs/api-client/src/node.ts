/** For Node alone: an entry point of its own, so that no bundle for browsers meets Node's modules. */
export { NodeTransport } from './transport/node.transport.ts';
export type { NodeTransportOptions } from './transport/node.transport.ts';
