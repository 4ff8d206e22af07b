import type { INestApplicationContext, Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { RequestMethod } from '@nestjs/common';
import { MetadataScanner, ModulesContainer, Reflector } from '@nestjs/core';
import type { RouteTable } from '../http/route-table.ts';
import { ruleOf } from './operation.decorator.ts';
import { isOperation, isPublicRoute, routeName, ROUTES } from '../operations/operations.ts';

export interface GuardedRoute {
  readonly method: string;
  readonly path: string;
  readonly handler: string;
  /** Undefined for a public route. */
  readonly operation: string | undefined;
}

function withoutRow(route: string, what: string): Error {
  return new Error(
    `The route ${route} ${what}. Mark its method with @Operation and a row of ` +
      'operations/, or with @Public if it returns no personal data.',
  );
}

export function assertEveryRouteHasARow(
  app: INestApplicationContext,
  table?: RouteTable,
): readonly GuardedRoute[] {
  const routes = routesOf(app);
  const [unguarded] = table?.unguarded(routes) ?? [];
  if (unguarded !== undefined) {
    throw withoutRow(unguarded, 'bypasses the access guard');
  }
  return routes;
}

/** Audit, metrics and log name requests by this table. @throws naming the first difference */
export function assertRoutesOfTheTable(routes: readonly GuardedRoute[]): void {
  for (const { method, path, handler, operation } of routes) {
    const name = routeName(method, path);
    const isItsOwn =
      operation === undefined ? name !== undefined && isPublicRoute(name) : name === operation;
    if (!isItsOwn) {
      throw new Error(
        `The route ${method} ${path} (${handler}) is ${operation ?? 'public'}, and ${name ?? 'nothing'} in operations/.`,
      );
    }
  }
  const served = new Set(routes.map(({ method, path }) => `${method} ${path}`));
  const missing = ROUTES.find((route) => !served.has(route));
  if (missing !== undefined) {
    throw new Error(`No controller serves ${missing}, which is in operations/.`);
  }
}

function routesOf(app: INestApplicationContext): GuardedRoute[] {
  const routes: GuardedRoute[] = [];
  const scanner = new MetadataScanner();
  for (const module of app.get(ModulesContainer, { strict: false }).values()) {
    for (const { metatype } of module.controllers.values()) {
      if (typeof metatype === 'function') {
        for (const name of scanner.getAllMethodNames(metatype.prototype as object)) {
          routes.push(...routesOfMethod(metatype as Type, name));
        }
      }
    }
  }
  return routes;
}

function routesOfMethod(controller: Type, name: string): GuardedRoute[] {
  const method = (controller.prototype as Record<string, object>)[name] as () => unknown;
  const verb = Reflect.getMetadata(METHOD_METADATA, method) as RequestMethod | undefined;
  if (verb === undefined) {
    return [];
  }
  const handler = `${controller.name}.${name}`;
  const { operation, isPublic } = ruleOf(new Reflector(), method, controller);
  const found: GuardedRoute[] = [];
  for (const prefix of pathsOf(controller)) {
    for (const path of pathsOf(method)) {
      const route = { method: RequestMethod[verb], path: trimmed(`${prefix}/${path}`), handler };
      const text = `${route.method} ${route.path} (${handler})`;
      if (operation === undefined && !isPublic) {
        throw withoutRow(text, 'has no row in the permission table');
      }
      if (operation !== undefined && !isOperation(operation)) {
        throw withoutRow(text, `names the row "${operation}", which does not exist`);
      }
      found.push({ ...route, operation });
    }
  }
  return found;
}

function pathsOf(target: object): string[] {
  const path = Reflect.getMetadata(PATH_METADATA, target) as string | string[] | undefined;
  return Array.isArray(path) ? path : [path ?? ''];
}

function trimmed(path: string): string {
  return `/${path
    .split('/')
    .filter((segment) => segment !== '')
    .join('/')}`;
}
