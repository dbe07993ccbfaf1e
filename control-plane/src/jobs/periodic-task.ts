import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { connectionOf, type Db } from '../db/database.ts'
import type { Services } from '../services.ts'

/**
 * Something that is put right again and again: it takes no input, may run twice at once on two
 * instances and does little at a time, so one code path serves the normal case and the recovery.
 */
export interface PeriodicTask {
  readonly name: string
  readonly everySeconds: number
  /**
   * A `select` without parameters that has a row when there is something to do. All periodic tasks that have
   * one are asked for by one statement, so that looking often costs little.
   */
  readonly when?: string
  /** Answers what it did, for the log and the figures. */
  run(services: Services): Promise<Readonly<Record<string, number>>>
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

/** One that looks every second and runs when `when` has a row. */
export const watcher = (name: string, when: string, run: PeriodicTask['run']): PeriodicTask => ({
  name,
  everySeconds: WATCHED_SECONDS,
  when,
  run,
})

const WATCHED_SECONDS = 1

/** Runs each periodic task now and then in its rhythm, never two of the same at once in this process. */
export function startPeriodicTasks(
  tasks: readonly PeriodicTask[],
  services: Services,
  log: Logger,
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
      await Promise.all(loops)
    },
  }
}

async function runOnce(one: PeriodicTask, services: Services, log: Logger): Promise<void> {
  try {
    const did = await one.run(services)
    if (Object.values(did).some((count) => count > 0)) log.debug({ task: one.name, ...did }, 'task')
  } catch (error) {
    log.warn({ err: error, task: one.name }, 'periodic task failed, it runs again')
  }
}

async function loop(
  one: PeriodicTask,
  services: Services,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await runOnce(one, services, log)
    // This takes its listener off the signal again, of which there would be a new one each time.
    await pause(one.everySeconds * 1000, undefined, { signal }).catch(() => undefined)
  }
}

/** None of them waits for another: one that takes long is left alone until it has ended. */
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
          runOnce(one, services, log).finally(() => running.delete(one)),
        )
      }
    } catch (error) {
      log.warn({ err: error }, 'could not look what there is to do, trying again')
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
