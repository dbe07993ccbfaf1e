import type { EgressPolicy } from '@lodge/shared/egress/egress.ts'
import type { NameLookup } from '@lodge/shared/egress/lookups.ts'
import type { Logger } from 'pino'
import type { User } from './actor.ts'
import type { AuditHead } from './audit/head.ts'
import type { Blobs } from './blobs/blobs.ts'
import type { Catalogue } from './catalogue.ts'
import type { Variable } from './config.ts'
import type { Db } from './db/database.ts'
import type { EventBus } from './events/event-bus.ts'
import type { Fleet } from './fleet/fleet.ts'
import type { AddressGuard } from './http/address-guard.ts'
import type { JobQueue } from './jobs/queue.ts'
import type { LiveEvents } from './live/live-events.ts'
import type { PluginProcesses } from './plugins/processes.ts'
import type { Secret } from './secret.ts'
import type { Vault } from './secrets/vault.ts'
import type { Storage } from './storage.ts'

/** Calls the API within this process, as somebody. */
export type OwnApi = (
  actor: User,
  request: {
    readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
    readonly path: string
    readonly body?: unknown
    readonly key?: string | undefined
  },
) => Promise<{ readonly status: number; readonly text: string }>

/** Process-wide services available to rules. */
export interface Services {
  readonly db: Db
  /**
   * Connections for the heartbeats of nodes, so that they wait behind no request: nodes whose
   * heartbeats are late lose their leases, and their servers with them.
   */
  readonly heartbeatDb: Db
  readonly fleet: Fleet
  readonly jobs: JobQueue
  readonly live: LiveEvents
  readonly vault: Vault
  /** The head of the audit log, kept outside the database. */
  readonly auditHead: AuditHead
  /** Use `Ctx.emit`, which passes the context to listeners. */
  readonly events: EventBus<never>
  readonly catalogue: Catalogue
  readonly guard: AddressGuard
  /** Destinations beyond the public internet that egress may reach. */
  readonly egress: EgressPolicy
  /** Records of domain names. */
  readonly names: NameLookup
  /** `host:port` beyond the public internet that notification channels may reach. */
  readonly channelHosts: readonly string[]
  /** Address of GitHub or a GitHub Enterprise server, without a slash at the end. */
  readonly codeHost: string
  /** What switches nodes off. */
  readonly fence: {
    /** A program of the operator's. */
    readonly command: string | undefined
    /** How long each call of it may take. */
    readonly limitMs: number
    /** `host:port` that a plugin may reach for it. */
    readonly hosts: readonly string[]
  }
  /** The processes of plugins on this instance. */
  readonly plugins: PluginProcesses
  /** The API as plugins call it; `start/web.ts` fills it in. */
  readonly ownApi: { call: OwnApi | undefined }
  /** Whom the operator trusts with plugins. */
  readonly pluginTrust: {
    /** Ed25519 public keys in base64. */
    readonly keys: readonly string[]
    /** Address or path of the index of a registry. */
    readonly registry: string | undefined
  }
  /** Where the agent that nodes download is. */
  readonly agentFolder: string
  /** Files too large for the database. */
  readonly blobs: Blobs
  /** Folder and size limit of media. */
  readonly media: { readonly folder: string; readonly limitBytes: number }
  /** What this instance has outside the database, for its backup. */
  readonly places: {
    readonly dataFolder: string
    /** Folder of blobs; null if they are in a bucket. */
    readonly blobs: string | null
    readonly media: string
    /** The key from the environment, if it is not in the data folder. */
    readonly masterKey: Secret | undefined
    /** PEM file of private authorities. */
    readonly authorities: string | undefined
    readonly variables: readonly Variable[]
  }
  /** Environment variables; fixed while the process runs. */
  readonly variables: readonly Variable[]
  /** What a captcha response must match; undefined if not configured. */
  readonly captcha: {
    /** Replaces the provider's address. */
    readonly address: string | undefined
    /** Host of the page it was solved on. */
    readonly hostname: string | undefined
  }
  /** Where people reach the files of their servers by SFTP; `start/sftp.ts` fills it in. */
  readonly sftp: {
    /** Null: the host of the panel's own address. */
    host: string | null
    /** Null while the entrance is closed. */
    port: number | null
  }
  /** Where the panel receives mail for the support desk; `start/inbound-smtp.ts` fills it in. */
  readonly smtp: {
    /** Null while it does not. */
    port: number | null
  }
  /** The disk that holds this instance's data. */
  readonly storage: Storage
  /**
   * Why the application has more database rights than it needs, for operators; undefined if it has
   * not.
   */
  readonly databaseConcern: string | undefined
  /** Whether this instance does jobs and periodic tasks. */
  readonly works: boolean
  /** The panel's address without a trailing slash; all links are built from it. */
  readonly panelUrl: string
  readonly log: Logger
}
