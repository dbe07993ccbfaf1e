import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { connectionOf, type Db } from '../db/database.ts'
import type { Services } from '../services.ts'

/**
 * Work repeated on a schedule. It takes no input, may run on two instances at once and does little
 * at a time, so one code path serves both the normal case and recovery.
 */
export interface PeriodicTask {
  readonly name: string
  readonly everySeconds: number
  /**
   * A `select` without parameters that has a row when there is work. The conditions of all periodic
   * tasks are checked in one statement, so frequent checks stay cheap.
   */
  readonly when?: string
  /**
   * Returns counts of what it did, for log and metrics.
   * @param stopped aborted when the control plane stops
   */
  run(services: Services, stopped?: AbortSignal): Promise<Readonly<Record<string, number>>>
}

export const periodicTask = (
  name: string,
  everySeconds: number,
  run: PeriodicTask['run'],
): PeriodicTask => ({
  name,
  everySeconds,
  run,
})

/** A task checked every second that runs when `when` has a row. */
export const watcher = (name: string, when: string, run: PeriodicTask['run']): PeriodicTask => ({
  name,
  everySeconds: WATCHED_SECONDS,
  when,
  run,
})

const WATCHED_SECONDS = 1

/** One that waits for a node may take hours; another start goes on where it was. */
const STOP_MS = 5_000

/**
 * Runs each periodic task at its interval, never twice at once in this process.
 * @param stopMs for so long a stop waits for those that run
 */
export function startPeriodicTasks(
  tasks: readonly PeriodicTask[],
  services: Services,
  log: Logger,
  stopMs: number = STOP_MS,
): { stop(): Promise<void> } {
  const ended = new AbortController()
  const loops = tasks
    .filter((one) => one.when === undefined)
    .map((one) => loop(one, services, log, ended.signal))
  const watched = tasks.filter((one) => one.when !== undefined)
  if (watched.length > 0) loops.push(watch(watched, services, log, ended.signal))
  return {
    async stop() {
      ended.abort()
      const late = pause(stopMs, 'late', { ref: false })
      if ((await Promise.race([Promise.all(loops), late])) === 'late')
        log.warn('stopped while periodic tasks were running')
    },
  }
}

async function runOnce(
  one: PeriodicTask,
  services: Services,
  log: Logger,
  stopped: AbortSignal,
): Promise<void> {
  try {
    const did = await one.run(services, stopped)
    if (Object.values(did).some((count) => count > 0)) log.debug({ task: one.name, ...did }, 'task')
  } catch (error) {
    log.warn({ err: error, task: one.name }, 'a periodic task failed, it will run again')
  }
}

async function loop(
  one: PeriodicTask,
  services: Services,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await runOnce(one, services, log, signal)
    // `pause` removes its listener from the signal again; otherwise one would leak per round.
    await pause(one.everySeconds * 1000, undefined, { signal }).catch(() => undefined)
  }
}

/** Tasks do not wait for each other: a slow one is skipped until it has ended. */
async function watch(
  tasks: readonly PeriodicTask[],
  services: Services,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  const running = new Map<PeriodicTask, Promise<void>>()
  while (!signal.aborted) {
    try {
      const due = await lookAt(services.db, tasks)
      for (const one of due) {
        if (running.has(one)) continue
        running.set(
          one,
          runOnce(one, services, log, signal).finally(() => running.delete(one)),
        )
      }
    } catch (error) {
      log.warn({ err: error }, 'could not check for due tasks, retrying')
    }
    await pause(WATCHED_SECONDS * 1000, undefined, { signal }).catch(() => undefined)
  }
  await Promise.all(running.values())
}

async function lookAt(db: Db, tasks: readonly PeriodicTask[]): Promise<PeriodicTask[]> {
  const { rows } = await connectionOf(db).query<boolean[]>({
    name: 'tasks_due',
    text: `select ${tasks.map(({ when }) => `exists (${when})`).join(', ')}`,
    rowMode: 'array',
  })
  return tasks.filter((_, at) => rows[0]?.[at])
}
