import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { contextFor } from '../context.ts'
import { createIntake } from '../domains/metrics/index.ts'
import { prepareLocalNode } from '../domains/nodes/index.ts'
import { fleetHandlers } from '../domains/servers/index.ts'
import { type Fleet, startFleet } from '../fleet/fleet.ts'
import type { LiveEvents } from '../live/live-events.ts'
import { ownAddress } from '../own-address.ts'
import type { Vault } from '../secrets/vault.ts'
import type { Services } from '../services.ts'
import type { RunningDatabase } from './database.ts'

type HttpHandler = (request: IncomingMessage, response: ServerResponse) => void

export interface OpenFleet {
  readonly fleet: Fleet
  /** Until this is called, enrolling agents are told to retry. */
  answerWith(handler: HttpHandler): void
}

/**
 * Opens the agents' port. Agents may call at once, so the caller must not await anything else
 * before it has created the services.
 */
export async function openFleet(
  config: Config,
  given: {
    readonly database: RunningDatabase
    readonly live: LiveEvents
    readonly log: Logger
    readonly vault: Vault
    readonly connections: number
    services(): Services
  },
): Promise<OpenFleet> {
  let handler: HttpHandler = (_request, response) => void response.writeHead(503).end()
  const { host, port, address, instanceAddress } = config.fleet
  const fleet = await startFleet({
    pool: given.database.pool,
    channels: given.database.channels,
    log: given.log,
    vault: given.vault,
    authorityFolder: path.join(config.dataFolder, 'authority'),
    host,
    port,
    advertisedAddress: address ?? `${ownAddress()}:${port}`,
    instanceAddress,
    handlers: fleetHandlers(given.services, createIntake({ live: given.live })),
    httpHandler: (request, response) => handler(request, response),
    options: { connections: given.connections },
  })
  return {
    fleet,
    answerWith(next) {
      handler = next
    },
  }
}

/** Enrols the agent on this machine automatically. */
export async function admitLocalNode(config: Config, services: Services): Promise<void> {
  if (!config.localNode) return
  const { port } = services.fleet
  const ctx = contextFor(services, { kind: 'system' })
  await prepareLocalNode(ctx, config.dataFolder, `127.0.0.1:${port}`)
}
