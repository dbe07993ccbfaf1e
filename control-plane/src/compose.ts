import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { addressSet } from '@lodge/shared/addresses.ts'
import { readEgressPolicy } from '@lodge/shared/egress/download.ts'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { routes } from './api.ts'
import { AuditHead } from './audit/head.ts'
import { auditListeners } from './audit/listeners.ts'
import { auditPeriodicTasks } from './audit/periodic-tasks.ts'
import type { Config } from './config.ts'
import { contextFor, type Services } from './context.ts'
import { openDatabase, openPool } from './db/database.ts'
import { startEmbeddedDatabase } from './db/embedded.ts'
import { migrate } from './db/migrate.ts'
import {
  authListeners,
  authPeriodicTasks,
  sessionUsers,
  userOfToken,
} from './domains/auth/index.ts'
import { findUser } from './domains/customers/index.ts'
import { emailListeners, emailPeriodicTasks } from './domains/email/index.ts'
import { limitNoticeTask } from './domains/limits/index.ts'
import {
  createIntake,
  keepPartitions,
  metricsPeriodicTasks,
  registerUsage,
} from './domains/metrics/index.ts'
import {
  announceNodes,
  nodePeriodicTasks,
  nodeSagas,
  nodeSessions,
  prepareLocalNode,
} from './domains/nodes/index.ts'
import {
  announceNotifications,
  notificationListeners,
  notificationPeriodicTasks,
} from './domains/notifications/index.ts'
import { planListeners } from './domains/plans/index.ts'
import {
  announceServers,
  fleetHandlers,
  openConsole,
  sealVariables,
  serverPeriodicTasks,
} from './domains/servers/index.ts'
import { panelSettings, readSettings, securitySettings } from './domains/settings/index.ts'
import { settingsPeriodicTasks } from './domains/settings/periodic-tasks.ts'
import { signupPeriodicTasks } from './domains/signup/index.ts'
import { hasBuiltInTemplates, seedBuiltInTemplates } from './domains/templates/index.ts'
import {
  seedBuiltInProfiles,
  virtualizationPeriodicTasks,
  virtualizationSagas,
} from './domains/virtualization/index.ts'
import { vmPeriodicTasks, vmSagas } from './domains/vms/index.ts'
import { EventBus, type EventHandlers } from './events/events.ts'
import { startFleet } from './fleet/fleet.ts'
import { AddressGuard } from './http/address-guard.ts'
import { agentRouter } from './http/agent-router.ts'
import { serveApiPages } from './http/api-pages.ts'
import { createApp } from './http/app.ts'
import { mount } from './http/mount.ts'
import { servePages } from './http/pages.ts'
import { PanelAddress } from './http/panel-address.ts'
import { acceptUpgrades } from './http/upgrade.ts'
import { announceJobs } from './jobs/live.ts'
import { startPeriodicTasks } from './jobs/periodic-task.ts'
import { JobQueue } from './jobs/queue.ts'
import { tidyJobs } from './jobs/tidy.ts'
import { type SagaCatalogue, sagaTask, startWorker } from './jobs/worker.ts'
import { readAnnouncement } from './live/announcement.ts'
import { listen } from './live/listen.ts'
import { LiveEvents } from './live/live-events.ts'
import { endStreams, endStreamsOf } from './live/stream.ts'
import {
  createRegistry,
  httpMetricsHook,
  openMetricsToken,
  operatorRoutes,
} from './operators/index.ts'
import { ownAddress } from './own-address.ts'
import { connectionBudget } from './ports/descriptors.ts'
import { openPanelPorts, type PanelPorts, redirectToTls } from './ports/panel-ports.ts'
import { openPanelTls } from './ports/panel-tls.ts'
import { openVault } from './secrets/vault.ts'
import { storageOf } from './storage.ts'
import { storageTask } from './storage-task.ts'

export interface ControlPlane {
  readonly services: Services
  readonly app: FastifyInstance
  /** Port of the panel and the interface. */
  readonly port: number
  /** The same by HTTPS, where there is a certificate or one is ordered. */
  readonly tlsPort: number | undefined
  stop(): Promise<void>
}

