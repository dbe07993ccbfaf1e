import type {
  AuthContext,
  Connection,
  PasswordAuthContext,
  PublicKeyAuthContext,
  ServerChannel,
  Session,
} from 'ssh2'
import type { ChannelEnds } from './channel.ts'
import { isSignedBy } from './keys.ts'

const LOGIN_MS = 30_000
/** OpenSSH offers every key of its agent, one after the other. */
const MAX_TRIES = 12
const MAX_CHANNELS = 10
const IDLE_MS = 30 * 60_000
const LINGER_MS = 500
const METHODS = ['publickey', 'password'] as const

const ONLY_SFTP =
  'Only files can be reached here, by SFTP: there is no shell. Use sftp, scp, rclone or sshfs.\r\n'

/** What somebody signs in with. */
export interface KnownCredential {
  /** The line of a public key; empty for a password. */
  readonly line: string
}

/** Decides who may sign in, and serves their files. */
export interface SftpGate<Known extends { readonly credential: KnownCredential }> {
  byPassword(given: {
    readonly userName: string
    readonly password: string
    readonly address: string
  }): Promise<Known | undefined>
  /** @param given.blob the public key that the client offers; nothing is proven yet */
  byKey(given: {
    readonly userName: string
    readonly blob: Buffer
    readonly address: string
  }): Promise<Known | undefined>
  /** Counts somebody at this address who did not prove who they are. @returns false to hang up */
  failed(address: string): Promise<boolean>
  /** Somebody has signed in. */
  welcome(known: Known, address: string): Promise<void>
  /**
   * Connects a channel to the files, with the rights of now.
   * @returns false if there are none any more
   */
  open(known: Known, address: string, channel: ServerChannel, ends: ChannelEnds): Promise<boolean>
  readonly log: {
    debug(fields: object, message: string): void
    warn(fields: object, message: string): void
  }
}

/** One SSH connection, from the first byte to the last. */
export class SshConnection<Known extends { readonly credential: KnownCredential }> {
  readonly address: string
  readonly #gate: SftpGate<Known>
  readonly #client: Connection
  readonly #cut: () => void
  readonly #left = new AbortController()
  #known: Known | undefined
  #tries = 0
  #channels = 0
  #movedMs = performance.now()

  constructor(
    gate: SftpGate<Known>,
    client: Connection,
    { address, cut }: { address: string; cut: () => void },
  ) {
    this.#gate = gate
    this.#client = client
    this.address = address
    this.#cut = cut
    const { log } = gate
    const login = setTimeout(() => this.end(), LOGIN_MS).unref()
    client.on('error', (error) => log.debug({ err: error }, 'an SFTP connection failed'))
    client.once('close', () => {
      clearTimeout(login)
      this.#left.abort()
    })
    client.on('authentication', (context) => {
      this.#judge(context).catch((error: unknown) => {
        log.warn({ err: error }, 'could not judge a sign-in to SFTP')
        context.reject([])
      })
    })
    client.once('ready', () => {
      clearTimeout(login)
      if (!this.#known) return this.end()
      gate.welcome(this.#known, address).catch((error: unknown) => {
        log.warn({ err: error }, 'could not record an SFTP connection')
      })
    })
    client.on('session', (accept) => this.#serve(accept()))
  }

  /** Who has proven themselves; undefined before that. */
  get known(): Known | undefined {
    return this.#known
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
    const known = await this.#gate.byPassword({ userName, password, address: this.address })
    if (known) return this.#accept(context, known)
    if (await this.#failed()) context.reject([...METHODS])
  }

  async #judgeKey(context: PublicKeyAuthContext): Promise<void> {
    const { username: userName, key, signature, blob, hashAlgo } = context
    const given = { userName, blob: key.data, address: this.address }
    const known = await this.#gate.byKey(given)
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
    const goesOn = await this.#gate.failed(this.address)
    if (!goesOn) this.end()
    return goesOn
  }

  #serve(session: Session): void {
    session.on('subsystem', (accept, reject, { name }) => {
      if (name !== 'sftp' || this.#channels >= MAX_CHANNELS) return reject()
      this.#channels += 1
      const channel = accept()
      channel.once('close', () => {
        this.#channels -= 1
      })
      this.#open(channel).catch((error: unknown) => {
        this.#gate.log.warn({ err: error }, 'could not open SFTP')
        this.end()
      })
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
    const ends: ChannelEnds = {
      gone: this.#left.signal,
      withdrawn: () => this.end(),
      moved: () => {
        this.#movedMs = performance.now()
      },
    }
    const isOpen = this.#known && (await this.#gate.open(this.#known, this.address, channel, ends))
    if (!isOpen) this.end()
  }
}
