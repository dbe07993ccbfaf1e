import { createPrivateKey } from 'node:crypto'
import { z } from 'zod'
import type { Area } from '../../catalogue.ts'
import type { Ctx } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { invalid } from '../../http/input.ts'
import type { Vault } from '../../secrets/vault.ts'
import { readSettings, writeSettings } from '../settings/index.ts'

const hostName = z
  .string()
  .trim()
  .max(253)
  .regex(/^[A-Za-z0-9.:[\]-]+$/, 'must be a host name or an address')
const domainName = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be a domain name')
const oneLine = z
  .string()
  .trim()
  .max(200)
  .regex(/^[^\p{Cc}\p{Cf}\u2028\u2029]*$/u, 'must be one line of visible characters')
const address = z.string().trim().toLowerCase().max(254).pipe(z.email('is not an e-mail address'))

const shared = {
  /** Null: mail is not sent, but stored to be read in the panel. */
  host: hostName.nullable(),
  port: z.int().min(1).max(65_535),
  /** `tls` from the first byte (465), mandatory `starttls` (587), `none` unencrypted (25). */
  security: z.enum(['tls', 'starttls', 'none']),
  user: oneLine.nullable(),
  from: z.strictObject({ name: oneLine.pipe(z.string().min(1)), address }),
}
const dkim = { domain: domainName, selector: domainName.or(z.string().regex(/^[a-z0-9-]{1,63}$/)) }

/** The stored form; secrets are encrypted. */
const Stored = z.strictObject({
  ...shared,
  password: z.string().nullable(),
  dkim: z.strictObject({ ...dkim, privateKey: z.string() }).nullable(),
})
export type MailSettings = z.infer<typeof Stored>

export const mailArea: Area<MailSettings> = {
  name: 'mail',
  schema: Stored,
  initial: {
    host: null,
    port: 587,
    security: 'starttls',
    user: null,
    password: null,
    from: { name: 'Lodge', address: 'lodge@localhost.localdomain' },
    dkim: null,
  },
}

/** The readable form: whether a secret is set, never its value. */
export const MailSettingsView = z.object({
  ...shared,
  from: z.object({ name: z.string(), address: z.string() }),
  hasPassword: z.boolean(),
  dkim: z
    .object({ domain: z.string(), selector: z.string(), hasPrivateKey: z.boolean() })
    .nullable(),
})

/** An absent secret is kept if the server stays the same; null removes it. */
export const EditMailSettings = z.strictObject({
  ...shared,
  password: z.string().max(1000).nullable().optional(),
  dkim: z.strictObject({ ...dkim, privateKey: z.string().max(20_000).optional() }).nullable(),
})

const place = (column: string) => ({ table: 'settings', id: mailArea.name, column })
const seal = (vault: Vault, plain: string, column: string) =>
  vault.seal(plain, place(column)).toString('base64')
/** Decrypts a secret of the settings for immediate use. */
export const openSecret = (vault: Vault, sealed: string, column: 'password' | 'dkim'): string =>
  vault.open(Buffer.from(sealed, 'base64'), place(column))

export const mailSettings = (db: Db): Promise<MailSettings> => readSettings(db, mailArea)

/** Whether mail is sent, rather than only stored to be read in the panel. */
export const mailIsConfigured = async (db: Db): Promise<boolean> =>
  (await mailSettings(db)).host !== null

export function describeMailSettings(stored: MailSettings): z.infer<typeof MailSettingsView> {
  const { password, dkim, ...rest } = stored
  return {
    ...rest,
    hasPassword: password !== null,
    dkim: dkim && { domain: dkim.domain, selector: dkim.selector, hasPrivateKey: true },
  }
}

export async function changeMailSettings(
  ctx: Ctx,
  given: z.output<typeof EditMailSettings>,
): Promise<z.infer<typeof MailSettingsView>> {
  const present = await mailSettings(ctx.db)
  const { password, dkim, ...rest } = given
  if (password === undefined) requireSameServer(present, rest)
  const stored: MailSettings = {
    ...rest,
    password:
      password === undefined ? present.password : password && seal(ctx.vault, password, 'password'),
    dkim: dkim && {
      domain: dkim.domain,
      selector: dkim.selector,
      privateKey: dkimKey(ctx.vault, dkim.privateKey, present),
    },
  }
  return describeMailSettings(await writeSettings(ctx.db, mailArea, stored))
}

/**
 * Fields that identify who receives the password: it must not be sent to a different server than it
 * was entered for.
 */
const SIGNED_IN_TO = ['host', 'port', 'security', 'user'] as const

function requireSameServer(
  present: MailSettings,
  wanted: Pick<MailSettings, (typeof SIGNED_IN_TO)[number]>,
): void {
  if (present.password === null || wanted.host === null) return
  if (SIGNED_IN_TO.every((field) => present[field] === wanted[field])) return
  const detail = 'has to be entered again, because host, port, security or user changed'
  throw invalid([{ pointer: '/password', detail }])
}

function dkimKey(vault: Vault, given: string | undefined, present: MailSettings): string {
  if (given === undefined) {
    if (present.dkim) return present.dkim.privateKey
    throw invalid([{ pointer: '/dkim/privateKey', detail: 'is required for signatures' }])
  }
  try {
    createPrivateKey(given)
  } catch {
    throw invalid([{ pointer: '/dkim/privateKey', detail: 'is not a private key in PEM form' }])
  }
  return seal(vault, given, 'dkim')
}
