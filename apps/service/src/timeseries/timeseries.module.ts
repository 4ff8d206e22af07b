import { Module } from '@nestjs/common';
import { PointCursors } from './point-cursors.ts';
import { TimeseriesController } from './timeseries.controller.ts';
import { TimeseriesService } from './timeseries.service.ts';

@Module({ controllers: [TimeseriesController], providers: [PointCursors, TimeseriesService] })
export class TimeseriesModule {}
