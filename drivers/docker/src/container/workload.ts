import { checkDataPath } from '@lodge/driver/data-path.ts'
import { DriverError, type ServerRef } from '@lodge/driver/driver.ts'
import type { ContainerSpec } from '@lodge/shared/container-spec.ts'
import { type Engine, EngineError } from '../engine/client.ts'
import { containerName, LABEL } from '../engine/names.ts'
import { buildContainer, type ContainerInput, liveLimits } from './container.ts'

/** The engine's current state of a server's container. */
export interface PresentContainer {
  readonly id: string
  readonly running: boolean
  /** What of the node it has mounted. */
  readonly sources: readonly string[]
  readonly fingerprint: string
  readonly limits: ReturnType<typeof liveLimits>
}

export async function presentContainer(
  engine: Engine,
  scope: string,
  serverId: string,
  signal: AbortSignal,
): Promise<PresentContainer | null> {
  const container = engine.docker.getContainer(containerName(scope, serverId, 'run'))
  const facts = await engine.find((abortSignal) => container.inspect({ abortSignal }), { signal })
  if (facts === null) return null
  const { Memory, MemorySwap, CpuPeriod, CpuQuota, PidsLimit } = facts.HostConfig
  return {
    id: facts.Id,
    running: facts.State.Running,
    sources: facts.Mounts.map(({ Source }) => Source),
    fingerprint: facts.Config.Labels[LABEL.fingerprint] ?? '',
    limits: {
      Memory: Memory ?? 0,
      MemorySwap: MemorySwap ?? 0,
      CpuPeriod: CpuPeriod ?? 0,
      CpuQuota: CpuQuota ?? 0,
      PidsLimit: PidsLimit ?? 0,
    },
  }
}

/**
 * Updates the limits that differ. Returns false when the engine cannot apply them to the running
 * container.
 */
export async function changeLimits(
  engine: Engine,
  present: PresentContainer,
  spec: ContainerSpec,
  signal: AbortSignal,
): Promise<boolean> {
  const wanted = liveLimits(spec.limits)
  if (JSON.stringify(wanted) === JSON.stringify(present.limits)) return true
  const container = engine.docker.getContainer(present.id)
  try {
    await engine.call((abortSignal) => container.update({ ...wanted, abortSignal }), { signal })
    return true
  } catch (error) {
    // More memory is in use than the new limit allows.
    if (error instanceof EngineError && present.running) return false
    throw error
  }
}

export interface NewContainer {
  readonly engine: Engine
  readonly scope: string
  readonly server: ServerRef
  readonly spec: ContainerSpec
  readonly fingerprint: string
  readonly image: string
  readonly uid: number
  readonly network: string
  readonly mounts: ContainerInput['mounts']
}

/**
 * Creates the container. Throws `EngineError` 404 when the image is gone, 409 when the container
 * exists.
 */
export async function createContainer(plan: NewContainer, signal: AbortSignal): Promise<void> {
  const { engine, server, spec } = plan
  const description = buildContainer({
    kind: 'run',
    scope: plan.scope,
    serverId: server.serverId,
    generation: server.generation,
    run: server.run,
    fingerprint: plan.fingerprint,
    image: plan.image,
    uid: plan.uid,
    command: spec.command,
    environment: { HOME: spec.dataPath, ...spec.environment },
    workingDirectory: spec.workingDirectory ?? spec.dataPath,
    tty: spec.tty,
    writableRoot: spec.writableRoot,
    temporaryMb: spec.temporaryMb,
    capabilities: spec.capabilities,
    limits: spec.limits,
    ports: spec.ports,
    mounts: plan.mounts,
    network: plan.network,
  })
  await engine.call(
    (abortSignal) => engine.docker.createContainer({ ...description, abortSignal }),
    {
      signal,
      deadlineMs: 30_000,
    },
  )
}

/** Checks what the schema cannot. Throws `invalid_spec`. */
export function checkSpec(spec: ContainerSpec): void {
  checkDataPath(spec.dataPath)
  const seen = new Set<string>()
  for (const port of spec.ports) {
    const key = `${port.hostAddress} ${port.hostPort}/${port.protocol}`
    if (seen.has(key))
      throw new DriverError('invalid_spec', `Port ${port.hostPort} is published twice.`)
    seen.add(key)
  }
}
