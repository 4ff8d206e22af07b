import { IsBoolean, IsInt, IsNumber, IsObject, IsOptional, IsString } from 'class-validator';
import { OrderTransactionDto } from '../lab-result/order-transaction.dto.ts';
import { HasFormat, IsEntity, IsListOf, IsOpenEnum } from '../validation/decorators.ts';
import {
  type CollectionMethod,
  COLLECTION_METHODS,
  type Gender,
  GENDERS,
  type Interpretation,
  INTERPRETATIONS,
  ORDER_ORIGINS,
  ORDER_STATUSES,
  type OrderOrigin,
  type OrderStatus,
} from '../validation/known-values.ts';

/** The patient of an order, as far as known. */
export class OrderPatientDetailsDto {
  /** Given names. */
  @IsOptional()
  @IsString()
  first_name?: string | null;

  /** Family names. */
  @IsOptional()
  @IsString()
  last_name?: string | null;

  /** Date of birth, YYYY-MM-DD; the public API may add a time. */
  @IsOptional()
  @IsString()
  dob?: string | null;

  /** Gender on record. */
  @IsOptional()
  @IsOpenEnum(GENDERS)
  gender?: Gender | null;

  /** Phone number. */
  @IsOptional()
  @IsString()
  phone_number?: string | null;

  /** E-mail address. */
  @IsOptional()
  @IsString()
  email?: string | null;
}

/** Postal address of the patient of an order. */
export class OrderPatientAddressDto {
  /** Name of the recipient. */
  @IsOptional()
  @IsString()
  receiver_name?: string | null;

  /** Street and number. */
  @IsOptional()
  @IsString()
  first_line?: string | null;

  /** Apartment, building or care of. */
  @IsOptional()
  @IsString()
  second_line?: string | null;

  /** City. */
  @IsOptional()
  @IsString()
  city?: string | null;

  /** State or province. */
  @IsOptional()
  @IsString()
  state?: string | null;

  /** Postal code. */
  @IsOptional()
  @IsString()
  zip?: string | null;

  /** Country, ISO 3166-1 with two letters. */
  @IsOptional()
  @IsString()
  country?: string | null;

  /** Phone number. */
  @IsOptional()
  @IsString()
  phone_number?: string | null;
}

/** The ordered test or panel. */
export class OrderLabTestDto {
  /** ID of the test. */
  @IsOptional()
  @IsString()
  id?: string | null;

  /** Slug of the test. */
  @IsOptional()
  @IsString()
  slug?: string | null;

  /** Display name of the test. */
  @IsOptional()
  @IsString()
  name?: string | null;

  /** Type of specimen that the test needs. */
  @IsOptional()
  @IsString()
  sample_type?: string | null;

  /** How the specimen is collected. */
  @IsOptional()
  @IsOpenEnum(COLLECTION_METHODS)
  method?: CollectionMethod | null;

  /** Price in the currency of the account. */
  @IsOptional()
  @IsNumber()
  price?: number | null;

  /** Whether the test can be ordered. */
  @IsOptional()
  @IsBoolean()
  is_active?: boolean | null;

  /** Status of the test in the catalog. */
  @IsOptional()
  @IsString()
  status?: string | null;
}

/** A status change of an order. */
export class OrderEventDto {
  /** Number of the event. */
  @IsOptional()
  @IsInt()
  id?: number | null;

  /** When the status changed. */
  @IsOptional()
  @HasFormat('date-time')
  created_at?: string | null;

  /** The new status, such as `received.walk_in_test.ordered`. The last part is the detailed status. */
  @IsString()
  status!: string;

  /** More detail about the status. */
  @IsOptional()
  @IsString()
  status_detail?: string | null;
}

/** The physician who ordered the test. */
export class OrderPhysicianDto {
  /** Given names. */
  @IsOptional()
  @IsString()
  first_name?: string | null;

  /** Family names. */
  @IsOptional()
  @IsString()
  last_name?: string | null;

  /** National provider identifier. */
  @IsOptional()
  @IsString()
  npi?: string | null;
}

