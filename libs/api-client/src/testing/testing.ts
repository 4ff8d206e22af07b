/** For tests of programs that use the client: valid responses, and a transport that returns them without a service. */
export { EXAMPLE_ANSWERS } from './example-answers.ts';
export type { Answers } from './example-answers.ts';
export { disconnect, FakeTransport, refuse } from './fake-transport.ts';
export type { FakeAnswer, FakeAnswers, FakeFailure, FakeRequest } from './fake-transport.ts';
