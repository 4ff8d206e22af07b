import { generateKeyPairSync, sign } from 'node:crypto';

/** A certificate for 127.0.0.1 that nobody vouches for, made anew for each run: no key rests in the repository. */
export function selfSigned(): { cert: string; key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(0x30, oid('2a8648ce3d040302'));
  const name = der(0x30, der(0x31, der(0x30, oid('550403'), der(0x0c, Buffer.from('caregate')))));
  const year = new Date().getUTCFullYear() % 100;
  const time = (yy: number): Buffer => der(0x17, Buffer.from(`${String(yy)}0101000000Z`));
  const alternative = der(0x30, der(0x87, Buffer.from([127, 0, 0, 1])));
  const extension = der(0x30, oid('551d11'), der(0x04, alternative));
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    der(0x30, time(year), time(year + 1)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, extension)),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]);
  const certificate = der(0x30, body, algorithm, der(0x03, signature)).toString('base64');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.replaceAll(/.{64}/gu, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