/** A lab order. Unknown values are missing or null. */
export class OrderDto {
  static readonly example: OrderDto = {
    id: '9e107d9d-372b-4b68-a1f5-b5a5c1d0e8f2',
    team_id: '5b1de2f4-0c77-4d0e-9c1a-2f6b8e3a7d10',
    user_id: '7f6f6c44-36b1-4b4b-9d2c-0d2f1a3b5c7d',
    patient_name: 'Amara Okonkwo',
    patient_details: {
      first_name: 'Amara',
      last_name: 'Okonkwo',
      dob: '1988-06-04',
      gender: 'female',
      phone_number: '+14155550123',
      email: 'amara@example.org',
    },
    lab_test: { name: 'Metabolic panel', slug: 'metabolic-panel', method: 'walk_in_test' },
    created_at: '2026-03-01T08:00:00+00:00',
    updated_at: '2026-03-03T16:20:00+00:00',
    status: 'completed',
    last_event: {
      id: 3,
      created_at: '2026-03-03T16:20:00+00:00',
      status: 'completed.walk_in_test.completed',
    },
    interpretation: 'normal',
    has_missing_results: false,
    origin: 'initial',
  };

  /** ID of the order. */
  @HasFormat('uuid')
  id!: string;

  /** ID of the team that the order belongs to. */
  @HasFormat('uuid')
  team_id!: string;

  /** ID of the user (patient) of the order. */
  @HasFormat('uuid')
  user_id!: string;

  /** The patient, as far as known. */
  @IsOptional()
  @IsEntity(() => OrderPatientDetailsDto)
  patient_details?: OrderPatientDetailsDto | null;

  /** The patient's address. */
  @IsOptional()
  @IsEntity(() => OrderPatientAddressDto)
  patient_address?: OrderPatientAddressDto | null;

  /** Full name of the patient as the lab report has it. */
  @IsOptional()
  @IsString()
  patient_name?: string | null;

  /** The ordered test or panel. */
  @IsOptional()
  @IsEntity(() => OrderLabTestDto)
  lab_test?: OrderLabTestDto | null;

  /** Details of the collection method. */
  @IsOptional()
  @IsObject()
  details?: Record<string, unknown> | null;

  /** ID of the specimen. */
  @IsOptional()
  @IsString()
  sample_id?: string | null;

  /** Notes on the order. */
  @IsOptional()
  @IsString()
  notes?: string | null;

  /** When the order was created. */
  @IsOptional()
  @HasFormat('date-time')
  created_at?: string | null;

  /** When the order last changed. */
  @IsOptional()
  @HasFormat('date-time')
  updated_at?: string | null;

  /** Status changes of the order, oldest first. */
  @IsOptional()
  @IsListOf(() => OrderEventDto)
  events?: OrderEventDto[] | null;

  /** High-level status of the order. */
  @IsOptional()
  @IsOpenEnum(ORDER_STATUSES)
  status?: OrderStatus | null;

  /** The latest status change. */
  @IsOptional()
  @IsEntity(() => OrderEventDto)
  last_event?: OrderEventDto | null;

  /** The physician who ordered the test. */
  @IsOptional()
  @IsEntity(() => OrderPhysicianDto)
  physician?: OrderPhysicianDto | null;

  /** Whether the laboratory processes the order with priority. */
  @IsOptional()
  @IsBoolean()
  priority?: boolean | null;

  /** Whether there is an advance beneficiary notice (ABN), which tells the patient that they may have to pay. */
  @IsOptional()
  @IsBoolean()
  has_abn?: boolean | null;

  /** Overall interpretation of the result. */
  @IsOptional()
  @IsOpenEnum(INTERPRETATIONS)
  interpretation?: Interpretation | null;

  /** Whether results are missing from the report. */
  @IsOptional()
  @IsBoolean()
  has_missing_results?: boolean | null;

  /** Why the order was created. */
  @IsOptional()
  @IsOpenEnum(ORDER_ORIGINS)
  origin?: OrderOrigin | null;

  /** The order with its redraws and recreations. */
  @IsOptional()
  @IsEntity(() => OrderTransactionDto)
  order_transaction?: OrderTransactionDto | null;
}
