/** A font inside the bundle, as the address that its bytes are: nothing is loaded to print. */
declare module '*.woff2?inline' {
  const address: string;
  export default address;
}
