import { readFile } from 'node:fs/promises'
import path from 'node:path'
import {
  createFileRegistry,
  type DescMessage,
  type FileRegistry,
  fromBinary,
  fromJson,
  type JsonValue,
  toBinary,
  toJson,
} from '@bufbuild/protobuf'
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt'
import {
  type ClientDuplexStream,
  type ClientOptions,
  credentials,
  Metadata,
  makeGenericClientConstructor,
} from '@grpc/grpc-js'
import type { JoinedNode } from './stack.ts'
import { until } from './until.ts'

const RELEASED = path.resolve(import.meta.dirname, '../../proto/released')
const CONNECT = '/lodge.fleet.v1.FleetService/Connect'
/** The task kinds of the first protocol. */
const KNOWN = new Set(['sendCommand', 'readLogs', 'runPreflight'])

type Json = Record<string, unknown>

/** The latest observation of a server, in the released protocol's terms. */
export interface Observed {
  readonly serverId: string
  readonly state: string
  readonly generation: number
  readonly settledGeneration: number
  readonly run: number
  readonly installed: number
}

/**
 * An agent that knows a released minor of the protocol and nothing newer. It is built from the
 * descriptor committed with that minor: it sends only fields of that version, and drops everything
 * newer that it receives.
 */
export class ReleasedAgent implements AsyncDisposable {
  readonly servers = new Map<string, Observed>()
  /** Every message that it understood. */
  readonly heard: Json[] = []
  /** Messages and tasks that contain nothing it knows. */
  readonly strange: Json[] = []
  readonly #minor: number
  readonly #request: DescMessage
  readonly #response: DescMessage
  readonly #registry: FileRegistry
  readonly #node: JoinedNode
  readonly #fleet: { port: number; caCertificate: string }
  #stream: ClientDuplexStream<Buffer, Buffer> | undefined
  #close: (() => void) | undefined
  #observation = 0

  private constructor(
    registry: FileRegistry,
    minor: number,
    fleet: { port: number; caCertificate: string },
    node: JoinedNode,
  ) {
    this.#registry = registry
    this.#minor = minor
    this.#request = messageOf(registry, 'ConnectRequest')
    this.#response = messageOf(registry, 'ConnectResponse')
    this.#fleet = fleet
    this.#node = node
  }

  /** @param image a file of `proto/released`, such as `v1.0.binpb` */
  static async of(
    image: string,
    fleet: { port: number; caCertificate: string },
    node: JoinedNode,
  ): Promise<ReleasedAgent> {
    // A Buf image is a set of file descriptors with additional fields, which are dropped here.
    const set = fromBinary(FileDescriptorSetSchema, await readFile(path.join(RELEASED, image)))
    const minor = Number(/\.(\d+)\.binpb$/.exec(image)?.[1])
    return new ReleasedAgent(createFileRegistry(set), minor, fleet, node)
  }

  /** Connects (again), reports everything it has, and receives all desired states. */
  async connect(): Promise<void> {
    this.#close?.()
    const Client = makeGenericClientConstructor(
      {
        connect: {
          path: CONNECT,
          requestStream: true,
          responseStream: true,
          requestSerialize: (bytes: Buffer) => bytes,
          requestDeserialize: (bytes: Buffer) => bytes,
          responseSerialize: (bytes: Buffer) => bytes,
          responseDeserialize: (bytes: Buffer) => bytes,
        },
      },
      'FleetService',
    )
    const ca = Buffer.from(this.#fleet.caCertificate)
    const client = new Client(`127.0.0.1:${this.#fleet.port}`, credentials.createSsl(ca), OPTIONS)
    const metadata = new Metadata()
    metadata.set('authorization', `Bearer ${this.#node.credential}`)
    metadata.set('x-node-id', this.#node.id)
    const stream: ClientDuplexStream<Buffer, Buffer> = client.connect?.(metadata)
    this.#stream = stream
    this.#close = () => {
      stream.cancel()
      client.close()
    }
    stream.on('error', () => undefined)
    stream.on('data', (bytes: Buffer) => this.#hear(bytes))
    const before = this.#rounds()
    this.say({
      hello: {
        protocolMinor: this.#minor,
        agentVersion: '0.0.9',
        bootId: 'boot',
        drivers: [{ kind: 'docker', healthy: true, version: '28', why: '' }],
        capabilities: ['container', 'container.console', 'container.install', 'container.logs'],
        preflight: [],
        newestReport: 0,
        cpuCores: 4,
        memoryBytes: 8 * 2 ** 30,
        diskBytes: 100 * 2 ** 30,
        clockUnixMs: Date.now(),
      },
    })
    this.say({ inventory: { servers: [...this.servers.values()].map((seen) => this.#told(seen)) } })
    await until(() => this.#rounds() > before)
  }

  /** Sends a message; throws when the released protocol has no such message or field. */
  say(message: Json): void {
    const value = fromJson(this.#request, message as JsonValue, { registry: this.#registry })
    this.#stream?.write(Buffer.from(toBinary(this.#request, value)))
  }

  beat(): void {
    const drivers = [{ kind: 'docker', healthy: true, version: '28', why: '' }]
    this.say({ heartbeat: { sequence: 1, drivers, preflight: [] } })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const stream = this.#stream
    if (!stream) return
    const over = new Promise((resolve) => stream.once('status', resolve))
    this.#close?.()
    await over
  }

  #rounds(): number {
    return this.heard.filter((message) => 'desiredEnd' in message).length
  }

  #hear(bytes: Buffer): void {
    const message = toJson(this.#response, fromBinary(this.#response, bytes), {
      registry: this.#registry,
      alwaysEmitImplicit: true,
    }) as Json
    if (Object.keys(message).length === 0) {
      this.strange.push(message)
      return
    }
    this.heard.push(message)
    if ('desiredServer' in message) this.#desired(message.desiredServer as Json)
    if ('task' in message) this.#task(message.task as Json)
  }

  #desired(desired: Json): void {
    const serverId = String(desired.serverId)
    const generation = Number(desired.generation)
    const [run, installed] = [Number(desired.run), Number(desired.install)]
    const state = desired.removed ? 'absent' : desired.power === 'POWER_ON' ? 'running' : 'stopped'
    const seen = { serverId, state, generation, settledGeneration: generation, run, installed }
    this.servers.set(serverId, seen)
    this.say({ serverObserved: this.#told(seen) })
    if (state === 'absent') this.servers.delete(serverId)
  }

  #told(seen: Observed): Json {
    this.#observation += 1
    return { ...seen, observation: this.#observation, since: new Date().toISOString() }
  }

  #task(task: Json): void {
    const { taskId } = task
    const work = Object.keys(task).find((key) => KNOWN.has(key))
    if (work === undefined) {
      this.strange.push(task)
      const failure = {
        code: 'unsupported',
        detail: 'This agent cannot do that yet: update it',
        retryable: false,
      }
      this.say({ taskResult: { taskId, failure } })
      return
    }
    const done = work === 'readLogs' ? { logs: { lines: ['ready'] } } : {}
    this.say({ taskResult: { taskId, done } })
  }
}

const OPTIONS: ClientOptions = {
  'grpc.ssl_target_name_override': 'lodge',
  'grpc.default_authority': 'lodge',
  'grpc.use_local_subchannel_pool': 1,
}

function messageOf(registry: FileRegistry, name: string): DescMessage {
  const found = registry.getMessage(`lodge.fleet.v1.${name}`)
  if (!found) throw new Error(`the released protocol has no ${name}`)
  return found
}
