import { Controller, Get, Header } from '@nestjs/common';
import { Public } from '../auth/operation.decorator.ts';
import { FHIR_MEDIA_TYPE } from '../problem/problem-error.ts';
import { FhirService } from './fhir.service.ts';

@Controller('fhir/r4')
export class MetadataController {
  constructor(private readonly fhir: FhirService) {}

  @Get('metadata')
  @Public('fhirMetadata')
  @Header('content-type', FHIR_MEDIA_TYPE)
  metadata(): string {
    return this.fhir.capabilityStatement();
  }
}
