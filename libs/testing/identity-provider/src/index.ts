export { Browser } from './browser.ts';
export { PEOPLE, type IdentityPerson } from './people.ts';
export { signIn, type SignInWish, type Tokens } from './sign-in.ts';
export {
  startIdentityProvider,
  type IdentityProvider,
  type IdentityProviderOptions,
} from './start-identity-provider.ts';
