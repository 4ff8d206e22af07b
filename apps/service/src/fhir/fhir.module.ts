import { Module } from '@nestjs/common';
import { FhirController } from './fhir.controller.ts';
import { FhirService } from './fhir.service.ts';
import { MetadataController } from './metadata.controller.ts';

@Module({ controllers: [FhirController, MetadataController], providers: [FhirService] })
export class FhirModule {}
