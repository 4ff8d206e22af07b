/** The baseline of the reads: one bare Fastify route that answers bytes held in memory. Its parent sends the bytes. */
import Fastify from 'fastify';

process.once('message', (body: string) => {
  const bytes = Buffer.from(body);
  const app = Fastify();
  app.get('/', (_request, reply) =>
    reply.header('content-type', 'application/json; charset=utf-8').send(bytes),
  );
  void app.listen({ port: 0, host: '127.0.0.1' }).then((address) => process.send?.(address));
});
