/** The baseline of a request's cost: an empty NestJS on Fastify, which answers bytes that its parent sends. */
import 'reflect-metadata';
import { Controller, Get, Header } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';

process.once('message', (body: string) => {
  void serve(Buffer.from(body));
});

async function serve(bytes: Buffer): Promise<void> {
  class Bytes {
    answer(): Buffer {
      return bytes;
    }
  }
  // Decorators as calls: Node strips types, and has no decorators.
  const method = Object.getOwnPropertyDescriptor(Bytes.prototype, 'answer') as PropertyDescriptor;
  Get()(Bytes.prototype, 'answer', method);
  Header('content-type', 'application/json; charset=utf-8')(Bytes.prototype, 'answer', method);
  Controller()(Bytes);
  const root = { module: Bytes, controllers: [Bytes] };
  const app = await NestFactory.create(root, new FastifyAdapter(), { logger: false });
  await app.listen(0, '127.0.0.1');
  process.send?.(await app.getUrl());
}
