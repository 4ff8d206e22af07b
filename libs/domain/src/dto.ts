/** The DTO classes, for programs that use class-validator, class-transformer or `@nestjs/swagger`. */
import * as classes from './generated/dto-classes.ts';
import { describeForSwagger } from './schema/swagger-metadata.ts';

export * from './generated/dto-classes.ts';
export { toInstance, type DtoClass } from './validation/decorators.ts';

describeForSwagger(classes);
