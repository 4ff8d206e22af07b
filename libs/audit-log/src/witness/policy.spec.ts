import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { AuditLogError } from '../errors.ts';
import { cosign } from '../note/cosignature.ts';
import { cosignerKey, formatCosignerKey, type Cosigner } from '../note/cosigner-key.ts';
import { parseNote, withSignatures, type SignedNote } from '../note/signed-note.ts';
import { GrownLog, newCosigner } from './grown-log.testing.ts';
import { Policy } from './policy.ts';

const log = new GrownLog(GrownLog.leaves(3));
const cosigners = new Map<string, Cosigner>(
  ['X1', 'X2', 'X3', 'Y1', 'Y2', 'Y3'].map((name) => [name, newCosigner(`${name}.example`)]),
);
const vkey = (name: string): string => formatCosignerKey(cosignerKey(cosigners.get(name)!));
const witnesses = [...cosigners.keys()].map((name) => `witness ${name} ${vkey(name)}`);
const logLine = `log ${log.key.text} https://clinic.example/`;

/** The example of C2SP tlog-policy. */
const example = [
  logLine,
  '',
  ...witnesses.slice(0, 3),
  'group X-witnesses 2 X1 X2 X3',
  '\t # the others, with "any"',
  ...witnesses.slice(3),
  'group Y-witnesses any Y1 Y2 Y3',
  ' group\tX-and-Y  all X-witnesses Y-witnesses ',
  'quorum X-and-Y',
];
const parse = (...lines: string[]): Policy => Policy.parse(Buffer.from(`${lines.join('\n')}\n`));
const cosignedBy = (...names: string[]): SignedNote => {
  const note = parseNote(log.note());
  return withSignatures(
    note,
    names.map((name) => cosign(note.text, cosigners.get(name)!, 1)),
  );
};

describe('a policy', () => {
  it('is met by the cosignatures that it asks for, and by no fewer', () => {
    const policy = parse(...example);
    fc.assert(
      fc.property(fc.subarray([...cosigners.keys()]), (names) => {
        const count = (letter: string): number =>
          names.filter((name) => name.startsWith(letter)).length;
        expect(policy.isMetBy(cosignedBy(...names))).toBe(count('X') >= 2 && count('Y') >= 1);
      }),
    );
  });

  it('is met by the logs that it names alone', () => {
    const other = new GrownLog(GrownLog.leaves(3));
    expect(parse(logLine, 'quorum none').isMetBy(cosignedBy())).toBe(true);
    expect(parse(logLine, 'quorum none').isMetBy(parseNote(other.note()))).toBe(false);
    expect(parse('quorum none').isMetBy(parseNote(other.note()))).toBe(true);
    expect(parse(witnesses[0]!, 'quorum X1').isMetBy(cosignedBy('X2'))).toBe(false);
  });

  it('takes names of any bytes, and addresses', () => {
    const line = `witness Zürich-\u212a ${vkey('X1')} https://w.example:8443/prefix/`;
    const policy = parse(line, `witness K ${vkey('X2')}`, 'quorum Zürich-\u212a');
    expect(policy.witnesses.map(({ name, url }) => [name, url])).toEqual([
      ['Zürich-\u212a', 'https://w.example:8443/prefix'],
      ['K', undefined],
    ]);
    expect(policy.isMetBy(cosignedBy('X2'))).toBe(false);
    expect(policy.isMetBy(cosignedBy('X1'))).toBe(true);
  });

  it.each([
    ['the file has no quorum line', [witnesses[0]!]],
    ['line 2: a second quorum line', ['quorum none', 'quorum none']],
    ['line 2: unknown keyword "witnes"', ['', 'witnes X1 x']],
    ['line 1: expected: quorum <name>', ['quorum']],
    ['line 1: expected: log <vkey> [<url>]', [`${logLine} more`]],
    ['line 1: Not a valid public key of a log', ['log abc']],
    ['line 1: Not a valid public key of a log', [`log ${vkey('X1')}`]],
    ['line 1: expected: witness <name> <vkey> [<url>]', ['witness X1']],
    ['line 1: Not the key of a witness', [`witness X1 ${log.key.text}`]],
    ['line 2: this log was listed before', [logLine, logLine]],
    ['line 2: this witness was listed before', [witnesses[0]!, `witness X9 ${vkey('X1')}`]],
    ['line 2: the name "X1" is taken', [witnesses[0]!, `witness X1 ${vkey('X2')}`]],
    ['line 1: the name "none" is taken', [`witness none ${vkey('X1')}`]],
    ['line 1: "ftp://w/" is not a usable address', [`witness X1 ${vkey('X1')} ftp://w/`]],
    ['line 1: "http://u@w/" is not a usable', [`witness X1 ${vkey('X1')} http://u@w/`]],
    ['line 1: "w1" is not a usable address', [`witness X1 ${vkey('X1')} w1`]],
    ['line 1: no line before this one defines "X1"', ['quorum X1', witnesses[0]!]],
    ['line 1: no line before this one defines "g"', ['group g any g']],
    ['line 2: no line before this one defines "none"', [witnesses[0]!, 'group g any none']],
    ['line 2: expected: group <name> all|any|<k> <name>...', [witnesses[0]!, 'group g 1']],
    ['line 2: "2" must be all, any, or a number from 1 to 1', [witnesses[0]!, 'group g 2 X1']],
    ['line 2: "0" must be', [witnesses[0]!, 'group g 0 X1']],
    ['line 2: "01" must be', [witnesses[0]!, 'group g 01 X1']],
    ['line 2: "most" must be', [witnesses[0]!, 'group g most X1']],
    ['line 2: "X1" is a member of a group already', [witnesses[0]!, 'group g any X1 X1']],
    ['line 3: "X1" is a member', [witnesses[0]!, 'group g any X1', 'group h any X1']],
    ['line 2: control characters are not allowed', ['quorum none', 'quorum none\r']],
  ])('is refused: %s', (message, lines) => {
    expect(() => parse(...lines)).toThrow(AuditLogError);
    expect(() => parse(...lines)).toThrow(message);
  });

  it('is refused, and never anything worse, whatever the file is', () => {
    const word = fc.constantFrom('log', 'witness', 'group', 'quorum', 'all', 'g', 'X1', vkey('X1'));
    fc.assert(
      fc.property(fc.array(fc.array(word)), fc.uint8Array(), (lines, bytes) => {
        for (const file of [Buffer.from(lines.map((line) => line.join(' ')).join('\n')), bytes]) {
          try {
            Policy.parse(file);
          } catch (error) {
            expect(error).toBeInstanceOf(AuditLogError);
          }
        }
      }),
    );
  });
});
