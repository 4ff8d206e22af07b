export { CertificateAuthority, type Issued } from './certificate-authority.ts';
