import { backoffMs } from '@lodge/shared/backoff.ts'
import { PluginFault } from './fault.ts'
import { type PluginOwner, PluginProcess, type Running } from './plugin-process.ts'
import { obstacleToSandbox } from './sandbox.ts'

const CIRCUIT_WITHIN_MS = 10 * 60_000
const CIRCUIT_FAILURES = 5
const RESTART = { leastMs: 1000, mostMs: 60_000 }
/** What keeps plugins from running may only be that the machine is overloaded, so it is looked at again. */
const OBSTACLE_MS = 60_000

/** A plugin as it should run; a later one replaces the process. */
export interface Wanted extends Running {
  /** One that is installed again counts its revisions anew. */
  readonly installedAt: Date
  readonly revision: number
}

/** The domain of plugins, which knows what they may do. */
export interface Owner extends PluginOwner {
  /** It failed too often and does not run any more. */
  gaveUp(plugin: Wanted, why: string): void
}

interface Entry {
  wanted: Wanted
  starting: Promise<PluginProcess> | undefined
  process: PluginProcess | undefined
  startedAt: Date | undefined
  /** When it failed lately, in milliseconds. */
  failures: number[]
  lastFailure: string | undefined
}

/** The processes of the plugins on this instance, each started when it is first needed. */
export class PluginProcesses {
  /** The time in milliseconds; tests let the waits pass. */
  now: () => number = Date.now
  readonly #entries = new Map<string, Entry>()
  readonly #findObstacle: () => Promise<string | undefined>
  #obstacle: Promise<string | undefined> | undefined
  #lookAgainMs = 0
  #stopped = false
  #owner: Owner | undefined

  /** @param findObstacle why plugins cannot be isolated here */
  constructor(findObstacle: () => Promise<string | undefined> = obstacleToSandbox) {
    this.#findObstacle = findObstacle
  }

  /** Called once at start, before the first call. */
  ownedBy(owner: Owner): void {
    this.#owner = owner
  }

  /** Why no plugin can run on this machine; undefined if they can. */
  obstacle(): Promise<string | undefined> {
    if (this.#obstacle && this.now() < this.#lookAgainMs) return this.#obstacle
    this.#lookAgainMs = this.now() + OBSTACLE_MS
    this.#obstacle = this.#findObstacle().then((why) => {
      if (why === undefined) this.#lookAgainMs = Number.POSITIVE_INFINITY
      return why
    })
    return this.#obstacle
  }

  /** Calls a method of a plugin, which is started before if it does not run. @throws PluginFault */
  async call(wanted: Wanted, method: string, given: unknown, timeoutMs: number): Promise<unknown> {
    const process = await this.run(wanted)
    return process.call(method, given, timeoutMs)
  }

  /** Starts a plugin unless this revision of it runs, or a later one. @throws PluginFault */
  async run(wanted: Wanted): Promise<PluginProcess> {
    if (this.#stopped) throw new PluginFault('not_running', 'The panel is stopping')
    const obstacle = await this.obstacle()
    if (obstacle) throw new PluginFault('not_running', obstacle)
    const entry = this.#entryOf(wanted)
    if (entry.process) return entry.process
    entry.starting ??= this.#start(entry).finally(() => {
      entry.starting = undefined
    })
    return entry.starting
  }

  /** Starts a plugin once, apart from the one that runs; the caller ends it. @throws PluginFault */
  async tryOut(running: Running): Promise<PluginProcess> {
    const obstacle = await this.obstacle()
    if (obstacle) throw new PluginFault('not_running', obstacle)
    return PluginProcess.start(running, this.#present())
  }

  stop(id: string): void {
    const entry = this.#entries.get(id)
    this.#entries.delete(id)
    end(entry, 'It was turned off')
  }

  /** The ids of the plugins whose processes run, with when they started. */
  running(): ReadonlyMap<string, Date> {
    return new Map(
      [...this.#entries].flatMap(([id, { process, startedAt }]) =>
        process && startedAt ? [[id, startedAt]] : [],
      ),
    )
  }

  /** Why a plugin that should run does not; undefined if nothing is known against it. */
  async trouble(id: string): Promise<string | undefined> {
    return (await this.obstacle()) ?? this.#entries.get(id)?.lastFailure
  }

  /** Ends those that hang. */
  async checkAll(): Promise<void> {
    await Promise.all([...this.#entries.values()].map(({ process }) => process?.checkAnswers()))
  }

  async stopAll(): Promise<void> {
    this.#stopped = true
    const all = [...this.#entries.values()]
    this.#entries.clear()
    for (const entry of all) end(entry, 'The panel is stopping')
    await Promise.all(all.map(({ process }) => process?.ended))
  }

  #present(): Owner {
    if (!this.#owner) throw new PluginFault('not_running', 'The panel is starting')
    return this.#owner
  }

  #entryOf(wanted: Wanted): Entry {
    const present = this.#entries.get(wanted.id)
    // Who read the list of plugins a moment ago must not bring back what has been replaced since.
    if (present && !isLater(wanted, present.wanted)) return present
    const entry: Entry = {
      wanted,
      starting: undefined,
      process: undefined,
      startedAt: undefined,
      failures: [],
      lastFailure: undefined,
    }
    this.#entries.set(wanted.id, entry)
    end(present, 'It is replaced')
    return entry
  }

  async #start(entry: Entry): Promise<PluginProcess> {
    const last = entry.failures.at(-1)
    const waitMs =
      last === undefined ? 0 : last + backoffMs(entry.failures.length - 1, RESTART) - this.now()
    if (waitMs > 0)
      throw new PluginFault(
        'not_running',
        `It failed and starts again in ${Math.ceil(waitMs / 1000)} s: ${entry.lastFailure}`,
      )
    try {
      const process = await PluginProcess.start(entry.wanted, this.#present())
      if (this.#stopped || this.#entries.get(entry.wanted.id) !== entry) {
        process.kill('It is replaced')
        throw new PluginFault('not_running', 'It is being replaced')
      }
      entry.process = process
      entry.startedAt = new Date()
      void process.ended.then((why) => this.#ended(entry, why))
      return process
    } catch (error) {
      this.#failed(entry, error instanceof Error ? error.message : String(error))
      throw error
    }
  }

  #ended(entry: Entry, why: string): void {
    entry.process = undefined
    if (this.#entries.get(entry.wanted.id) === entry && !this.#stopped) this.#failed(entry, why)
  }

  #failed(entry: Entry, why: string): void {
    const now = this.now()
    entry.lastFailure = why
    entry.failures = [...entry.failures.filter((at) => at > now - CIRCUIT_WITHIN_MS), now]
    this.#present().log(entry.wanted, 'error', why)
    if (entry.failures.length < CIRCUIT_FAILURES) return
    this.#entries.delete(entry.wanted.id)
    this.#present().gaveUp(entry.wanted, why)
  }
}

const isLater = (one: Wanted, other: Wanted): boolean =>
  one.installedAt.getTime() === other.installedAt.getTime()
    ? one.revision > other.revision
    : one.installedAt > other.installedAt

function end(entry: Entry | undefined, why: string): void {
  entry?.process?.kill(why)
  void entry?.starting?.then(
    (process) => process.kill(why),
    () => undefined,
  )
}
