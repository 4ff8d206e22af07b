import { Controller, Get, Header, HttpCode, Param, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Operation, Public } from '../auth/operation.decorator.ts';
import type { Answer } from '../common/answer.ts';
import { FHIR_MEDIA_TYPE } from '../problem/problem-error.ts';
import { FhirService } from './fhir.service.ts';

/** Reads and searches of FHIR R4. Searches may use POST, since names must not be in URLs. */
@Controller('fhir/r4')
export class FhirController {
  constructor(private readonly fhir: FhirService) {}

  @Get('metadata')
  @Public('fhirMetadata')
  @Header('content-type', FHIR_MEDIA_TYPE)
  getMetadata(): string {
    return this.fhir.getCapabilityStatement();
  }

  @Get('Patient/:user_id')
  @Operation('readPatient')
  readPatient(@Req() request: FastifyRequest, @Param('user_id') id: string): Promise<Answer> {
    return this.fhir.read('Patient', request, id);
  }

  @Get('Patient')
  @Operation('searchPatients')
  searchPatients(@Req() request: FastifyRequest): Promise<Answer> {
    return this.fhir.search('Patient', request);
  }

  @Post('Patient/_search')
  @HttpCode(200)
  @Operation('searchPatients')
  searchPatientsByForm(@Req() request: FastifyRequest): Promise<Answer> {
    return this.fhir.search('Patient', request);
  }

  @Get('Coverage/:coverage_id')
  @Operation('readCoverage')
  readCoverage(@Req() request: FastifyRequest, @Param('coverage_id') id: string): Promise<Answer> {
    return this.fhir.read('Coverage', request, id);
  }

  @Get('Coverage')
  @Operation('searchCoverages')
  searchCoverages(@Req() request: FastifyRequest): Promise<Answer> {
    return this.fhir.search('Coverage', request);
  }

  @Post('Coverage/_search')
  @HttpCode(200)
  @Operation('searchCoverages')
  searchCoveragesByForm(@Req() request: FastifyRequest): Promise<Answer> {
    return this.fhir.search('Coverage', request);
  }

  @Get('ServiceRequest/:order_id')
  @Operation('readServiceRequest')
  readServiceRequest(
    @Req() request: FastifyRequest,
    @Param('order_id') id: string,
  ): Promise<Answer> {
    return this.fhir.read('ServiceRequest', request, id);
  }

  @Get('ServiceRequest')
  @Operation('searchServiceRequests')
  searchServiceRequests(@Req() request: FastifyRequest): Promise<Answer> {
    return this.fhir.search('ServiceRequest', request);
  }

  @Post('ServiceRequest/_search')
  @HttpCode(200)
  @Operation('searchServiceRequests')
  searchServiceRequestsByForm(@Req() request: FastifyRequest): Promise<Answer> {
    return this.fhir.search('ServiceRequest', request);
  }

  @Get('DiagnosticReport/:order_id')
  @Operation('readDiagnosticReport')
  readDiagnosticReport(
    @Req() request: FastifyRequest,
    @Param('order_id') id: string,
  ): Promise<Answer> {
    return this.fhir.read('DiagnosticReport', request, id);
  }

  @Get('DiagnosticReport')
  @Operation('searchDiagnosticReports')
  searchDiagnosticReports(@Req() request: FastifyRequest): Promise<Answer> {
    return this.fhir.search('DiagnosticReport', request);
  }

  @Post('DiagnosticReport/_search')
  @HttpCode(200)
  @Operation('searchDiagnosticReports')
  searchDiagnosticReportsByForm(@Req() request: FastifyRequest): Promise<Answer> {
    return this.fhir.search('DiagnosticReport', request);
  }

  @Get('Observation/:observation_id')
  @Operation('readObservation')
  readObservation(
    @Req() request: FastifyRequest,
    @Param('observation_id') id: string,
  ): Promise<Answer> {
    return this.fhir.read('Observation', request, id);
  }

  @Get('Observation')
  @Operation('searchObservations')
  searchObservations(@Req() request: FastifyRequest): Promise<Answer> {
    return this.fhir.search('Observation', request);
  }

  @Post('Observation/_search')
  @HttpCode(200)
  @Operation('searchObservations')
  searchObservationsByForm(@Req() request: FastifyRequest): Promise<Answer> {
    return this.fhir.search('Observation', request);
  }
}
