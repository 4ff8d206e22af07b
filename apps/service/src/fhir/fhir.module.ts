import { Module } from '@nestjs/common';
import { FhirController } from './fhir.controller.ts';
import { FhirService } from './fhir.service.ts';

@Module({ controllers: [FhirController], providers: [FhirService] })
export class FhirModule {}
