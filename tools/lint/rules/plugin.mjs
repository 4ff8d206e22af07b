import { catalogueTexts } from './catalogue-texts.mjs';
import { declaredImports } from './declared-imports.mjs';
import { floors } from './floors.mjs';
import { noComparedSentences } from './no-compared-sentences.mjs';
import { noTimeLimits } from './no-time-limits.mjs';

export default {
  meta: { name: 'house' },
  rules: {
    'catalogue-texts': catalogueTexts,
    'declared-imports': declaredImports,
    floors,
    'no-compared-sentences': noComparedSentences,
    'no-time-limits': noTimeLimits,
  },
};
