/** What the 404 of a user without such an insurance says; a gateway knows it again in its upstream's. */
export function noInsuranceDetail(isPrimary: boolean): string {
  return `This user has no ${isPrimary ? 'primary' : 'secondary'} insurance on record.`;
}
