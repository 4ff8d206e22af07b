export { errorCode, OperatorError } from '@caregate/data-store/errors';
