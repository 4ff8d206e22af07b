export { NO_FAULT, type Fault } from './fault.ts';
export { FaultProxy, type ReceivedRequest, type ProxyOptions } from './fault-proxy.ts';
export { CERTIFICATE, CERTIFICATE_KEY } from './localhost-certificate.ts';
