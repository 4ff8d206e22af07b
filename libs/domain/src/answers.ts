/** The compiled validator of each operation's answer, made from the catalogue. */
export { ANSWER_VALIDATORS } from './generated/answers.ts';
