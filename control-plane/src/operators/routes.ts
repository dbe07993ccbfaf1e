import { Readable } from 'node:stream'
import type { Registry } from 'prom-client'
import { z } from 'zod'
import release from '../../package.json' with { type: 'json' }
import type { Figures } from '../figures/figures.ts'
import { flagText } from '../flag-text.ts'
import { get } from '../http/endpoint.ts'
import type { Secret } from '../secret.ts'
import type { Services } from '../services.ts'
import { instanceFamilies } from './instance-families.ts'
import { readiness } from './readiness.ts'
import { render } from './render.ts'
import { requireScraper } from './scraper.ts'
import { type Snapshot, snapshots } from './snapshot.ts'

const TEXT = 'text/plain; version=0.0.4; charset=utf-8'

/**
 * Endpoints for operators: liveness, readiness and Prometheus metrics.
 * @param options.registry of `createRegistry`, filled by `httpMetricsHook`
 * @param options.figures what the domains show
 * @param options.metricsToken the token that Prometheus must present
 * @param options.fleetHost address that the fleet port is bound to
 */
export function operatorRoutes(options: {
  readonly registry: Registry
  readonly figures: readonly Figures[]
  readonly metricsToken: Secret
  readonly fleetHost: string
}) {
  const { registry, figures, metricsToken, fleetHost: host } = options
  const lookAt = readiness(host)
  const snapshot = snapshots(figures)
  return {
    health: get('/health', {
      summary: 'Whether the process lives',
      access: { who: 'anyone' },
      alsoHead: true,
      reply: z.object({ status: z.literal('ok'), version: z.string(), uptimeSeconds: z.int() }),
      handle: async () => ({
        status: 'ok' as const,
        version: release.version,
        uptimeSeconds: Math.floor(process.uptime()),
      }),
    }),

    ready: get('/ready', {
      summary: 'Whether this instance can do its work',
      access: { who: 'anyone' },
      alsoHead: true,
      // Writes its own response, since the status depends on the result.
      streams: 'application/json',
      handle: async ({ ctx, http }) => {
        const found = await lookAt(ctx.db, ctx.fleet.port, ctx.storage)
        http.reply
          .code(found.ready ? 200 : 503)
          .header('cache-control', 'no-store')
          .send(found)
      },
    }),

    metrics: get('/metrics', {
      summary: 'Figures for Prometheus',
      access: { who: 'anyone' },
      query: z.object({
        servers: flagText.default(false),
      }),
      streams: TEXT,
      handle: async ({ ctx, query, http }) => {
        requireScraper(http.request, metricsToken)
        const known = await snapshot(ctx)
        const perServer = query.servers ? figures : []
        const text = page(ctx, registry, known, perServer)
        http.reply.type(TEXT).header('cache-control', 'no-store').send(Readable.from(text))
      },
    }),
  }
}

async function* page(
  services: Services,
  registry: Registry,
  known: Snapshot | undefined,
  perServer: readonly Figures[],
): AsyncGenerator<string> {
  yield await registry.metrics()
  yield* render([
    ...instanceFamilies(services, known !== undefined),
    ...(known ? known() : []),
    ...(known ? perServer.flatMap(({ servers }) => servers?.(services.db) ?? []) : []),
  ])
}
