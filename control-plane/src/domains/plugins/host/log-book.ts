import type { LogLevel, Running } from '../../../plugins/plugin-process.ts'
import type { Services } from '../../../services.ts'
import { appendLines } from '../log-store.ts'

const FLUSH_MS = 500
/** Limit on lines of one plugin per flush; the rest is dropped. */
const MOST_LINES = 300
/** Masking shorter secrets would hide ordinary words. */
const LEAST_SECRET = 4

interface Line {
  readonly at: Date
  readonly level: LogLevel
  readonly text: string
}

/** Buffers what plugins log until it is in the database. */
export class LogBook {
  readonly #services: Services
  readonly #lines = new Map<string, Line[]>()
  readonly #dropped = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(services: Services) {
    this.#services = services
  }

  write({ id, secrets }: Pick<Running, 'id' | 'secrets'>, level: LogLevel, text: string): void {
    const lines = this.#lines.get(id) ?? []
    this.#lines.set(id, lines)
    if (lines.length >= MOST_LINES) this.#dropped.set(id, (this.#dropped.get(id) ?? 0) + 1)
    else lines.push({ at: new Date(), level, text: masked(text, secrets) })
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS)
  }

  /** Writes what is pending. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing = this.#writing.then(() => this.#flush())
    return this.#writing
  }

  async #flush(): Promise<void> {
    const all = [...this.#lines]
    this.#lines.clear()
    for (const [id, lines] of all) {
      const dropped = this.#dropped.get(id)
      this.#dropped.delete(id)
      const more: Line[] = dropped
        ? [{ at: new Date(), level: 'warn', text: `${dropped} lines were dropped` }]
        : []
      try {
        await appendLines(this.#services.db, id, [...lines, ...more])
      } catch (error) {
        this.#services.log.warn({ err: error, plugin: id }, 'could not keep the log of a plugin')
      }
    }
  }
}

/** A text that the database accepts, with secrets masked. */
function masked(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= LEAST_SECRET)
    .reduce((rest, secret) => rest.replaceAll(secret, '***'), text)
    .replaceAll('\0', '')
    .toWellFormed()
}
