import {
  type ClientDuplexStream,
  credentials,
  Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js'
import {
  type ConnectRequest,
  type ConnectResponse,
  FleetServiceClient,
  type Hello,
  type Welcome,
} from '@lodge/proto/fleet.ts'
import { type Backoff, backoffMs } from '@lodge/shared/backoff.ts'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { Identity } from '../enrollment/identity.ts'
import type { Writer } from './writer.ts'

/** Jittered, so that agents that lost the same control plane do not all reconnect at once. */
export const CONTROL_PLANE_AWAY: Backoff = { leastMs: 400, mostMs: 15_000, spread: 1 }
/**
 * The control plane answers but rejects this node. A removed node is rarely accepted again, so this
 * backs off to ten minutes.
 */
export const NODE_REFUSED: Backoff = { ...CONTROL_PLANE_AWAY, mostMs: 600_000 }

type Stream = ClientDuplexStream<ConnectRequest, ConnectResponse>
type Incoming = Exclude<NonNullable<ConnectResponse['message']>, { $case: 'welcome' }>

export interface LinkOptions {
  readonly identity: Identity
  readonly writer: Writer
  readonly clock: Clock
  readonly log: Logger
  readonly hello: () => Promise<Hello>
  /** Called before anything is written; the writer opens right after it. */
  readonly welcome: (welcome: Welcome) => void
  readonly message: (message: Incoming) => void
  /** @param refused the control plane answers and does not accept this node */
  readonly lost: (refused: boolean) => void
}

const WELCOME_MS = 15_000
const SILENT_BEATS = 4

/** Keeps one stream to the control plane open for as long as the agent runs. */
export class Link {
  readonly #options: LinkOptions
  #tries = 0
  #refused = false
  #stopped = false
  #stream: Stream | null = null
  #cancelTimer: () => void = () => undefined
  #ended: Promise<void> = Promise.resolve()

  constructor(options: LinkOptions) {
    this.#options = options
  }

  start(): void {
    this.#ended = this.#run()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#cancelTimer()
    this.#wake()
    this.#stream?.end()
    this.#stream?.cancel()
    await this.#ended
  }
  #wake: () => void = () => undefined

  async #run(): Promise<void> {
    while (!this.#stopped) {
      await this.#once()
      if (this.#stopped) return
      const delayMs = backoffMs(this.#tries, this.#refused ? NODE_REFUSED : CONTROL_PLANE_AWAY)
      this.#tries += 1
      await new Promise<void>((resolve) => {
        this.#wake = resolve
        this.#cancelTimer = this.#options.clock.after(delayMs, resolve)
      })
    }
  }

  /** Runs one connection from dialing to its end. Never throws. */
  async #once(): Promise<void> {
    const { identity, clock, log, writer } = this.#options
    const tries = this.#tries
    const client = new FleetServiceClient(
      identity.fleetAddress,
      credentials.createSsl(Buffer.from(identity.caCertificate)),
      {
        'grpc.ssl_target_name_override': identity.serverName,
        'grpc.default_authority': identity.serverName,
        // Each attempt gets its own connection, and this class alone decides about retries.
        'grpc.use_local_subchannel_pool': 1,
        'grpc.enable_retries': 0,
        'grpc.enable_http_proxy': 0,
        'grpc.max_receive_message_length': 16 * 1024 * 1024,
      },
    )
    let cancelDeadline = () => {}
    try {
      const hello = await this.#options.hello()
      if (this.#stopped) return
      const metadata = new Metadata()
      metadata.set('authorization', `Bearer ${identity.credential}`)
      metadata.set('x-node-id', identity.nodeId)
      const stream = client.connect(metadata)
      this.#stream = stream
      let silentMs = WELCOME_MS
      // A dead peer may leave the TCP connection open, so silence counts as loss.
      const alive = () => {
        cancelDeadline()
        cancelDeadline = clock.after(silentMs, () => {
          log.warn('the control plane is silent')
          stream.cancel()
        })
      }
      const hear = ({ message }: ConnectResponse) => {
        if (message?.$case === 'welcome') {
          const { value } = message
          const beatMs = (value.heartbeatEvery?.seconds ?? 5) * 1000
          silentMs = Math.max(5_000, beatMs * SILENT_BEATS)
          this.#tries = 0
          this.#refused = false
          log.info({ sessionId: value.sessionId }, 'connected to the control plane')
          this.#options.welcome(value)
          writer.open(
            {
              write: (request) => stream.write(request),
              onDrain: (drained) => stream.on('drain', drained),
            },
            value.reportThrough,
          )
        } else if (message) this.#options.message(message)
      }
      let failed = false
      await new Promise<void>((resolve) => {
        stream.on('data', (response: ConnectResponse) => {
          // What follows may build on it: the end of a list, for example, on all that is on it.
          if (failed) return
          try {
            hear(response)
            alive()
          } catch (error) {
            failed = true
            this.#tries = tries
            const kind = response.message?.$case
            log.error({ err: error, kind }, 'a message of the control plane had no effect')
            stream.cancel()
          }
        })
        stream.on('error', (error: ServiceError) => {
          this.#explain(error)
          resolve()
        })
        stream.on('end', resolve)
        stream.on('status', () => resolve())
        alive()
        stream.write({ message: { $case: 'hello', value: hello } })
      })
    } catch (error) {
      log.warn({ err: error }, 'the stream to the control plane failed')
    } finally {
      cancelDeadline()
      writer.close()
      this.#options.lost(this.#refused)
      this.#stream?.cancel()
      this.#stream = null
      client.close()
    }
  }

  #explain(error: ServiceError): void {
    const { log } = this.#options
    if (this.#stopped) return
    // Only an explicit rejection slows down retries, not a network error.
    this.#refused = error.code === status.UNAUTHENTICATED || error.code === status.PERMISSION_DENIED
    if (this.#refused) {
      log.error(
        { reason: error.details },
        'the control plane does not accept this node: join it again',
      )
    } else
      log.warn({ reason: error.details, code: error.code }, 'no connection to the control plane')
  }
}
