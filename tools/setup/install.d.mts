export const long: string;
export function installLong(): void;
