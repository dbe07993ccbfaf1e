import { setTimeout as delay } from 'node:timers/promises'
import { DriverError } from '@lodge/driver/driver.ts'
import Docker from 'dockerode'

export interface CallOptions {
  readonly signal?: AbortSignal | undefined
  /** Longest wait for the answer; defaults to the engine's usual deadline. */
  readonly deadlineMs?: number
}

/**
 * The Docker engine API, where every call has a deadline and every failure is a `DriverError` or an
 * `EngineError`.
 */
export interface Engine {
  readonly docker: Docker
  /**
   * Runs one call. Throws `runtime_unavailable` (retryable) when the engine cannot be reached or
   * does not answer in time, the signal's reason when `signal` aborts, and an `EngineError`
   * otherwise.
   */
  call<T>(run: (signal: AbortSignal) => Promise<T>, options?: CallOptions): Promise<T>
  /** Like `call`, but returns null when the engine answers that the object does not exist. */
  find<T>(run: (signal: AbortSignal) => Promise<T>, options?: CallOptions): Promise<T | null>
}

/** An error response of the engine. */
export class EngineError extends Error {
  readonly status: number
  constructor(status: number, message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'EngineError'
    this.status = status
  }
}

/** @param deadlineMs the longest wait for an answer unless a call sets its own */
export function openEngine(socketPath: string, deadlineMs = 10_000): Engine {
  const docker = new Docker({ socketPath })

  const call: Engine['call'] = async (run, options = {}) => {
    options.signal?.throwIfAborted()
    const deadline = new AbortController()
    const stop = () => deadline.abort(options.signal?.reason)
    options.signal?.addEventListener('abort', stop, { once: true })
    const timer = setTimeout(
      () => deadline.abort(unavailable('Docker did not answer in time.')),
      options.deadlineMs ?? deadlineMs,
    )
    try {
      return await Promise.race([run(deadline.signal), rejection(deadline.signal)])
    } catch (error) {
      if (deadline.signal.aborted) throw deadline.signal.reason
      throw translated(error)
    } finally {
      clearTimeout(timer)
      options.signal?.removeEventListener('abort', stop)
    }
  }

  return {
    docker,
    call,
    async find(run, options) {
      try {
        return await call(run, options)
      } catch (error) {
        if (error instanceof EngineError && error.status === 404) return null
        throw error
      }
    },
  }
}

/** The port that an engine error reports as taken; 0 when it names none, null for other errors. */
export function portInUse(text: string): number | null {
  if (!/port is already allocated|address already in use|ports are not available/i.test(text))
    return null
  const port = /:(\d+)(?:\/(?:tcp|udp))? failed|(?:\d+\.){3}\d+:(\d+)/.exec(text)
  return Number(port?.[1] ?? port?.[2] ?? 0)
}

/** Translates an engine error into a `DriverError`; other errors are returned as they are. */
export function asDriverError(error: unknown): unknown {
  if (!(error instanceof EngineError)) return error
  const text = error.message
  const number = portInUse(text)
  if (number !== null) {
    return new DriverError(
      'port_in_use',
      number > 0
        ? `Port ${number} is in use on this machine.`
        : 'A port is in use on this machine.',
      { retryable: true, cause: error },
    )
  }
  if (/no space left on device|disk quota exceeded/i.test(text)) {
    return new DriverError('disk_full', 'The disk of this machine is full.', {
      retryable: true,
      cause: error,
    })
  }
  if (error.status === 404) return new DriverError('not_found', text, { cause: error })
  if (error.status === 400) return new DriverError('invalid_spec', text, { cause: error })
  // A conflict means that another operation is under way; an internal error may be transient.
  const retryable = error.status === 409 || error.status >= 500
  return new DriverError('start_failed', text, { retryable, cause: error })
}

const RULE_TRIES = 5
const RULE_PAUSE_MS = 300

/**
 * Retries work that failed because something else was changing the packet filter at that moment: a
 * firewall service that reloads, or another engine that starts.
 */
export async function retryRuleConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      const meant = error instanceof EngineError && /iptables failed/i.test(error.message)
      if (!meant || attempt === RULE_TRIES) throw error
      await delay(RULE_PAUSE_MS)
    }
  }
}

export function unavailable(why: string, cause?: unknown): DriverError {
  return new DriverError('runtime_unavailable', why, { retryable: true, cause })
}

function translated(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DriverError) return error
  const status =
    'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : null
  if (status !== null) return new EngineError(status, plainMessage(error.message), error)
  if ('code' in error || error.message.includes('socket hang up')) {
    return unavailable('Docker cannot be reached.', error)
  }
  return error
}

/** Turns `(HTTP code 500) server error - why` into `why`. */
function plainMessage(message: string): string {
  return message.replace(/^\(HTTP code \d+\) .*? - /, '').trim()
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
