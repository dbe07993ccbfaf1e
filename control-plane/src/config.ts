import os from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { listOf, networkAddress, resolverAddress } from './address-lists.ts'
import { httpBudgets } from './http/budgets.ts'

/** A value that logs and errors never reveal. */
export class Secret {
  readonly #value: string
  constructor(value: string) {
    this.#value = value
  }
  reveal(): string {
    return this.#value
  }
  toString(): string {
    return '[redacted]'
  }
  toJSON(): string {
    return '[redacted]'
  }
}

const port = z.coerce.number().int().min(0).max(65535)
const flag = z.enum(['true', 'false']).transform((text) => text === 'true')
const root = path.resolve(import.meta.dirname, '../..')

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

const Variables = z.object({
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
  LODGE_SFTP: flag.default(true),
  LODGE_SFTP_HOST: z.string().default('0.0.0.0'),
  LODGE_SFTP_PORT: port.default(2022),
  /** host or host:port that people are shown for SFTP; defaults to the panel's host and the port. */
  LODGE_SFTP_ADDRESS: z
    .string()
    .regex(/^([\w.-]+|\[[\da-f:]+\])(:\d{1,5})?$/i, 'must be a host or host:port')
    .optional(),
  /** Whether the panel itself receives mail for the support desk by SMTP. */
  LODGE_INBOUND_SMTP: flag.default(false),
  LODGE_INBOUND_SMTP_HOST: z.string().default('0.0.0.0'),
  LODGE_INBOUND_SMTP_PORT: port.default(25),
  /** Mail servers before ours, whose word counts for who handed a mail to them. */
  LODGE_INBOUND_TRUSTED_RELAYS: listOf(networkAddress),
  /** Comma-separated addresses of DNS resolvers that are asked about senders of mail. */
  LODGE_INBOUND_DNS: listOf(resolverAddress),
  /** host:port that agents dial; defaults to this machine's name and the fleet port. */
  LODGE_FLEET_ADDRESS: z.string().optional(),
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
  LODGE_LOCAL_NODE: flag.default(true),
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

const Environment = Variables.transform((given) => ({
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

/** An environment variable that Lodge reads. */
export interface Variable {
  readonly name: string
  /** The effective value; null if there is none or it is secret. */
  readonly value: string | null
  readonly isGiven: boolean
}

export interface Config {
  readonly dataFolder: string
  readonly http: {
    readonly host: string
    readonly port: number
    /** HTTPS port, served if `tls` is set. */
    readonly tlsPort: number
    readonly origin: string | undefined
  }
  /** Source of the panel's certificate; undefined for plain HTTP only. */
  readonly tls:
    | { readonly kind: 'files'; readonly certificate: string; readonly key: string }
    | {
        readonly kind: 'acme'
        readonly domain: string
        readonly directory: string
        readonly email: string | undefined
      }
    | undefined
  readonly fleet: {
    readonly host: string
    readonly port: number
    readonly address: string | undefined
  }
  /** Undefined if it is switched off. */
  readonly sftp:
    | { readonly host: string; readonly port: number; readonly address: string | undefined }
    | undefined
  /** Undefined if it is switched off. */
  /** Resolvers that are asked about senders of mail; empty: those of the machine. */
  readonly inboundDns: readonly string[]
  readonly inboundSmtp:
    | { readonly host: string; readonly port: number; readonly relays: readonly string[] }
    | undefined
  /** Connects as the owner of the tables; undefined for the embedded database. */
  readonly databaseUrl: Secret | undefined
  readonly applicationDatabaseUrl: Secret | undefined
  readonly databaseConnections: number
  readonly trustedProxies: readonly string[]
  /** Burst of changes per account. */
  readonly changeBurst: number
  readonly ignoreAddressList: boolean
  readonly logLevel: string
  readonly localNode: boolean
  readonly webFolder: string
  readonly agentFolder: string
  readonly masterKey: Secret | undefined
  readonly metricsToken: Secret | undefined
  /** Every variable, for the operator's view. */
  readonly variables: readonly Variable[]
  readonly captchaUrl: string | undefined
  readonly media: { readonly folder: string; readonly limitBytes: number }
  readonly blobs: {
    readonly folder: string
    readonly limitBytes: number
    /** A bucket instead of the folder, which then holds only incomplete uploads. */
    readonly s3:
      | {
          readonly endpoint: string
          readonly bucket: string
          readonly region: string
          readonly prefix: string
          readonly keyId: string
          readonly secret: Secret
        }
      | undefined
  }
  /** Hosts beyond the public internet that notification channels may reach. */
  readonly channelHosts: readonly string[]
  readonly codeHost: string
  /** What switches nodes off. */
  readonly fence: { readonly command: string | undefined; readonly limitMs: number }
  readonly pluginTrust: {
    readonly keys: readonly string[]
    readonly registry: string | undefined
  }
  readonly egress: { readonly allowedHosts: readonly string[]; readonly caFile: string | undefined }
}

/** Reads the whole configuration once and reports all errors together. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  const parsed = Environment.safeParse(environment)
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
    throw new Error(`The configuration is not valid:\n${faults.join('\n')}`)
  }
  const given = parsed.data
  const held = new Map<string, unknown>(Object.entries(given))
  const variables = Object.keys(Variables.shape).map((name) => {
    const value = held.get(name)
    const shown = value instanceof Secret ? '' : String(value ?? '')
    return { name, value: shown || null, isGiven: (environment[name] ?? '') !== '' }
  })
  const isRoot = os.userInfo().uid === 0
  const dataFolder = path.resolve(
    given.LODGE_DATA ?? (isRoot ? '/var/lib/lodge' : path.join(root, 'var')),
  )
  return {
    dataFolder,
    media: {
      folder: path.resolve(given.LODGE_MEDIA ?? path.join(dataFolder, 'media')),
      limitBytes: given.LODGE_MEDIA_GIB * 1024 ** 3,
    },
    blobs: {
      folder: path.resolve(given.LODGE_BLOBS ?? path.join(dataFolder, 'blobs')),
      limitBytes: given.LODGE_BLOBS_GIB * 1024 ** 3,
      s3: s3Of(given),
    },
    http: {
      host: given.LODGE_HOST,
      port: given.LODGE_PORT,
      tlsPort: given.LODGE_HTTPS_PORT,
      origin: originOf(given),
    },
    tls: tlsOf(given),
    fleet: {
      host: given.LODGE_FLEET_HOST,
      port: given.LODGE_FLEET_PORT,
      address: given.LODGE_FLEET_ADDRESS,
    },
    sftp: given.LODGE_SFTP
      ? {
          host: given.LODGE_SFTP_HOST,
          port: given.LODGE_SFTP_PORT,
          address: given.LODGE_SFTP_ADDRESS,
        }
      : undefined,
    inboundSmtp: given.LODGE_INBOUND_SMTP
      ? {
          host: given.LODGE_INBOUND_SMTP_HOST,
          port: given.LODGE_INBOUND_SMTP_PORT,
          relays: given.LODGE_INBOUND_TRUSTED_RELAYS,
        }
      : undefined,
    inboundDns: given.LODGE_INBOUND_DNS,
    databaseUrl: given.DATABASE_URL,
    applicationDatabaseUrl: given.LODGE_APPLICATION_DATABASE_URL,
    databaseConnections: given.LODGE_DATABASE_CONNECTIONS,
    trustedProxies: given.LODGE_TRUSTED_PROXIES,
    changeBurst: given.LODGE_CHANGE_BURST,
    ignoreAddressList: given.LODGE_ADMIN_ADDRESSES === 'any',
    logLevel: given.LODGE_LOG_LEVEL,
    localNode: given.LODGE_LOCAL_NODE,
    webFolder: path.resolve(given.LODGE_WEB_FOLDER),
    agentFolder: path.resolve(given.LODGE_AGENT_FOLDER),
    masterKey: given.LODGE_MASTER_KEY,
    metricsToken: given.LODGE_METRICS_TOKEN,
    variables,
    captchaUrl: given.LODGE_CAPTCHA_URL,
    channelHosts: given.LODGE_CHANNEL_HOSTS,
    codeHost: given.LODGE_CODE_HOST,
    fence: { command: given.LODGE_FENCE_COMMAND, limitMs: given.LODGE_FENCE_SECONDS * 1000 },
    pluginTrust: { keys: given.LODGE_PLUGIN_KEYS, registry: given.LODGE_PLUGIN_REGISTRY },
    egress: { allowedHosts: given.LODGE_EGRESS_HOSTS, caFile: given.LODGE_EGRESS_CA },
  }
}

/** The panel's address: WEB_ORIGIN, or the domain of the ordered certificate. */
function originOf(given: z.output<typeof Environment>): string | undefined {
  const { WEB_ORIGIN: configured, LODGE_DOMAIN: domain, LODGE_HTTPS_PORT: port } = given
  if (configured) return new URL(configured).origin
  return domain && new URL(`https://${domain}:${port}`).origin
}

function s3Of(given: z.output<typeof Environment>): Config['blobs']['s3'] {
  const { LODGE_S3_ENDPOINT: endpoint, LODGE_S3_BUCKET: bucket, LODGE_S3_SECRET: secret } = given
  const { LODGE_S3_KEY_ID: keyId, LODGE_S3_REGION: region, LODGE_S3_PREFIX: prefix } = given
  if (!endpoint || !bucket || !keyId || !secret) return undefined
  return { endpoint, bucket, region, prefix, keyId, secret }
}

function tlsOf(given: z.output<typeof Environment>): Config['tls'] {
  const { LODGE_TLS_CERT: certificate, LODGE_TLS_KEY: key, LODGE_DOMAIN: domain } = given
  if (certificate !== undefined && key !== undefined)
    return { kind: 'files', certificate: path.resolve(certificate), key: path.resolve(key) }
  if (domain === undefined) return undefined
  const { LODGE_ACME_DIRECTORY: directory, LODGE_ACME_EMAIL: email } = given
  return { kind: 'acme', domain, directory, email }
}

/** What an instance has outside its database. */
export const placesOf = (config: Config) => ({
  dataFolder: config.dataFolder,
  blobs: config.blobs.s3 ? null : config.blobs.folder,
  media: config.media.folder,
  masterKey: config.masterKey,
  authorities: config.egress.caFile,
  variables: config.variables,
})

/** What a restore is told by the environment, besides the configuration. */
export const readRestoreVariables = (environment: NodeJS.ProcessEnv = process.env) => ({
  recoveryKey: environment.LODGE_RECOVERY_KEY,
  accessKeyId: environment.AWS_ACCESS_KEY_ID,
  secretAccessKey: environment.AWS_SECRET_ACCESS_KEY,
  region: environment.AWS_DEFAULT_REGION ?? '',
})
