import { gatewayFaults } from './gateway-courses.testing.ts';

gatewayFaults({ parts: 1, courses: 100 });
