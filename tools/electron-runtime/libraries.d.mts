export function debianDependencies(): string;
