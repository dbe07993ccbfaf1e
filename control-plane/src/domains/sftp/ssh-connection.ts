import { networkOf } from '@lodge/shared/addresses.ts'
import type {
  AuthContext,
  Connection,
  PasswordAuthContext,
  PublicKeyAuthContext,
  ServerChannel,
  Session,
} from 'ssh2'
import { secondsUntilTaken } from '../../http/throttle.ts'
import type { Services } from '../../services.ts'
import { admit } from './admission.ts'
import { sftpBudgets } from './budgets.ts'
import { channelOf } from './channel.ts'
import { type Credential, type Known, knownByKey, knownByPassword } from './credentials.ts'
import { isSignedBy } from './public-key.ts'
import { recordConnection } from './records.ts'
import { touchCredential } from './store.ts'

const LOGIN_MS = 30_000
/** OpenSSH offers every key of its agent, one after the other. */
const MAX_TRIES = 12
const MAX_CHANNELS = 10
const IDLE_MS = 30 * 60_000
const LINGER_MS = 500
const METHODS = ['publickey', 'password'] as const

const ONLY_SFTP =
  'Only files can be reached here, by SFTP: there is no shell. Use sftp, scp or sshfs.\r\n'

/** One SSH connection, from the first byte to the last. */
export class SshConnection {
  readonly #services: Services
  readonly #client: Connection
  readonly #address: string
  readonly #cut: () => void
  readonly #left = new AbortController()
  #known: Known | undefined
  #tries = 0
  #channels = 0
  #movedMs = performance.now()

  constructor(
    services: Services,
    client: Connection,
    { address, cut }: { address: string; cut: () => void },
  ) {
    this.#services = services
    this.#client = client
    this.#address = address
    this.#cut = cut
    const login = setTimeout(() => this.end(), LOGIN_MS).unref()
    client.on('error', (error) => services.log.debug({ err: error }, 'an SFTP connection failed'))
    client.once('close', () => {
      clearTimeout(login)
      this.#left.abort()
    })
    client.on('authentication', (context) => {
      this.#judge(context).catch((error: unknown) => {
        services.log.warn({ err: error }, 'could not judge a sign-in to SFTP')
        context.reject([])
      })
    })
    client.once('ready', () => {
      clearTimeout(login)
      this.#welcome().catch((error: unknown) =>
        services.log.warn({ err: error }, 'could not record an SFTP connection'),
      )
    })
    client.on('session', (accept) => this.#serve(accept()))
  }

  get credential(): Credential | undefined {
    return this.#known?.credential
  }

  /** Whom and where the connection is about: those of one person have the same standing. */
  get person(): string {
    const { user, server } = this.#known?.admitted ?? {}
    return `${user?.id} ${server?.id} ${this.#address}`
  }

  /** The account and the server; undefined before somebody has proven who they are. */
  get about(): { readonly userId: string; readonly serverId: string } | undefined {
    const { user, server } = this.#known?.admitted ?? {}
    return user && server && { userId: user.id, serverId: server.id }
  }

  /** The rights that it was admitted with, as `standing` gives them later. */
  get admittedWith(): string | undefined {
    return this.#known && JSON.stringify(this.#known.admitted.reach)
  }

  /** The rights that it would be admitted with now. */
  async standing(): Promise<string | undefined> {
    const admitted = await this.#admit()
    return admitted && JSON.stringify(admitted.reach)
  }

  end(): void {
    this.#left.abort()
    this.#client.end()
    // A client that does not hang up is not waited for.
    setTimeout(this.#cut, LINGER_MS).unref()
  }

  endIfIdle(): void {
    if (performance.now() - this.#movedMs > IDLE_MS) this.end()
  }

  #admit() {
    if (!this.#known) return undefined
    const { user, server } = this.#known.admitted
    return admit(this.#services, {
      userId: user.id,
      serverId: server.id,
      address: this.#address,
    })
  }

  async #judge(context: AuthContext): Promise<void> {
    if (context.method === 'none') return context.reject([...METHODS])
    this.#tries += 1
    if (this.#tries > MAX_TRIES) {
      await this.#failed()
      return this.end()
    }
    if (context.method === 'password') return this.#judgePassword(context)
    if (context.method === 'publickey') return this.#judgeKey(context)
    context.reject([...METHODS])
  }

  async #judgePassword(context: PasswordAuthContext): Promise<void> {
    const { username: userName, password } = context
    const given = { userName, password, address: this.#address }
    const known = await knownByPassword(this.#services, given)
    if (known) return this.#accept(context, known)
    if (await this.#failed()) context.reject([...METHODS])
  }

  async #judgeKey(context: PublicKeyAuthContext): Promise<void> {
    const { username: userName, key, signature, blob, hashAlgo } = context
    const known = await knownByKey(this.#services, {
      userName,
      blob: key.data,
      address: this.#address,
    })
    if (!known) return context.reject([...METHODS])
    // The client asks whether it is worth signing with this key.
    if (!signature || !blob) return context.accept()
    const proof = { blob, signature, ...(hashAlgo !== undefined && { hashAlgorithm: hashAlgo }) }
    if (isSignedBy(known.credential.line, proof)) return this.#accept(context, known)
    if (await this.#failed()) context.reject([...METHODS])
  }

  #accept(context: AuthContext, known: Known): void {
    this.#known = known
    context.accept()
  }

  /** @returns false if the connection ended over it */
  async #failed(): Promise<boolean> {
    const network = networkOf(this.#address)
    const { db } = this.#services
    const wait = await secondsUntilTaken(db, sftpBudgets.sftpFailure, network)
    if (wait > 0) this.end()
    return wait === 0
  }

  async #welcome(): Promise<void> {
    const known = this.#known
    if (!known) return this.end()
    const { kind, id } = known.credential
    await touchCredential(this.#services.db, kind, id)
    await recordConnection(this.#services, known)
  }

  #serve(session: Session): void {
    session.on('subsystem', (accept, reject, { name }) => {
      if (name !== 'sftp' || this.#channels >= MAX_CHANNELS) return reject()
      this.#channels += 1
      const channel = accept()
      channel.once('close', () => {
        this.#channels -= 1
      })
      void this.#open(channel)
    })
    const refuse = (channel: ServerChannel) => {
      channel.stderr.write(ONLY_SFTP)
      channel.exit(1)
      channel.end()
    }
    session.on('exec', (accept) => refuse(accept()))
    session.on('shell', (accept) => refuse(accept()))
  }

  async #open(channel: ServerChannel): Promise<void> {
    const admitted = await this.#admit()
    if (!admitted) return this.end()
    await channelOf(this.#services, admitted, channel, {
      gone: this.#left.signal,
      withdrawn: () => this.end(),
      moved: () => {
        this.#movedMs = performance.now()
      },
    })
  }
}
