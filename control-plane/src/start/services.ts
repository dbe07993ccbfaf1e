import type { EgressPolicy } from '@lodge/shared/egress/egress.ts'
import { namesFrom } from '@lodge/shared/egress/lookups.ts'
import type { Logger } from 'pino'
import { AuditHead } from '../audit/head.ts'
import type { Blobs } from '../blobs/blobs.ts'
import { type Config, placesOf } from '../config.ts'
import { catalogueOf, type Domain, listenersOf } from '../domain.ts'
import { EventBus } from '../events/event-bus.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { emitEnds } from '../jobs/board/events.ts'
import { JobQueue } from '../jobs/queue.ts'
import type { LiveEvents } from '../live/live-events.ts'
import { PluginProcesses } from '../plugins/processes.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Services } from '../services.ts'
import type { RunningDatabase } from './database.ts'
import type { HeldSettings } from './held-settings.ts'

/**
 * Puts the services together, with what the modules declare for them. Waits for nothing: agents may
 * already call.
 */
export function assembleServices(
  config: Config,
  modules: readonly Domain[],
  given: {
    readonly database: RunningDatabase
    readonly vault: Vault
    readonly live: LiveEvents
    readonly fleet: Fleet
    readonly settings: HeldSettings
    readonly egress: EgressPolicy
    readonly blobs: Blobs
    readonly log: Logger
  },
): Services {
  const { database, vault, live, fleet, egress, blobs, log } = given
  const { guard, panel } = given.settings
  const { db, heartbeatDb, storage, concern: databaseConcern } = database
  const catalogue = catalogueOf(modules)
  const jobs = new JobQueue(live)
  const services: Services = {
    ...{
      db,
      heartbeatDb,
      fleet,
      jobs,
      live,
      vault,
      log,
      guard,
      egress,
      blobs,
      storage,
      databaseConcern,
    },
    auditHead: new AuditHead({ folder: config.dataFolder, vault, log }),
    events: new EventBus(listenersOf(modules, catalogue)),
    catalogue,
    names: namesFrom(config.inboundDns),
    channelHosts: config.channelHosts,
    codeHost: config.codeHost,
    fence: config.fence,
    plugins: new PluginProcesses(),
    pluginTrust: config.pluginTrust,
    media: config.media,
    agentFolder: config.agentFolder,
    places: placesOf(config),
    variables: config.variables,
    works: config.works,
    sftp: { host: null, port: null },
    smtp: { port: null },
    ownApi: { call: undefined },
    captcha: {
      address: config.captchaUrl,
      hostname: config.http.origin && new URL(config.http.origin).hostname,
    },
    get panelUrl() {
      return panel.url()
    },
  }
  emitEnds(services)
  return services
}
