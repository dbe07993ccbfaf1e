import { addressSet } from '@lodge/shared/addresses.ts'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { type Domain, figuresOf, routesOf } from '../domain.ts'
import { createApp } from '../http/app.ts'
import { changeRate } from '../http/budgets.ts'
import type { Dress } from '../http/dress.ts'
import { mount } from '../http/mount.ts'
import { servePages } from '../http/pages.ts'
import type { PanelAddress } from '../http/panel-address.ts'
import { serveApiPages } from '../http/reference/api-pages.ts'
import { acceptUpgrades, refusePlainRequests } from '../http/upgrade.ts'
import type { PeriodicTask } from '../jobs/periodic-task.ts'
import {
  createRegistry,
  httpMetricsHook,
  openMetricsToken,
  operatorRoutes,
} from '../operators/index.ts'
import { openPanelPorts, type PanelPorts, redirectToTls } from '../ports/panel-ports.ts'
import { openPanelTls } from '../ports/panel-tls.ts'
import type { Services } from '../services.ts'
import { authenticatorOf } from './authenticator.ts'
import type { RunningDatabase } from './database.ts'
import { ownApiBeside } from './own-api.ts'

export interface Web {
  readonly app: FastifyInstance
  /** Renews the certificate, if Lodge orders it. */
  readonly tasks: readonly PeriodicTask[]
  /** Opens the panel's ports; call it last. */
  open(connections: number): Promise<PanelPorts>
}

/** Prepares API, panel pages and operator metrics without accepting connections yet. */
export async function prepareWeb(
  config: Config,
  modules: readonly Domain[],
  given: {
    readonly services: Services
    readonly database: RunningDatabase
    readonly panel: PanelAddress
  },
): Promise<Web> {
  const { services, database, panel } = given
  const { log, egress, storage } = services
  const origins = (host: string | undefined) => panel.origins(host)
  const own = ownApiBeside(authenticatorOf(services))
  const { authenticator } = own
  const registry = createRegistry()
  const metricsToken = await openMetricsToken(config.dataFolder, config.metricsToken)
  const routes = {
    ...routesOf(modules),
    ...operatorRoutes({
      registry,
      figures: figuresOf(modules),
      metricsToken,
      fleetHost: config.fleet.host,
    }),
  }
  const app = await createApp({ log, trustedProxies: config.trustedProxies, routes, storage })
  httpMetricsHook(app, registry)
  const tls = await openPanelTls(config, { app, pool: database.pool, egress, log })
  let ports: PanelPorts | undefined
  if (tls)
    redirectToTls(app, {
      kept: tls.kept,
      origin: config.http.origin,
      tlsPort: () => ports?.tlsPort,
    })
  const changes = changeRate(config.changeBurst)
  mount(app, routes, { services, authenticator, origins, changes })
  const dress = dressOf(modules, services)
  await serveApiPages(app, dress)
  const others = modules.map(({ served }) => served?.(services) ?? {})
  await servePages(app, config.webFolder, dress, Object.assign({}, ...others))
  const upgrades = modules.flatMap(({ upgrades = {} }) => Object.entries(upgrades))
  refusePlainRequests(
    app,
    upgrades.map(([path]) => path),
  )
  await app.ready()
  services.ownApi.call = own.callsOf(app)
  acceptUpgrades(app, app.server, {
    authenticator,
    origins,
    panelUrl: () => services.panelUrl,
    trusted: addressSet(config.trustedProxies),
    paths: Object.fromEntries(upgrades.map(([path, upgrade]) => [path, upgrade(services)])),
  })
  return {
    app,
    tasks: tls?.tasks ?? [],
    async open(connections) {
      const opened = await openPanelPorts({
        server: app.server,
        http: config.http,
        trustedProxies: config.trustedProxies,
        secure: tls?.secure,
        connections,
        log,
      })
      ports = opened
      return {
        ...opened,
        async stop() {
          tls?.kept.stop()
          await opened.stop()
          await app.close()
        },
      }
    },
  }
}

/** A page with what the domains change in it; without a database, as it was built. */
const dressOf =
  (modules: readonly Domain[], services: Services): Dress =>
  async (html, kind) => {
    let dressed = html
    try {
      for (const { page } of modules) if (page) dressed = await page(services, dressed, kind)
    } catch (error) {
      services.log.warn({ err: error }, 'the page is sent without its look')
      return html
    }
    return dressed
  }
