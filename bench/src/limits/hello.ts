import Fastify from 'fastify'

/** The limit of a start and of a response: fastify that says hello. */
const app = Fastify()
app.get('/', async () => ({ hello: 'world' }))
const address = await app.listen({ host: '127.0.0.1', port: 0 })
console.log(JSON.stringify({ port: Number(new URL(address).port) }))
process.on('SIGTERM', () => process.exit(0))
