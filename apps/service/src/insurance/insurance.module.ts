import { Module } from '@nestjs/common';
import { InsuranceController } from './insurance.controller.ts';
import { InsuranceService } from './insurance.service.ts';

@Module({ controllers: [InsuranceController], providers: [InsuranceService] })
export class InsuranceModule {}
