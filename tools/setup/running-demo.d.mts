export const demoFile: string;
export function enrolBeside(from: string, to: string): Promise<boolean>;
