import type { ConnectResponse } from '@lodge/proto/fleet.ts'
import type { DesiredServer } from '@lodge/proto/server.ts'
import {
  asking,
  granted,
  leftMs,
  mayConfirm,
  type NodeLease,
  noLease,
  rejoined,
  welcomed,
} from '@lodge/shared/leases/node-lease.ts'
import { HOLDS_LEASES } from '@lodge/shared/node-abilities.ts'
import { HELLO, TestAgent } from '../../control-plane/src/fleet/fleet.fixture.ts'
import type { JoinedNode, Lodge } from './stack.ts'

const HEARTBEAT_MS = 200

/**
 * An agent that holds leases, as seen on the wire: it has the real lease, and guards what it is told
 * to. When cut off, it neither receives nor sends anything.
 */
export class LeaseAgent implements AsyncDisposable {
  lease: NodeLease = noLease(0)
  /** Guarded servers that run. */
  readonly running = new Set<string>()
  readonly desired = new Map<string, DesiredServer>()
  /** The work on former copies that it was given. */
  readonly copyWork: string[] = []
  isCutOff = false
  line: TestAgent | undefined
  readonly #lodge: Lodge
  readonly #node: JoinedNode
  readonly #beating: NodeJS.Timeout
  #sequence = 0
  #observation = 1_000_000

  constructor(lodge: Lodge, node: JoinedNode) {
    this.#lodge = lodge
    this.#node = node
    this.#beating = setInterval(() => this.#beat(), HEARTBEAT_MS)
  }

  /** @param tells whether it reports its inventory, or is lost before that */
  connect(capabilities: readonly string[] = [HOLDS_LEASES], tells = true): TestAgent {
    this.isCutOff = false
    const line = new TestAgent(this.#lodge.controlPlane.services.fleet, this.#node.id, {
      credential: this.#node.credential,
    })
    this.line = line
    line.stream.on('data', ({ message }: ConnectResponse) => {
      if (message && !this.isCutOff && this.line === line) this.#hear(message)
    })
    line.hello({ ...HELLO, capabilities: [...capabilities], clockUnixMs: Date.now() })
    if (tells)
      line.say({ $case: 'inventory', value: { servers: [...this.desired.keys()].map(this.#seen) } })
    return line
  }

  /**
   * The rest of its lease by its own clock; at zero or less everything guarded is dead, because the
   * guard works.
   */
  get leftMs(): number {
    return leftMs(this.lease, performance.now())
  }

  prove(running: readonly string[]): void {
    const value = { nodeEpoch: this.lease.epoch, running: [...running] }
    this.line?.say({ $case: 'fenceProof', value })
  }

  #beat(): void {
    if (this.leftMs <= 0) this.running.clear()
    if (this.isCutOff || !this.line) return
    const sequence = ++this.#sequence
    // It also renews while it is fenced: the control plane must refuse.
    this.lease = asking(this.lease, sequence, performance.now())
    const value = { sequence, drivers: [], preflight: [], leaseWanted: true }
    this.line.say({ $case: 'heartbeat', value })
  }

  #hear(message: NonNullable<ConnectResponse['message']>): void {
    const now = performance.now()
    switch (message.$case) {
      case 'welcome': {
        const { nodeEpoch: epoch, fenced } = message.value
        this.lease = welcomed(this.lease, { epoch, fenced }, now)
        break
      }
      case 'heartbeatAck': {
        const { sequence, nodeEpoch: epoch, leaseTtl } = message.value
        const ttlMs = leaseTtl && leaseTtl.seconds * 1000 + leaseTtl.nanos / 1e6
        this.lease = granted(this.lease, { sequence, epoch, ttlMs })
        this.#confirmAll()
        break
      }
      case 'rejoined':
        this.lease = rejoined(this.lease, message.value.nodeEpoch)
        break
      case 'desiredServer':
        this.desired.set(message.value.serverId, message.value)
        this.#confirmAll()
        break
      case 'task':
        this.#do(message.value.taskId, message.value.work)
    }
  }

  #do(taskId: string, work: { $case: string; value: unknown } | undefined): void {
    if (work?.$case !== 'backupWork') return
    this.copyWork.push(
      String((JSON.parse((work.value as { document: string }).document) as { do: string }).do),
    )
    const outcome = { $case: 'done' as const, value: { output: undefined } }
    this.line?.say({ $case: 'taskResult', value: { taskId, outcome } })
  }

  #confirmAll(): void {
    for (const id of this.desired.keys())
      this.line?.say({ $case: 'serverObserved', value: this.#seen(id) })
  }

  readonly #seen = (serverId: string) => {
    const desired = this.desired.get(serverId)
    const isRunning = this.running.has(serverId)
    const isGuarded =
      desired?.failover?.mode === 'auto' && mayConfirm(this.lease, isRunning, performance.now())
    return {
      serverId,
      observation: ++this.#observation,
      state: isRunning ? 'running' : 'stopped',
      since: new Date(),
      generation: desired?.generation ?? 0,
      settledGeneration: desired?.generation ?? 0,
      run: desired?.run ?? 0,
      installed: desired?.install ?? 0,
      restartRequired: false,
      diskLimit: '',
      installFailed: false,
      guardedRevision: isGuarded ? desired?.failover?.revision : 0,
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#beating)
    this.line?.close()
  }
}
