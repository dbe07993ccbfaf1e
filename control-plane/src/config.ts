import os from 'node:os'
import path from 'node:path'
import { Environment, type Given, root, Variables } from './environment.ts'
import { Secret } from './secret.ts'

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
    readonly instanceAddress: string | undefined
  }
  /** Undefined if it is switched off. */
  readonly sftp:
    | { readonly host: string; readonly port: number; readonly address: string | undefined }
    | undefined
  /** Undefined if it is switched off. */
  /** DNS resolvers for checking senders of mail; empty for those of the machine. */
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
  /** Whether this instance runs jobs and periodic tasks, and so sends mails, runs schedules and invoices. */
  readonly works: boolean
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
  readonly fence: {
    readonly command: string | undefined
    readonly limitMs: number
    readonly hosts: readonly string[]
  }
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
      instanceAddress: given.LODGE_FLEET_INSTANCE_ADDRESS,
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
    works: given.LODGE_WORK,
    webFolder: path.resolve(given.LODGE_WEB_FOLDER),
    agentFolder: path.resolve(given.LODGE_AGENT_FOLDER),
    masterKey: given.LODGE_MASTER_KEY,
    metricsToken: given.LODGE_METRICS_TOKEN,
    variables,
    captchaUrl: given.LODGE_CAPTCHA_URL,
    channelHosts: given.LODGE_CHANNEL_HOSTS,
    codeHost: given.LODGE_CODE_HOST,
    fence: {
      command: given.LODGE_FENCE_COMMAND,
      limitMs: given.LODGE_FENCE_SECONDS * 1000,
      hosts: given.LODGE_FENCE_HOSTS,
    },
    pluginTrust: { keys: given.LODGE_PLUGIN_KEYS, registry: given.LODGE_PLUGIN_REGISTRY },
    egress: { allowedHosts: given.LODGE_EGRESS_HOSTS, caFile: given.LODGE_EGRESS_CA },
  }
}

/** The panel's address: WEB_ORIGIN, or the domain of the ordered certificate. */
function originOf(given: Given): string | undefined {
  const { WEB_ORIGIN: configured, LODGE_DOMAIN: domain, LODGE_HTTPS_PORT: port } = given
  if (configured) return new URL(configured).origin
  return domain && new URL(`https://${domain}:${port}`).origin
}

function s3Of(given: Given): Config['blobs']['s3'] {
  const { LODGE_S3_ENDPOINT: endpoint, LODGE_S3_BUCKET: bucket, LODGE_S3_SECRET: secret } = given
  const { LODGE_S3_KEY_ID: keyId, LODGE_S3_REGION: region, LODGE_S3_PREFIX: prefix } = given
  if (!endpoint || !bucket || !keyId || !secret) return undefined
  return { endpoint, bucket, region, prefix, keyId, secret }
}

function tlsOf(given: Given): Config['tls'] {
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

/** Environment variables that only a restore reads. */
export const readRestoreVariables = (environment: NodeJS.ProcessEnv = process.env) => ({
  recoveryKey: environment.LODGE_RECOVERY_KEY,
  accessKeyId: environment.AWS_ACCESS_KEY_ID,
  secretAccessKey: environment.AWS_SECRET_ACCESS_KEY,
  region: environment.AWS_DEFAULT_REGION ?? '',
})
