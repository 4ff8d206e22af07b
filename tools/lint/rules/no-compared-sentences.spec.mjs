import { describe, it } from '@jest/globals';
import { RuleTester } from 'oxlint/plugins-dev';
import { noComparedSentences } from './no-compared-sentences.mjs';

Object.assign(RuleTester, { describe, it });

const errors = [{ messageId: 'compared' }];

new RuleTester().run('no-compared-sentences', noComparedSentences, {
  valid: [
    "if (error.type === '/problems/no-insurance') {}",
    "if (error.code === 'ECONNREFUSED') {}",
    'if (error.message === undefined) {}',
    "if (detail !== '') {}",
    'if (message === null) {}',
    "if (state === 'in force') {}",
    "if (column === 'lab order result') {}",
    "const text = 'This user has no insurance.'; say(text, error.message);",
    "db.exec('create table a (b text)');",
    "switch (kind) { case 'read': break; default: }",
    "names.includes('user_id');",
    '/a b c/u.test(line);',
    "String(value).includes('x');",
  ],
  invalid: [
    { code: 'if (answer.detail === noInsurance(isPrimary)) {}', errors },
    { code: "if (error.message === 'Query read timeout') {}", errors },
    { code: "if (told !== 'This user has no insurance on record.') {}", errors },
    { code: 'if (told === `This user has no ${which} insurance.`) {}', errors },
    { code: "noInsurance.test(detail ?? '');", errors },
    { code: "noInsurance.test(error?.detail ?? '');", errors },
    { code: '/redirect/u.exec(error.message);', errors },
    { code: "message.includes('end of JSON');", errors },
    { code: 'known.includes(problem.title);', errors },
    { code: "String(error).includes('in use');", errors },
    { code: "switch (problem.title) { case 'Not found': break; default: }", errors },
    { code: "switch (text) { case 'It is gone.': break; default: }", errors },
  ],
});
