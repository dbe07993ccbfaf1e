import { setTimeout as delay } from 'node:timers/promises'
import type { BackupCommands } from '@lodge/shared/backup-work.ts'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Journal } from '../journal/journal.ts'

const SETTING = 'backup_quiet'
const AGAIN_MS = 5_000
const Owed = z.record(z.string(), z.object({ run: z.number(), lines: z.array(z.string()) }))
type Owed = z.infer<typeof Owed>

interface QuietOptions {
  readonly journal: Journal
  readonly log: Logger
  readonly type: (serverId: string, line: string) => Promise<void>
  /** The server's run if it runs now, otherwise null. */
  readonly runOf: (serverId: string) => number | null
  readonly againMs?: number
}

/**
 * Types a server's commands before and after a backup. What is to be typed afterwards is in the
 * journal first and stays there until it has been typed, so that no server is left without saving
 * because the agent was killed or its console did not answer.
 */
export class Quiet {
  readonly #options: QuietOptions
  readonly #ending = new Map<string, Promise<void>>()
  readonly #again = new Map<string, NodeJS.Timeout>()

  constructor(options: QuietOptions) {
    this.#options = options
  }

  async begin(
    serverId: string,
    run: number,
    { before, after, settleSeconds }: BackupCommands,
    signal: AbortSignal,
  ): Promise<void> {
    this.#notAgain(serverId)
    this.#owe(serverId, { run, lines: after })
    for (const line of before) await this.#options.type(serverId, line)
    await delay(settleSeconds * 1000, undefined, { signal })
  }

  /** Types what is owed to a server, later if its console does not answer. */
  end(serverId: string): Promise<void> {
    const ending =
      this.#ending.get(serverId) ?? this.#end(serverId).finally(() => this.#ending.delete(serverId))
    this.#ending.set(serverId, ending)
    return ending
  }

  /** Types what is owed, for whoever cannot wait for it. */
  resume(serverId: string): void {
    this.end(serverId).catch((error: unknown) => {
      this.#options.log.error({ err: error, serverId }, 'a command after a backup was not typed')
    })
  }

  /** The servers to which something is owed. */
  owing(): string[] {
    return Object.keys(this.#owed())
  }

  close(): void {
    for (const serverId of [...this.#again.keys()]) this.#notAgain(serverId)
  }

  async #end(serverId: string): Promise<void> {
    this.#notAgain(serverId)
    const owed = this.#owed()[serverId]
    if (!owed) return
    const { type, runOf, log, againMs = AGAIN_MS } = this.#options
    try {
      // A server that has stopped since begins anew with saving on.
      if (runOf(serverId) === owed.run) for (const line of owed.lines) await type(serverId, line)
    } catch (error) {
      log.warn({ err: error, serverId }, 'a command after a backup is typed again later')
      this.#again.set(
        serverId,
        setTimeout(() => this.resume(serverId), againMs),
      )
      return
    }
    this.#owe(serverId, null)
  }

  #notAgain(serverId: string): void {
    clearTimeout(this.#again.get(serverId))
    this.#again.delete(serverId)
  }

  #owed(): Owed {
    const text = this.#options.journal.setting(SETTING)
    return text === undefined ? {} : Owed.parse(JSON.parse(text))
  }

  #owe(serverId: string, debt: Owed[string] | null): void {
    const { [serverId]: _, ...others } = this.#owed()
    const owed = debt === null ? others : { ...others, [serverId]: debt }
    this.#options.journal.saveSetting(SETTING, JSON.stringify(owed))
  }
}
