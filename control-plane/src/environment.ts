import path from 'node:path'
import { z } from 'zod'
import { listOf, networkAddress, resolverAddress } from './address-lists.ts'
import { flagText } from './flag-text.ts'
import { httpBudgets } from './http/budgets.ts'
import { Secret } from './secret.ts'

const port = z.coerce.number().int().min(0).max(65535)
export const root = path.resolve(import.meta.dirname, '../..')

const TLS_FILES = 'LODGE_TLS_CERT and LODGE_TLS_KEY belong together: set both or neither'
const S3_PARTS = [
  'LODGE_S3_ENDPOINT',
  'LODGE_S3_BUCKET',
  'LODGE_S3_KEY_ID',
  'LODGE_S3_SECRET',
] as const
const S3_TOGETHER = `${S3_PARTS.join(', ')} belong together: set all or none`
const ONE_SOURCE =
  'order a certificate with LODGE_DOMAIN, or bring one with LODGE_TLS_CERT, not both'
const NO_OWNER =
  'needs DATABASE_URL, as whose role the tables are made; the embedded database needs neither'

/** The environment variables that Lodge reads, and their defaults. */
export const Variables = z.object({
  LODGE_DATA: z.string().min(1).optional(),
  LODGE_HOST: z.string().default('0.0.0.0'),
  /** 8080, or 80 with LODGE_DOMAIN: the certificate authority's challenge requests port 80. */
  LODGE_PORT: port.optional(),
  /** HTTPS port, used if there is a certificate. */
  LODGE_HTTPS_PORT: port.default(443),
  /** PEM files of the panel's own certificate chain and its key. */
  LODGE_TLS_CERT: z.string().min(1).optional(),
  LODGE_TLS_KEY: z.string().min(1).optional(),
  /** Domain of the panel, for which a certificate is ordered and renewed (ACME). */
  LODGE_DOMAIN: z.hostname().toLowerCase().includes('.').optional(),
  LODGE_ACME_DIRECTORY: z
    .url({ protocol: /^https$/ })
    .default('https://acme-v02.api.letsencrypt.org/directory'),
  /** Contact address given to the certificate authority. */
  LODGE_ACME_EMAIL: z.email().optional(),
  /** The panel's address as browsers use it. Cookies and WebSockets are checked against it. */
  WEB_ORIGIN: z.url({ protocol: /^https?$/ }).optional(),
  LODGE_FLEET_HOST: z.string().default('0.0.0.0'),
  LODGE_FLEET_PORT: port.default(8443),
  /** Whether people reach the files of their servers by SFTP. */
  LODGE_SFTP: flagText.default(true),
  LODGE_SFTP_HOST: z.string().default('0.0.0.0'),
  LODGE_SFTP_PORT: port.default(2022),
  /** host or host:port that people are shown for SFTP; defaults to the panel's host and the port. */
  LODGE_SFTP_ADDRESS: z
    .string()
    .regex(/^([\w.-]+|\[[\da-f:]+\])(:\d{1,5})?$/i, 'must be a host or host:port')
    .optional(),
  /** Whether the panel itself receives mail for the support desk by SMTP. */
  LODGE_INBOUND_SMTP: flagText.default(false),
  LODGE_INBOUND_SMTP_HOST: z.string().default('0.0.0.0'),
  LODGE_INBOUND_SMTP_PORT: port.default(25),
  /** Mail relays in front of this one, whose `Received` lines about the sender are trusted. */
  LODGE_INBOUND_TRUSTED_RELAYS: listOf(networkAddress),
  /** Comma-separated addresses of DNS resolvers for checking senders of mail. */
  LODGE_INBOUND_DNS: listOf(resolverAddress),
  /** host:port that agents dial; defaults to this machine's name and the fleet port. */
  LODGE_FLEET_ADDRESS: z.string().optional(),
  /** host:port at which agents reach this one of several control planes; defaults to the former. */
  LODGE_FLEET_INSTANCE_ADDRESS: z.string().optional(),
  DATABASE_URL: z
    .string()
    .optional()
    .transform((text) => (text ? new Secret(text) : undefined)),
  /**
   * The same database, as a role that owns no tables. If unset, Lodge creates the role if it may.
   */
  LODGE_APPLICATION_DATABASE_URL: z
    .string()
    .optional()
    .transform((text) => (text ? new Secret(text) : undefined)),
  /** Beside these, one listens for notifications and two record heartbeats. */
  LODGE_DATABASE_CONNECTIONS: z.coerce.number().int().min(2).max(200).default(12),
  LODGE_TRUSTED_PROXIES: listOf(networkAddress),
  /** `any` ignores the address allow-list for administrators, for those locked out by it. */
  LODGE_ADMIN_ADDRESSES: z.literal('any').optional(),
  /** Burst of changes per account; half as many per minute after it. */
  LODGE_CHANGE_BURST: z.coerce
    .number()
    .int()
    .min(10)
    .max(1_000_000)
    .default(httpBudgets.change.burst),
  LODGE_LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info'),
  LODGE_LOCAL_NODE: flagText.default(true),
  /** Whether this instance does background work; switch it off to inspect a restored backup. */
  LODGE_WORK: flagText.default(true),
  LODGE_WEB_FOLDER: z.string().default(path.join(root, 'web/dist')),
  /**
   * 32 bytes in base64, shared by all instances on one database; generated at the first start if
   * unset.
   */
  LODGE_MASTER_KEY: z
    .base64()
    .refine((text) => Buffer.from(text, 'base64').length === 32, 'must be 32 bytes in base64')
    .optional()
    .transform((text) => (text ? new Secret(text) : undefined)),
  /** Folder of the bundled agent that new nodes download. */
  LODGE_AGENT_FOLDER: z.string().default(root),
  /**
   * Comma-separated host:port pairs of the operator's own network that media may be fetched from.
   */
  LODGE_EGRESS_HOSTS: z
    .string()
    .default('')
    .transform((text) => text.split(',').filter(Boolean)),
  /** Comma-separated host:port pairs of the operator's own network that channels may notify. */
  LODGE_CHANNEL_HOSTS: z
    .string()
    .default('')
    .transform((text) => text.split(',').filter(Boolean)),
  /** A GitHub Enterprise server that takes reports of usage, instead of GitHub. */
  LODGE_CODE_HOST: z
    .url({ protocol: /^https?$/ })
    .default('https://github.com')
    .transform((address) => address.replace(/\/+$/, '')),
  /** Absolute path of the program that switches off nodes, for the failover mode `stonith`. */
  LODGE_FENCE_COMMAND: z
    .string()
    .startsWith('/', 'must be the absolute path of a program')
    .optional(),
  /** How long each of its calls may take. */
  LODGE_FENCE_SECONDS: z.coerce.number().int().min(5).max(300).default(30),
  /** Comma-separated host:port pairs, such as BMCs, that the plugin which switches nodes off may reach. */
  LODGE_FENCE_HOSTS: z
    .string()
    .default('')
    .transform((text) => text.split(',').filter(Boolean)),
  /** Comma-separated Ed25519 public keys, in base64, of publishers whose plugins are trusted. */
  LODGE_PLUGIN_KEYS: z
    .string()
    .default('')
    .transform((text) => text.split(',').filter(Boolean))
    .pipe(z.array(z.base64().length(44, 'must be 32 bytes in base64'))),
  /** Address or path of the signed index of a plugin registry. */
  LODGE_PLUGIN_REGISTRY: z
    .string()
    .regex(/^(https?:\/\/|\/)/, 'must be an address or the absolute path of a file')
    .optional(),
  /** PEM file of certificate authorities trusted for egress besides the public ones. */
  LODGE_EGRESS_CA: z.string().min(1).optional(),
  /** Folder of virtual machine media; several instances must share it. */
  LODGE_MEDIA: z.string().min(1).optional(),
  /** Limit of the media folder, GiB. */
  LODGE_MEDIA_GIB: z.coerce.number().int().min(1).max(1_000_000).default(500),
  /** Folder of files too large for the database; several instances must share it. */
  LODGE_BLOBS: z.string().min(1).optional(),
  /** Limit of these files, GiB. */
  LODGE_BLOBS_GIB: z.coerce.number().int().min(1).max(1_000_000).default(100),
  /** An S3 bucket instead of the folder, addressed as `<endpoint>/<bucket>`. */
  LODGE_S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  LODGE_S3_BUCKET: z.string().min(1).optional(),
  LODGE_S3_REGION: z.string().min(1).default('us-east-1'),
  /** Prefix of all object names. */
  LODGE_S3_PREFIX: z.string().default(''),
  LODGE_S3_KEY_ID: z.string().min(1).optional(),
  LODGE_S3_SECRET: z
    .string()
    .min(1)
    .optional()
    .transform((text) => (text ? new Secret(text) : undefined)),
  /** Replaces the captcha provider's address, for installations that reach it through a relay. */
  LODGE_CAPTCHA_URL: z.url({ protocol: /^https$/ }).optional(),
  LODGE_METRICS_TOKEN: z
    .string()
    .min(16)
    .optional()
    .transform((text) => (text ? new Secret(text) : undefined)),
})

