/** Every DTO class. */
export * from './audit/audit.dto.ts';
export * from './emergency-access/emergency-access.dto.ts';
export * from './import/import-envelope.dto.ts';
export * from './insurance/insurance.dto.ts';
export * from './lab-result/biomarker-result.dto.ts';
export * from './lab-result/lab-order-result.dto.ts';
export * from './lab-result/order-transaction.dto.ts';
export * from './problem/problem-details.dto.ts';
export * from './request/path-parameters.dto.ts';
export * from './request/query-parameters.dto.ts';
export * from './timeseries/mindfulness-minutes.dto.ts';
export * from './user/user-list.dto.ts';
export * from './user/user.dto.ts';
