import { readEgressPolicy } from '@lodge/shared/egress/download.ts'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { blobsOf } from './blobs/configured.ts'
import type { Config } from './config.ts'
import type { Domain } from './domain.ts'
import { settleRestore } from './domains/panel-backups/index.ts'
import { agentRouter } from './http/install/agent-router.ts'
import { LiveEvents } from './live/live-events.ts'
import { modules as everything } from './modules.ts'
import { connectionBudget } from './ports/descriptors.ts'
import type { Services } from './services.ts'
import { startDatabase } from './start/database.ts'
import { admitLocalNode, openFleet } from './start/fleet.ts'
import { holdSettings } from './start/held-settings.ts'
import { openInboundSmtp } from './start/inbound-smtp.ts'
import { subscribeAnnouncements } from './start/live.ts'
import { assembleServices } from './start/services.ts'
import { openSftp } from './start/sftp.ts'
import { prepareWeb } from './start/web.ts'
import { idle, startDomains, startWork } from './start/work.ts'

export interface ControlPlane {
  readonly services: Services
  readonly app: FastifyInstance
  /** Port of the panel and the API. */
  readonly port: number
  /** HTTPS port, if a certificate is configured or ordered. */
  readonly tlsPort: number | undefined
  stop(): Promise<void>
}

/**
 * Starts one instance: database, fleet, jobs and API. Several instances on one database are equals.
 * @param modules domains and kernel parts, bottom to top
 */
export async function startControlPlane(
  config: Config,
  log: Logger,
  modules: readonly Domain[] = everything,
): Promise<ControlPlane> {
  await settleRestore(config, log)
  const privileges = modules.flatMap(({ privileges = [] }) => privileges)
  const database = await startDatabase(config, { privileges, log })
  const { db, vault } = database
  for (const domain of modules) await domain.prepare?.(db)
  const live = new LiveEvents(db, log)
  const settings = await holdSettings(config, db, log)
  const { panel } = settings
  const egress = await readEgressPolicy(config.egress)
  const blobs = await blobsOf(config, db, egress)
  const budget = connectionBudget()
  const { fleet, answerWith } = await openFleet(config, {
    ...{ database, live, log, vault, connections: budget.fleet },
    services: () => services,
  })
  const services: Services = assembleServices(config, modules, {
    ...{ database, vault, live, fleet, settings, egress, blobs, log },
  })
  const catchUp = await startDomains(modules, services)
  const listening = subscribeAnnouncements(modules, { services, database, settings })
  const web = await prepareWeb(config, modules, { services, database, panel })
  answerWith(agentRouter(web.app, config.agentFolder))
  await admitLocalNode(config, services)
  const ports = await web.open(budget.panel)
  const sftp = await openSftp(config, services)
  const inboundSmtp = await openInboundSmtp(config, services)
  const work = config.works
    ? startWork(modules, { services, database, tasks: web.tasks })
    : idle(log)
  const caughtUp = config.works ? catchUp() : undefined
  return {
    services,
    app: web.app,
    port: ports.port,
    tlsPort: ports.tlsPort,
    async stop() {
      await sftp.stop()
      await inboundSmtp.stop()
      await ports.stop()
      await work.stop()
      await services.plugins.stopAll()
      await caughtUp
      await fleet.stop()
      listening.stop()
      await database.stop()
    },
  }
}
