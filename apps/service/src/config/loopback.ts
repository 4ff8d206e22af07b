import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether only this machine can reach it: an address of loopback (127.0.0.0/8, ::1), or `localhost`. */
export function isLoopback(host: string): boolean {
  switch (isIP(host)) {
    case 4:
      return loopback.check(host, 'ipv4');
    case 6:
      return loopback.check(host, 'ipv6');
    default:
      return host.toLowerCase() === 'localhost';
  }
}
