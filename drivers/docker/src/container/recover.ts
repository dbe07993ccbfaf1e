import type { RecoveredWorkload } from '@lodge/driver/driver.ts'
import { readRecord } from '../data/record.ts'
import type { ServerData } from '../data/server-data.ts'
import type { Engine } from '../engine/client.ts'
import { exitOf } from '../engine/exit.ts'
import { LABEL } from '../engine/names.ts'
import { removeContainer } from '../engine/removal.ts'

export interface RecoverInput {
  readonly engine: Engine
  readonly scope: string
  readonly data: ServerData
  /** True for a server whose installer was started by this driver object. */
  readonly isInstalling: (serverId: string) => boolean
  readonly signal: AbortSignal
}

/**
 * Lists everything in our scope: the engine's containers, and data folders without a container.
 * Removes installers that outlived their agent, because nothing waits for their result any more.
 */
export async function recoverWorkloads(input: RecoverInput): Promise<readonly RecoveredWorkload[]> {
  const { engine, data, signal } = input
  const listed = await engine.call(
    (abortSignal) =>
      engine.docker.listContainers({
        all: true,
        filters: { label: [`${LABEL.scope}=${input.scope}`] },
        abortSignal,
      }),
    { signal },
  )
  const orphans = listed.filter(
    (container) =>
      container.Labels[LABEL.kind] === 'install' &&
      !input.isInstalling(container.Labels[LABEL.server] ?? ''),
  )
  await Promise.all(orphans.map((container) => removeContainer(engine, container.Id)))
  const runs = listed.filter((container) => container.Labels[LABEL.kind] === 'run')
  const found = await Promise.all(runs.map((container) => describe(input, container.Id)))
  const workloads = found.filter((workload) => workload !== null)
  const known = new Set(workloads.map((workload) => workload.serverId))
  for (const serverId of await data.list()) {
    if (known.has(serverId)) continue
    const record = await readRecord(data.paths(serverId).record)
    if (record === null) continue
    const { generation, run, fingerprint } = record
    workloads.push({
      serverId,
      generation,
      run,
      fingerprint,
      running: false,
      startedAt: null,
      lastExit: null,
      exists: false,
    })
  }
  return workloads
}

async function describe(
  input: RecoverInput,
  containerId: string,
): Promise<RecoveredWorkload | null> {
  const container = input.engine.docker.getContainer(containerId)
  const facts = await input.engine.find((abortSignal) => container.inspect({ abortSignal }), {
    signal: input.signal,
  })
  if (facts === null) return null
  const labels = facts.Config.Labels
  const serverId = labels[LABEL.server] ?? ''
  // Labels are fixed at creation; the record has the generation of later live changes.
  const record = await readRecord(input.data.paths(serverId).record)
  const state = facts.State
  const ended = !state.Running && hasHappened(state.FinishedAt)
  return {
    serverId,
    generation: record?.generation ?? Number(labels[LABEL.generation]),
    run: record?.run ?? Number(labels[LABEL.run]),
    fingerprint: labels[LABEL.fingerprint] ?? '',
    running: state.Running,
    startedAt: hasHappened(state.StartedAt) ? new Date(state.StartedAt) : null,
    lastExit: ended ? exitOf(state.ExitCode, state.OOMKilled, new Date(state.FinishedAt)) : null,
    exists: true,
  }
}

/** The engine reports the year 1 for events that never happened. */
function hasHappened(time: string): boolean {
  return !time.startsWith('0001-')
}
