import { connect } from './connect.ts';
import type { HealthDataClientOptions } from './connect.ts';
import { Orders } from './orders.ts';
import { Timeseries } from './timeseries.ts';
import { People, Users } from './users.ts';

/**
 * A typed client of the health data service. Throws {@link InvalidArgumentError} for invalid options.
 *
 * @example
 * const client = new HealthDataClient({ baseUrl: 'https://health.example', apiKey });
 * const user = await client.users.resolve('patient-17');
 */
export class HealthDataClient {
  readonly users: Users;
  readonly orders: Orders;
  readonly people: People;
  readonly timeseries: Timeseries;

  constructor(options: HealthDataClientOptions) {
    const connection = connect(options);
    this.users = new Users(connection);
    this.orders = new Orders(connection);
    this.people = new People(connection);
    this.timeseries = new Timeseries(connection);
  }
}
