import { describe, expect, it } from '@jest/globals';
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { makeApproverKey, openApproverKey } from './approver-key.ts';

const passphrase = 'correct horse battery';

describe('the key of an approver', () => {
  it('opens with its passphrase, and with no other', () => {
    const { pem, key } = makeApproverKey(passphrase);
    expect(pem).toMatch(/^-----BEGIN ENCRYPTED PRIVATE KEY-----\n/u);
    expect(openApproverKey(pem, passphrase).equals(key)).toBe(true);
    for (const wrong of ['', 'correct horse batterY', `${passphrase} `]) {
      expect(() => openApproverKey(pem, wrong)).toThrow('The passphrase is wrong');
    }
    // Any other program reads it, too.
    expect(createPrivateKey({ key: pem, passphrase }).asymmetricKeyType).toBe('ed25519');
  });

  it('has no short passphrase', () => {
    expect(() => makeApproverKey('12345678901')).toThrow('at least 12 characters');
    expect(() => makeApproverKey('')).toThrow('at least 12 characters');
  });

  it('is encrypted, and Ed25519', () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const plain = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    expect(() => openApproverKey(plain, passphrase)).toThrow('expected an encrypted private key');
    expect(() => openApproverKey('', passphrase)).toThrow('expected an encrypted private key');
    const other = generateKeyPairSync('x25519').privateKey.export({
      type: 'pkcs8',
      format: 'pem',
      cipher: 'aes-256-cbc',
      passphrase,
    });
    expect(() => openApproverKey(other.toString(), passphrase)).toThrow('expected Ed25519');
  });
});
