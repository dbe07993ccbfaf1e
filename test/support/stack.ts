import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Hello } from '@lodge/proto/fleet.ts'
import type { AdminPermission } from '@lodge/shared/permissions.ts'
import type { CreateServer } from '@lodge/shared/servers.ts'
import { TemplateDocument, type TemplateDocumentInput } from '@lodge/shared/templates/document.ts'
import pino, { type Logger } from 'pino'
import { type ControlPlane, startControlPlane } from '../../control-plane/src/compose.ts'
import { readConfig } from '../../control-plane/src/config.ts'
import type { Domain } from '../../control-plane/src/domain.ts'
import { Caller } from './caller.ts'
import { type FreshDatabase, preparedDatabase } from './database.ts'
import { insertPerson, insertSession } from './people.ts'
import { StandInAgent } from './stand-in-agent.ts'

/** Address of the panel as the tests' browsers name it. */
export const ORIGIN = 'https://panel.test'

export interface LodgeOptions {
  /** Additional settings, as environment variables. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Its logger; silent unless a level is set in the environment. */
  readonly log?: Logger
  /** The domains to compose, instead of all. */
  readonly modules?: readonly Domain[]
  /** Its database, instead of a fresh one. */
  readonly database?: FreshDatabase
  /** Shares the database and the data folder of another one. */
  readonly beside?: Lodge
}

export interface JoinedNode {
  readonly id: string
  readonly credential: string
}

export const PASSWORD = 'a long enough password'

/** A complete Lodge in this process: own database, own data folder, real HTTP and real gRPC. */
export class Lodge implements AsyncDisposable {
  readonly controlPlane: ControlPlane
  readonly database: FreshDatabase
  readonly dataFolder: string
  /** Address of the panel as its callers name it. */
  readonly origin: string
  readonly #owns: boolean
  readonly #agents: StandInAgent[] = []
  #admin: Promise<Caller> | undefined
  #count = 0

  constructor(given: {
    controlPlane: ControlPlane
    database: FreshDatabase
    dataFolder: string
    origin: string
    owns: boolean
  }) {
    this.controlPlane = given.controlPlane
    this.database = given.database
    this.dataFolder = given.dataFolder
    this.origin = given.origin
    this.#owns = given.owns
  }

  get url(): string {
    return `http://127.0.0.1:${this.controlPlane.port}`
  }

  /** Somebody without a session, with their own address. */
  anonymous(given: { cookie?: string; address?: string } = {}): Caller {
    return new Caller(this.controlPlane.app, { origin: this.origin, ...given })
  }

  /** The first administrator, created through the API. */
  admin(): Promise<Caller> {
    this.#admin ??= this.#bootstrap()
    return this.#admin
  }

  async #bootstrap(): Promise<Caller> {
    const caller = this.anonymous()
    const body = { email: 'root@example.com', password: PASSWORD }
    const { id } = await caller.must('POST /api/auth/bootstrap', { body })
    return caller.named(id, body.email)
  }

  /** An administrator with exactly these permissions. */
  limitedAdmin(permissions: readonly AdminPermission[]): Promise<Caller> {
    return this.#person('admin', permissions)
  }

  customer(): Promise<Caller> {
    return this.#person('customer', [])
  }

  async #person(
    role: 'admin' | 'customer',
    permissions: readonly AdminPermission[],
  ): Promise<Caller> {
    const local = `${role}-${++this.#count}`
    const { id, email } = await insertPerson(this.database.pool, { local, role, permissions })
    return this.session(id, email)
  }

  /** A fresh session of a person, without the cost of hashing a password. */
  async session(userId: string, email = ''): Promise<Caller> {
    const cookie = await insertSession(this.database.pool, userId)
    return this.anonymous({ cookie }).named(userId, email)
  }

  /** The template for servers of the tests; it needs one port. */
  async template(
    given: Partial<TemplateDocumentInput> = {},
    visible = true,
  ): Promise<{ id: string }> {
    const document = TemplateDocument.parse({ ...DOCUMENT, ...given })
    const id = randomUUID()
    await this.database.pool.query(
      `insert into templates (id, name, description, origin, version, document, customer_visible)
       values ($1, $2, '', 'custom', 1, $3, $4)`,
      [id, document.name, document, visible],
    )
    await this.database.pool.query(
      'insert into template_versions (template_id, version, document) values ($1, 1, $2)',
      [id, document],
    )
    return { id }
  }

  /**
   * A connected node, so that servers can be placed on it. Its agent does nothing until `standIn`
   * or a real one replaces it.
   */
  async node(given: Partial<typeof NODE> = {}): Promise<JoinedNode> {
    const node = await this.joinedNode(given)
    const { port, caCertificate } = this.controlPlane.services.fleet
    const idle = new StandInAgent({ port, caCertificate }, node)
    idle.working = false
    this.#agents.push(idle)
    await idle.connect()
    return node
  }

  /**
   * From now on its nodes count as online, however long it takes until what their agents say is
   * read: on a slow machine that waits for its turn, too.
   */
  async keepNodesOnline(): Promise<void> {
    await this.database.pool.query(`update nodes set last_seen_at = now() + interval '1 hour'`)
  }

  /** A node that has joined; its agent is not connected yet. */
  async joinedNode(given: Partial<typeof NODE> = {}): Promise<JoinedNode> {
    const admin = await this.admin()
    const name = `node ${++this.#count} ${randomUUID().slice(0, 8)}`
    const { id } = await admin.must('POST /api/nodes', { body: { ...NODE, name, ...given } })
    return this.joinAgain(id)
  }

  /** Joins a node again: its earlier credential becomes invalid. */
  async joinAgain(id: string): Promise<JoinedNode> {
    const admin = await this.admin()
    const { token } = await admin.must('POST /api/nodes/{id}/enrollment', { params: { id } })
    const { t } = JSON.parse(
      Buffer.from(token.slice('lodge1.'.length), 'base64url').toString(),
    ) as { t: string }
    const { credential } = await this.anonymous().must('POST /api/agent/enroll', {
      body: { token: t, agentVersion: '0.1.0' },
    })
    return { id, credential }
  }

  /** A server created by the administrator. @returns its id, before the node has received it */
  async server(
    given: Omit<CreateServer, 'name'> & Partial<Pick<CreateServer, 'name'>>,
  ): Promise<string> {
    const admin = await this.admin()
    const { serverId } = await admin.must('POST /api/servers', { body: { name: 'One', ...given } })
    return serverId
  }

  /** A connected agent that applies desired states, as fast or slow as configured. */
  async standIn(node: JoinedNode, hello: Partial<Hello> = {}): Promise<StandInAgent> {
    const { port, caCertificate } = this.controlPlane.services.fleet
    const agent = new StandInAgent({ port, caCertificate }, node)
    agent.hello = hello
    this.#agents.push(agent)
    await agent.connect()
    return agent
  }

  /** Another equal control plane on the same database. */
  beside(): Promise<Lodge> {
    return startLodge({ beside: this })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const agent of this.#agents) agent.close()
    await this.controlPlane.stop()
    if (!this.#owns) return
    await this.database.drop()
    await rm(this.dataFolder, { recursive: true, force: true })
  }
}

