import { gatewayFaults } from './gateway-courses.testing.ts';

gatewayFaults({ parts: 4, courses: 4 });
