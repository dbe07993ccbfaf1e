import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import release from '../../package.json' with { type: 'json' }

/** Gauges named like counters, which format checkers reject. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]

/** Metrics of this process: version, resources and requests. */
export function createRegistry(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED) registry.removeSingleMetric(name)
  const labels = { version: release.version, node: process.version }
  new Gauge({
    name: 'lodge_build_info',
    help: 'What runs here.',
    labelNames: Object.keys(labels),
    registers: [registry],
  }).set(labels, 1)
  return registry
}

const SIGN_IN = 'POST /api/auth/login'

/**
 * Measures every response: duration by endpoint, never by path, and outcomes of sign-in attempts.
 */
export function httpMetricsHook(app: FastifyInstance, registry: Registry): void {
  const duration = new Histogram({
    name: 'lodge_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer.',
    labelNames: ['route', 'method', 'status_class'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  const attempts = new Counter({
    name: 'lodge_login_attempts_total',
    help: 'Attempts to sign in by how they ended.',
    labelNames: ['result', 'method'],
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    const { route, method } = labelsOf(request)
    duration.observe(
      { route, method, status_class: `${Math.floor(reply.statusCode / 100)}xx` },
      reply.elapsedTime / 1000,
    )
    if (request.routeOptions.config.endpoint === SIGN_IN) {
      attempts.inc({ result: resultOf(reply.statusCode), method: 'password' })
    }
  })
}

/** The endpoint's key, split; requests without an endpoint share one label. */
function labelsOf(request: FastifyRequest): { route: string; method: string } {
  const [method, route] = request.routeOptions.config.endpoint?.split(' ') ?? []
  return route && method ? { route, method } : { route: 'none', method: 'none' }
}

function resultOf(status: number): string {
  if (status < 300) return 'success'
  if (status === 401) return 'wrong_credentials'
  if (status === 429) return 'throttled'
  return status < 500 ? 'refused' : 'error'
}
