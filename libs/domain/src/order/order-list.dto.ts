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

/** Query of the list of orders; all conditions must match. */
@Closed()
export class ListOrdersQueryDto {
  /** Only orders of this user. */
  @MayBeMissing()
  @HasFormat('uuid')
  user_id?: string;

  /** Only orders whose patient's name has these words or parts of words, in any order and without accents. */
  @MayBeMissing()
  @HasFormat('search-text')
  patient_name?: string;

  /** Only orders with this order id, user id, patient's name (as `patient_name`) or birth date. */
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

  /** Only orders with one of these detailed statuses, such as `completed`; may be repeated. */
  @MayBeMissing()
  @ToList()
  @IsArray()
  @IsString({ each: true })
  status?: string[];

  /** Only orders whose result has this interpretation. */
  @MayBeMissing()
  @IsString()
  interpretation?: string;

  /** What to sort by; default `created_at`. */
  @MayBeMissing()
  @IsOneOf(ORDER_KEYS)
  order_key?: OrderKey;

  /** Direction of the order; default `desc`. */
  @MayBeMissing()
  @IsOneOf(ORDER_DIRECTIONS)
  order_direction?: OrderDirection;

  /** Only orders with one of these ids; may be repeated. */
  @MayBeMissing()
  @ToList()
  @IsArray()
  @IsString({ each: true })
  order_ids?: string[];

  /** Number of the page, from 1; default 1. */
  @MayBeMissing()
  @ToInteger()
  @IsInt()
  @Min(1)
  page?: number;

  /** Orders per page; default 50. */
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

  /** Number of this page, from 1. */
  @IsOptional()
  @IsInt()
  @Min(1)
  page?: number | null;

  /** Orders per page at most. */
  @IsOptional()
  @IsInt()
  @Min(1)
  size?: number | null;
}
