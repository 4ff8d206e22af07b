import { IsOptional } from 'class-validator';
import { HasFormat, IsListOf, IsOpenEnum } from '../validation/decorators.ts';
import {
  LOW_LEVEL_STATUSES,
  type LowLevelStatus,
  ORDER_ORIGINS,
  type OrderOrigin,
  TRANSACTION_STATUSES,
  type TransactionStatus,
} from '../validation/known-values.ts';

/** One order of a transaction: the initial order, or one created by a redraw or recreation. */
export class OrderTransactionOrderDto {
  /** ID of the order. */
  @HasFormat('uuid')
  id!: string;

  /** When the order was created. */
  @HasFormat('date-time')
  created_at!: string;

  /** When the order last changed. */
  @HasFormat('date-time')
  updated_at!: string;

  /** Detailed status of the order. */
  @IsOptional()
  @IsOpenEnum(LOW_LEVEL_STATUSES)
  low_level_status?: LowLevelStatus | null;

  /** When the order reached its detailed status. */
  @IsOptional()
  @HasFormat('date-time')
  low_level_status_created_at?: string | null;

  /** Why the order was created. */
  @IsOptional()
  @IsOpenEnum(ORDER_ORIGINS)
  origin?: OrderOrigin | null;
}

/** All orders for one test, from the initial order to the last redraw. */
export class OrderTransactionDto {
  /** ID of the transaction. */
  @HasFormat('uuid')
  id!: string;

  /** Status of the transaction. */
  @IsOpenEnum(TRANSACTION_STATUSES)
  status!: TransactionStatus;

  /** The orders of the transaction. */
  @IsListOf(() => OrderTransactionOrderDto)
  orders!: OrderTransactionOrderDto[];
}