/** All variables, with the rules that involve several of them. */
export const Environment = Variables.transform((given) => ({
  ...given,
  LODGE_PORT: given.LODGE_PORT ?? (given.LODGE_DOMAIN ? 80 : 8080),
})).superRefine((given, context) => {
  if ((given.LODGE_TLS_CERT === undefined) !== (given.LODGE_TLS_KEY === undefined))
    context.addIssue({ code: 'custom', path: ['LODGE_TLS_KEY'], message: TLS_FILES })
  const s3 = S3_PARTS.filter((name) => given[name] !== undefined)
  if (s3.length > 0 && s3.length < S3_PARTS.length)
    context.addIssue({ code: 'custom', path: ['LODGE_S3_ENDPOINT'], message: S3_TOGETHER })
  if (given.LODGE_TLS_CERT !== undefined && given.LODGE_DOMAIN !== undefined)
    context.addIssue({ code: 'custom', path: ['LODGE_DOMAIN'], message: ONE_SOURCE })
  if (given.LODGE_APPLICATION_DATABASE_URL && !given.DATABASE_URL)
    context.addIssue({
      code: 'custom',
      path: ['LODGE_APPLICATION_DATABASE_URL'],
      message: NO_OWNER,
    })
})

export type Given = z.output<typeof Environment>
