import http2 from 'node:http2'
import net from 'node:net'
import tls from 'node:tls'
import { ConnectRequest, ConnectResponse } from '@lodge/proto/fleet.ts'
import { NODE_CREDENTIAL } from '../stage/fleet-rows.ts'

export interface AgentSeed {
  readonly nodeId: string
  readonly serverIds: readonly string[]
}

type Said = NonNullable<ConnectRequest['message']>

/** What the agents of one process have received in total. */
export interface Heard {
  welcomed: number
  /** All desired states have arrived. */
  synced: number
  beatAcks: number
  reportAcks: number
  desiredStates: number
  lost: number
}

/**
 * An agent's side of the real protocol, TLS and HTTP/2 framing included, cheap enough that
 * thousands fit into one process.
 */
export class SimulatedAgent {
  readonly #seed: AgentSeed
  readonly #at: { port: number; ca: string; localAddress: string }
  readonly #heard: Heard
  readonly #over: () => void
  #session: http2.ClientHttp2Session | undefined
  #stream: http2.ClientHttp2Stream | undefined
  #got: Buffer = Buffer.alloc(0)
  #beat = 0
  #report = 0
  #synced = false

  constructor(
    seed: AgentSeed,
    at: { port: number; ca: string; localAddress: string },
    heard: Heard,
    over: () => void,
  ) {
    this.#seed = seed
    this.#at = at
    this.#heard = heard
    this.#over = over
  }

  get synced(): boolean {
    return this.#synced
  }

  /**
   * Connects and says hello; resolves when every desired state has arrived, rejects when the
   * connection is lost.
   */
  connect(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const { port, ca, localAddress } = this.#at
    const socket = tls.connect({
      socket: net.connect({ host: '127.0.0.1', port, localAddress }),
      ca,
      servername: 'lodge',
      ALPNProtocols: ['h2'],
    })
    const session = http2.connect('https://lodge', { createConnection: () => socket })
    const stream = session.request({
      ':method': 'POST',
      ':path': '/lodge.fleet.v1.FleetService/Connect',
      'content-type': 'application/grpc',
      te: 'trailers',
      authorization: `Bearer ${NODE_CREDENTIAL}`,
      'x-node-id': this.#seed.nodeId,
    })
    this.#session = session
    this.#stream = stream
    this.#got = Buffer.alloc(0)
    let lost = false
    const lose = () => {
      if (lost) return
      lost = true
      session.destroy()
      if (this.#synced) this.#heard.lost += 1
      this.#synced = false
      reject(new Error('the line was lost'))
      this.#over()
    }
    session.on('error', lose)
    session.on('close', lose)
    stream.on('error', lose)
    stream.on('close', lose)
    stream.on('end', lose)
    stream.on('data', (chunk: Buffer) => this.#take(chunk, resolve))
    this.#say({ $case: 'hello', value: HELLO(this.#report) })
    this.#say({ $case: 'inventory', value: { servers: this.#inventory() } })
    return promise
  }

  #inventory() {
    return this.#seed.serverIds.map((serverId) => ({
      serverId,
      observation: 1,
      state: 'running',
      since: new Date(),
      generation: 1,
      settledGeneration: 1,
      run: 1,
      installed: 1,
      restartRequired: false,
      diskLimit: '',
      installFailed: false,
    }))
  }

  /** One heartbeat and, with samples, one report for every server and for the machine. */
  beat(samples: boolean): void {
    if (!this.#synced) return
    this.#beat += 1
    this.#say({
      $case: 'heartbeat',
      value: { sequence: this.#beat, drivers: [], preflight: [] },
    })
    if (!samples) return
    this.#report += 1
    const at = new Date()
    this.#say({
      $case: 'report',
      value: {
        sequence: this.#report,
        content: {
          $case: 'metrics',
          value: {
            servers: this.#seed.serverIds.map((serverId) => ({
              serverId,
              at,
              cpuPercent: 12.5 + (this.#beat % 50),
              memoryBytes: 300_000_000 + this.#beat * 4096,
              networkRxBytesPerSecond: 1234.5,
              networkTxBytesPerSecond: 2345.25,
              diskBytes: 1_000_000_000,
            })),
            nodes: [{ at, ...MACHINE }],
          },
        },
      },
    })
  }

  close(): void {
    this.#session?.destroy()
  }

  #say(message: Said): void {
    const body = ConnectRequest.encode({ message }).finish()
    const frame = Buffer.alloc(5 + body.length)
    frame.writeUInt32BE(body.length, 1)
    frame.set(body, 5)
    this.#stream?.write(frame)
  }

  #take(chunk: Buffer, synced: () => void): void {
    this.#got = this.#got.length === 0 ? chunk : Buffer.concat([this.#got, chunk])
    while (this.#got.length >= 5) {
      const length = this.#got.readUInt32BE(1)
      if (this.#got.length < 5 + length) return
      const { message } = ConnectResponse.decode(this.#got.subarray(5, 5 + length))
      this.#got = this.#got.subarray(5 + length)
      const heard = this.#heard
      if (message?.$case === 'welcome') {
        heard.welcomed += 1
        this.#report = Math.max(this.#report, message.value.reportThrough)
      } else if (message?.$case === 'desiredEnd') {
        if (!this.#synced) heard.synced += 1
        this.#synced = true
        synced()
      } else if (message?.$case === 'heartbeatAck') heard.beatAcks += 1
      else if (message?.$case === 'reportAck') heard.reportAcks += 1
      else if (message?.$case === 'desiredServer') heard.desiredStates += 1
    }
  }
}

const MACHINE = {
  cpuPercent: 40,
  memoryUsedBytes: 4e9,
  memoryTotalBytes: 16e9,
  diskUsedBytes: 1e11,
  diskTotalBytes: 5e11,
  cpuCores: 8,
}

const HELLO = (newestReport: number) => ({
  protocolMinor: 1,
  agentVersion: '0.1.0',
  bootId: 'bench',
  drivers: [{ kind: 'docker', healthy: true, version: '28', why: '', warnings: [] }],
  capabilities: [],
  preflight: [],
  newestReport,
  cpuCores: 8,
  memoryBytes: 16e9,
  diskBytes: 5e11,
  clockUnixMs: Date.now(),
})
