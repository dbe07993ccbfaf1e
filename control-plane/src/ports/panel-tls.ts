import path from 'node:path'
import type tls from 'node:tls'
import type { EgressPolicy } from '@lodge/shared/egress/egress.ts'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { PeriodicTask } from '../jobs/periodic-task.ts'
import { acmeFiles, acmeTask, serveChallenges } from './acme.ts'
import { type KeptCertificate, keepCertificate } from './certificate.ts'
import { createTls } from './panel-ports.ts'

export interface PanelTls {
  readonly kept: KeptCertificate
  readonly secure: tls.Server
  /** Orders and renews the certificate, if Lodge is in charge of it. */
  readonly tasks: readonly PeriodicTask[]
}

/**
 * The panel's TLS: files that somebody else renews, or a certificate that Lodge orders. Until that
 * one exists, HTTPS is refused and plain HTTP serves.
 * @throws if the configured files cannot be used
 */
export async function openPanelTls(
  config: Pick<Config, 'tls' | 'dataFolder'>,
  given: {
    readonly app: FastifyInstance
    readonly pool: pg.Pool
    readonly egress: EgressPolicy
    readonly log: Logger
  },
): Promise<PanelTls | undefined> {
  const { log } = given
  if (!config.tls) return undefined
  const folder = path.join(config.dataFolder, 'tls')
  const files = config.tls.kind === 'files' ? config.tls : acmeFiles({ folder })
  const secure = createTls()
  const kept = await keepCertificate(
    files,
    ({ cert, key }) => secure.setSecureContext({ cert, key, minVersion: 'TLSv1.2' }),
    log,
  )
  if (config.tls.kind === 'files') {
    if (!kept.current())
      throw new Error(
        `LODGE_TLS_CERT and LODGE_TLS_KEY cannot be used: ${files.certificate}, ${files.key}`,
      )
    return { kept, secure, tasks: [] }
  }
  serveChallenges(given.app, folder)
  const options = { ...config.tls, folder, egress: given.egress }
  return { kept, secure, tasks: [acmeTask(options, { pool: given.pool, kept, log })] }
}