const sagas: SagaCatalogue = new Map(
  [...nodeSagas, ...virtualizationSagas, ...vmSagas].map((one) => [one.name, one]),
)
/** Who hears of what happens below, the lower domains first. */
const listeners: readonly EventHandlers[] = [
  authListeners,
  emailListeners,
  notificationListeners,
  planListeners,
  auditListeners,
]

/** Starts one instance: database, fleet, jobs, interface. Several on one database are equals. */
export async function startControlPlane(config: Config, log: Logger): Promise<ControlPlane> {
  const databaseFolder = path.join(config.dataFolder, 'database')
  const embedded = config.databaseUrl
    ? undefined
    : await startEmbeddedDatabase({ folder: databaseFolder, log })
  const storage = storageOf(embedded ? databaseFolder : config.dataFolder)
  const connection = embedded?.connection ?? { connectionString: config.databaseUrl?.reveal() }
  const pool = openPool(connection, { max: config.databaseConnections, log })
  await migrate(pool)
  const db = openDatabase(pool)
  await keepPartitions(db, new Date())

  const vault = await openVault(path.join(config.dataFolder, 'secrets'), config.masterKey)
  const live = new LiveEvents(db, log)
  const jobs = new JobQueue(live)
  const router: { http: (request: IncomingMessage, response: ServerResponse) => void } = {
    http: (_request, response) => void response.writeHead(503).end(),
  }
  const guard = new AddressGuard(async () =>
    config.ignoreAddressList
      ? []
      : (await readSettings(db, securitySettings)).administratorAddresses,
  )
  await guard.load()
  const panel = new PanelAddress({
    configured: config.http.origin,
    fallback: () => plainOrTlsAddress(config),
    read: async () => (await readSettings(db, panelSettings)).origin,
  })
  await panel.load()
  if (config.http.origin === undefined)
    log.warn(
      { panel: panel.pinned ?? undefined },
      'WEB_ORIGIN is not set: the panel answers at the address its first administrator used, and at the IP addresses and names of this machine',
    )
  const egress = await readEgressPolicy(config.egress)
  const budget = connectionBudget()
  // Agents may call as soon as its port is open: nothing is waited for between it and the services.
  const fleet = await startFleet({
    pool,
    log,
    authorityFolder: path.join(config.dataFolder, 'authority'),
    host: config.fleet.host,
    port: config.fleet.port,
    advertisedAddress: config.fleet.address ?? `${ownAddress()}:${config.fleet.port}`,
    handlers: fleetHandlers(() => services, createIntake({ live })),
    httpHandler: (request, response) => router.http(request, response),
    options: { connections: budget.fleet },
  })
  const services: Services = {
    db,
    fleet,
    jobs,
    live,
    vault,
    auditHead: new AuditHead({ folder: config.dataFolder, vault, log }),
    log,
    events: new EventBus(listeners),
    guard,
    egress,
    media: config.media,
    variables: config.variables,
    storage,
    captcha: {
      address: config.captchaUrl,
      hostname: config.http.origin && new URL(config.http.origin).hostname,
    },
    get panelUrl() {
      return panel.url()
    },
  }

  jobs.ended = (tx, { kind, title, serverId, ownerId, startedBy }, failure) =>
    contextFor({ ...services, db: tx }, { kind: 'system' }).emit('job.ended', {
      kind,
      title,
      failure,
      serverId,
      ownerId,
      startedBy,
    })

  const seedTemplates = () => seedBuiltInTemplates(contextFor(services, { kind: 'system' }))
  const hasTemplates = await hasBuiltInTemplates(db)
  if (!hasTemplates) await seedTemplates()
  await seedBuiltInProfiles(contextFor(services, { kind: 'system' }))

  announceServers(live, fleet)
  announceNodes(live)
  announceJobs(live)
  announceNotifications(live)
  registerUsage(live)
  live.register('session', async (_db, ids) => {
    for (const id of ids) {
      endStreams(id)
      await fleet.closeRelays({ sessionKey: id })
    }
    return []
  })
  live.register('settings', async () => {
    await panel.load()
    if (await guard.load()) await endAdministrators(services)
    return []
  })
  const listening = listen(
    connection,
    'lodge_live',
    {
      payload: (text) => hear(live, text),
      gap: () => {
        live.resetAll()
        void panel.load().catch((error) => log.error({ err: error }, 'could not read settings'))
        void guard.load().catch((error) => log.error({ err: error }, 'could not read settings'))
      },
    },
    log,
  )

  const origins = (host: string | undefined) => panel.origins(host)
  const userOfSession = sessionUsers(db)
  const authenticator = {
    session: async (token: string, address: string) => {
      const user = await userOfSession(token, address)
      return user && guard.judge(user)
    },
    token: async (secret: string, address: string) => {
      const user = await userOfToken(db, secret, address)
      return user && guard.judge(user)
    },
    node: (nodeId: string, credential: string) =>
      nodeSessions(services).authenticate(nodeId, credential),
  }
  const registry = createRegistry()
  const metricsToken = await openMetricsToken(config.dataFolder, config.metricsToken)
  const all = {
    ...routes,
    ...operatorRoutes({ registry, metricsToken, fleetHost: config.fleet.host }),
  }
  const app = await createApp({ log, trustedProxies: config.trustedProxies, routes: all, storage })
  httpMetricsHook(app, registry)
  const tls = await openPanelTls(config, { app, pool, egress, log })
  let ports: PanelPorts | undefined
  if (tls)
    redirectToTls(app, {
      kept: tls.kept,
      origin: config.http.origin,
      tlsPort: () => ports?.tlsPort,
    })
  mount(app, all, { services, authenticator, origins })
  await serveApiPages(app)
  await servePages(app, config.webFolder)
  await app.ready()
  acceptUpgrades(app, app.server, {
    authenticator,
    origins,
    trusted: addressSet(config.trustedProxies),
    paths: {
      '/api/relay': (user, request, socket, head) =>
        openConsole(services, user, request, socket, head),
    },
  })
  router.http = agentRouter(app, config.agentFolder)
  if (config.localNode)
    await prepareLocalNode(
      contextFor(services, { kind: 'system' }),
      config.dataFolder,
      `127.0.0.1:${fleet.port}`,
    )
  ports = await openPanelPorts({
    server: app.server,
    http: config.http,
    trustedProxies: config.trustedProxies,
    secure: tls?.secure,
    connections: budget.panel,
    log,
  })

  const tasks = startPeriodicTasks(
    [
      storageTask(),
      ...authPeriodicTasks,
      ...auditPeriodicTasks,
      ...settingsPeriodicTasks,
      ...notificationPeriodicTasks,
      limitNoticeTask(),
      ...emailPeriodicTasks,
      ...signupPeriodicTasks,
      ...nodePeriodicTasks,
      ...serverPeriodicTasks,
      ...virtualizationPeriodicTasks,
      ...vmPeriodicTasks,
      ...metricsPeriodicTasks,
      sagaTask(sagas),
      tidyJobs,
      ...(tls?.tasks ?? []),
    ],
    services,
    log,
  )
  const worker = startWorker({ pool, connection }, sagas, services)
  const sealing = sealVariables(services).catch((error) =>
    log.error({ err: error }, 'secret variables of an earlier version are not sealed yet'),
  )
  // Those of an older Lodge serve until they are brought up to date.
  const seeding = hasTemplates
    ? seedTemplates().catch((error) => log.error({ err: error }, 'built-in templates stay old'))
    : undefined

  return {
    services,
    app,
    port: ports.port,
    tlsPort: ports.tlsPort,
    async stop() {
      tls?.kept.stop()
      await ports.stop()
      await app.close()
      await tasks.stop()
      await worker.stop()
      await seeding
      await sealing
      await fleet.stop()
      await listening.stop()
      await pool.end()
      await embedded?.stop()
    },
  }
}

/** Ends what administrators have open; they come back and are judged by the list of now. */
async function endAdministrators({ db, fleet }: Services): Promise<void> {
  endStreamsOf('admin')
  for (const userKey of new Set(fleet.openRelays().map((relay) => relay.userKey)))
    if ((await findUser(db, userKey))?.role === 'admin') await fleet.closeRelays({ userKey })
}

/** Where this machine is reached while nobody has said a better address. */
function plainOrTlsAddress({ http, tls }: Config): string {
  if (!tls) return `http://${ownAddress()}:${http.port}`
  return new URL(`https://${ownAddress()}:${http.tlsPort}`).origin
}

function hear(live: LiveEvents, text: string): void {
  const announcement = readAnnouncement(text)
  if (announcement) live.heard(announcement)
}