export async function startLodge(options: LodgeOptions = {}): Promise<Lodge> {
  const { beside } = options
  const database = options.database ?? beside?.database ?? (await preparedDatabase())
  const dataFolder = beside?.dataFolder ?? (await mkdtemp(path.join(os.tmpdir(), 'lodge-test-')))
  const origin = options.environment?.WEB_ORIGIN ?? beside?.origin ?? ORIGIN
  const config = readConfig({
    LODGE_DATA: dataFolder,
    LODGE_HOST: '127.0.0.1',
    LODGE_PORT: '0',
    LODGE_FLEET_HOST: '127.0.0.1',
    LODGE_FLEET_PORT: '0',
    LODGE_LOCAL_NODE: 'false',
    LODGE_SFTP: 'false',
    LODGE_SFTP_HOST: '127.0.0.1',
    LODGE_SFTP_PORT: '0',
    // An administrator in a test does within seconds what a person does within days.
    LODGE_CHANGE_BURST: '1000000',
    // Each costs PostgreSQL some 5 ms, and a test rarely needs more at once.
    LODGE_DATABASE_CONNECTIONS: '5',
    WEB_ORIGIN: origin,
    DATABASE_URL: database.url,
    LODGE_APPLICATION_DATABASE_URL: database.application.url,
    ...options.environment,
  })
  const log = options.log ?? pino({ level: process.env.LODGE_LOG_LEVEL ?? 'silent' })
  const controlPlane = await startControlPlane(config, log, options.modules)
  return new Lodge({ controlPlane, database, dataFolder, origin, owns: beside === undefined })
}

const NODE = {
  name: 'node',
  location: 'Here',
  memoryMb: 65_536,
  cpuPercent: 6400,
  diskMb: 1_000_000,
  headroomMb: 0,
  portRanges: [{ from: 25_000, to: 29_999 }],
}

/** The default template of the tests. */
export const DOCUMENT: TemplateDocumentInput = {
  format: 'lodge/v1',
  name: 'Echo',
  kind: 'container',
  runtime: {
    images: [{ name: 'default', source: { kind: 'registry', reference: 'example/echo:1' } }],
    startup: { kind: 'argv', command: ['/bin/echo', '{{GREETING}}'] },
    dataPath: '/data',
    proofOfLife: { stayUpSeconds: 1 },
    stop: [{ kind: 'signal', signal: 'SIGTERM', timeoutSeconds: 5 }],
    limits: { memoryMb: 64, cpuPercent: 10, diskMb: 64 },
  },
  variables: [
    { name: 'Greeting', env: 'GREETING', default: 'hello' },
    { name: 'Hidden', env: 'HIDDEN', default: 'hidden', userViewable: false, userEditable: false },
  ],
}
