import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { EgressPolicy } from '@lodge/shared/egress/egress.ts'
import { call, EgressRefused } from '@lodge/shared/egress/egress.ts'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Logger } from 'pino'
import { z } from 'zod'
import { tryLockSession, unlockSession } from '../db/advisory-locks.ts'
import { type PeriodicTask, periodicTask } from '../jobs/periodic-task.ts'
import type { CertificateFiles, KeptCertificate } from './certificate.ts'

/** Certificate authorities allow few failures per hour. */
const TRY_EVERY_SECONDS = 900
/** Renew when this share of the lifetime is left. */
const RENEW_SHARE = 1 / 3
const ORDER_TIMEOUT_MS = 120_000
const Account = z.object({
  directory: z.string(),
  /** PEM. */
  key: z.string(),
  url: z.string().optional(),
})
const TOKEN = /^[\w-]{1,128}$/

export interface AcmeOptions {
  readonly domain: string
  /** The authority's ACME directory. */
  readonly directory: string
  /** Contact address of the account. */
  readonly email: string | undefined
  /** Account key, certificate and challenges; 0700. */
  readonly folder: string
  readonly egress: EgressPolicy
}

/** The ordered certificate, with its key in the same file. */
export const acmeFiles = ({ folder }: Pick<AcmeOptions, 'folder'>): CertificateFiles => {
  const file = path.join(folder, 'certificate.pem')
  return { certificate: file, key: file }
}

const challengeFile = (folder: string, token: string) => path.join(folder, 'challenges', token)

/** Answers the authority's challenge that proves control of the domain (RFC 8555, 8.3). */
export function serveChallenges(app: FastifyInstance, folder: string): void {
  app.get<{ Params: { token: string } }>(
    '/.well-known/acme-challenge/:token',
    async (request, reply) => {
      const { token } = request.params
      const answer = TOKEN.test(token)
        ? await readFile(challengeFile(folder, token), 'utf8').catch(() => undefined)
        : undefined
      return answer === undefined ? reply.callNotFound() : reply.type('text/plain').send(answer)
    },
  )
}

/** Orders a certificate if there is none, and renews it before it expires. */
export function acmeTask(
  options: AcmeOptions,
  given: { pool: pg.Pool; kept: KeptCertificate; log: Logger },
): PeriodicTask {
  const { kept, log, pool } = given
  return periodicTask('certificate', TRY_EVERY_SECONDS, async () => {
    await kept.look()
    if (!isDue(kept, new Date())) return { ordered: 0 }
    try {
      const ordered = await alone(pool, async () => {
        // Another instance may have just ordered one.
        await kept.look()
        if (!isDue(kept, new Date())) return false
        await order(options)
        return true
      })
      await kept.look()
      if (ordered) log.info({ domain: options.domain }, 'a new certificate is in use')
      return { ordered: ordered ? 1 : 0 }
    } catch (error) {
      log.error(
        { err: error, domain: options.domain, againInSeconds: TRY_EVERY_SECONDS },
        'could not obtain a certificate: the domain must point to port 80 of this machine',
      )
      return { ordered: 0 }
    }
  })
}

function isDue(kept: KeptCertificate, now: Date): boolean {
  const certificate = kept.current()
  if (!certificate) return true
  const [from, to] = [certificate.validFrom.getTime(), certificate.validTo.getTime()]
  return now.getTime() > to - (to - from) * RENEW_SHARE
}

/** Runs `work` unless another instance is running it. A lost connection releases the lock. */
async function alone(pool: pg.Pool, work: () => Promise<boolean>): Promise<boolean> {
  const client = await pool.connect()
  let broken = false
  try {
    if (!(await tryLockSession(client, 'certificateOrder'))) return false
    try {
      return await work()
    } finally {
      broken = await unlockSession(client, 'certificateOrder').then(
        () => false,
        () => true,
      )
    }
  } finally {
    client.release(broken)
  }
}

async function order({ domain, directory, email, folder, egress }: AcmeOptions): Promise<void> {
  const acme = await import('acme-client')
  await mkdir(path.join(folder, 'challenges'), { recursive: true, mode: 0o700 })
  throughEgress(acme.axios, egress)
  const account = await openAccount(folder, directory)
  const client = new acme.Client({
    directoryUrl: directory,
    accountKey: account.key,
    ...(account.url === undefined ? {} : { accountUrl: account.url }),
  })
  const [key, csr] = await acme.crypto.createCsr(
    { commonName: domain, altNames: [domain] },
    await acme.crypto.createPrivateEcdsaKey(),
  )
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Error('the authority did not finish in time')),
    ORDER_TIMEOUT_MS,
  )
  const given = client.auto({
    csr,
    ...(email === undefined ? {} : { email }),
    termsOfServiceAgreed: true,
    // The check would connect to our own public address, which not every network allows.
    skipChallengeVerification: true,
    challengePriority: ['http-01'],
    challengeCreateFn: (_authorization, { token }, answer) =>
      writeFile(challengeFile(folder, token), answer, { mode: 0o600 }),
    challengeRemoveFn: (_authorization, { token }) =>
      rm(challengeFile(folder, token), { force: true }),
  })
  try {
    const certificate = await Promise.race([given, late.promise])
    await account.keep(client.getAccountUrl())
    await place(acmeFiles({ folder }).certificate, `${certificate.trim()}\n${key}`)
  } finally {
    clearTimeout(timer)
  }
}

/** Our account with one authority: its key, created at the first order, and its URL once known. */
async function openAccount(folder: string, directory: string) {
  const file = path.join(folder, 'account.json')
  const text = await readFile(file, 'utf8').catch(() => undefined)
  const kept = text === undefined ? undefined : Account.parse(JSON.parse(text))
  if (kept?.directory === directory) {
    const keep = (url: string) => place(file, JSON.stringify({ ...kept, url }))
    return { ...kept, keep }
  }
  const { crypto } = await import('acme-client')
  const key = (await crypto.createPrivateEcdsaKey()).toString()
  const keep = (url?: string) => place(file, JSON.stringify({ directory, key, url }))
  // Save the key before registering, so that no account is left behind without its key.
  await keep()
  return { directory, key, url: undefined, keep }
}

async function place(file: string, content: string | Buffer): Promise<void> {
  await writeFile(`${file}.new`, content, { mode: 0o600 })
  await rename(`${file}.new`, file)
}

type Library = typeof import('acme-client')['axios']

/** Makes the library send every request through egress, which checks each address. */
function throughEgress(axios: Library, policy: EgressPolicy): void {
  axios.defaults.adapter = async (config) => {
    try {
      const { status, headers, text } = await call(axios.getUri(config), {
        ...policy,
        method: (config.method ?? 'get').toUpperCase(),
        headers: headersOf(config.headers.toJSON()),
        ...(typeof config.data === 'string' && { body: config.data }),
        timeoutMs: 30_000,
      })
      const response = { status, statusText: '', headers, data: text, config }
      // The library expects every error response in its error handler.
      throw Object.assign(new Error(`the authority answered ${status}`), { config, response })
    } catch (error) {
      // With this code the library does not retry.
      if (error instanceof EgressRefused) Object.assign(error, { code: 'ECONNABORTED' })
      throw error instanceof Error ? Object.assign(error, { config }) : error
    }
  }
}

const headersOf = (headers: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || value === null ? [] : [[name, String(value)]],
    ),
  )
