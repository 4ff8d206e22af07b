import { IsArray, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import {
  Closed,
  HasFormat,
  IsListOf,
  IsOneOf,
  MayBeMissing,
  ToInteger,
  ToList,
} from '../validation/decorators.ts';
import {
  type OrderDirection,
  ORDER_DIRECTIONS,
  type OrderKey,
  ORDER_KEYS,
} from '../validation/known-values.ts';
import { OrderDto } from './order.dto.ts';

/** Filters, sorting and page of the list of orders. An order must match all filters. */
@Closed()
export class ListOrdersQueryDto {
  /** Only orders of this user. */
  @MayBeMissing()
  @HasFormat('uuid')
  user_id?: string;

  /** Only orders whose patient's name contains these words or parts of words, in any order and ignoring accents. */
  @MayBeMissing()
  @HasFormat('search-text')
  patient_name?: string;

  /**
   * Only orders that match in one of these: order ID, user ID, patient's name (as `patient_name` does) or birth date.
   */
  @MayBeMissing()
  @HasFormat('search-text')
  search_input?: string;

  /** Only orders created on or after this date (00:00:00 UTC) or date-time. */
  @MayBeMissing()
  @HasFormat('query-date')
  start_date?: string;

  /** Only orders created up to this date (23:59:59 UTC) or date-time. */
  @MayBeMissing()
  @HasFormat('query-date')
  end_date?: string;

  /** Only orders changed on or after this date (00:00:00 UTC) or date-time. */
  @MayBeMissing()
  @HasFormat('query-date')
  updated_start_date?: string;

  /** Only orders changed up to this date (23:59:59 UTC) or date-time. */
  @MayBeMissing()
  @HasFormat('query-date')
  updated_end_date?: string;

  /** Only orders with one of these detailed statuses, such as `completed`. May be repeated. */
  @MayBeMissing()
  @ToList()
  @IsArray()
  @IsString({ each: true })
  status?: string[];

  /** Only orders whose result has this overall interpretation. */
  @MayBeMissing()
  @IsString()
  interpretation?: string;

  /** Sort key; default `created_at`. */
  @MayBeMissing()
  @IsOneOf(ORDER_KEYS)
  order_key?: OrderKey;

  /** Sort direction; default `desc`. */
  @MayBeMissing()
  @IsOneOf(ORDER_DIRECTIONS)
  order_direction?: OrderDirection;

  /** Only orders with one of these IDs. May be repeated. */
  @MayBeMissing()
  @ToList()
  @IsArray()
  @IsString({ each: true })
  order_ids?: string[];

  /** Number of the page, starting at 1; default 1. */
  @MayBeMissing()
  @ToInteger()
  @IsInt()
  @Min(1)
  page?: number;

  /** Maximum number of orders on a page; default 50. */
  @MayBeMissing()
  @ToInteger()
  @IsInt()
  @Min(1)
  @Max(100)
  size?: number;
}

/** A page of the team's lab orders. */
export class OrderListDto {
  static readonly example: OrderListDto = {
    orders: [OrderDto.example],
    total: 1,
    page: 1,
    size: 50,
  };

  /** The orders on this page. */
  @IsListOf(() => OrderDto)
  orders!: OrderDto[];

  /** Number of orders on all pages. */
  @IsOptional()
  @IsInt()
  @Min(0)
  total?: number | null;

  /** Number of this page, starting at 1. */
  @IsOptional()
  @IsInt()
  @Min(1)
  page?: number | null;

  /** Maximum number of orders on a page. */
  @IsOptional()
  @IsInt()
  @Min(1)
  size?: number | null;
}
