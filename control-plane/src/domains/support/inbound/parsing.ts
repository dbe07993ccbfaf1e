import { Worker } from 'node:worker_threads'
import type { NameLookup } from '@lodge/shared/egress/lookups.ts'
import { Problem } from '../../../problem.ts'
import { programBeside } from '../../../program-beside.ts'
import type { Found } from '../senders/check.ts'
import type { MailEnvelope } from './from-mime.ts'
import type { Mail } from './mail.ts'
import type { Answer, CheckGiven, FromThread, ParsedMail, ToThread } from './thread-talk.ts'
import { unreadable } from './unreadable.ts'

interface Limits {
  /** For parsing one mail. The largest takes some seconds; its sender waits for a minute. */
  readonly withinMs: number
  /** For checking its sender, of which DNS lookups may take 15 seconds. */
  readonly checkWithinMs: number
  /**
   * Heap for the parser's objects, of which a mail of 500,000 lines needs some 300 MiB; bytes are
   * outside the heap.
   */
  readonly heapMb: number
  /** After this idle time the thread ends and frees its memory. */
  readonly idleMs: number
}
const LIMITS: Limits = { withinMs: 30_000, checkWithinMs: 50_000, heapMb: 512, idleMs: 30_000 }

/** Parses and checks mails without blocking anything else. */
interface MailThread {
  /** Parses a mail. @throws {Problem} validation_failed, as `mailOfMime` does */
  parse(raw: Buffer, envelope?: MailEnvelope): Promise<Mail>
  /**
   * Like `checkSender`; this thread makes the DNS lookups.
   * @throws {Problem} sender_unchecked if it takes too long
   */
  check(raw: Buffer, given: CheckGiven, lookup: NameLookup): Promise<Found>
}

/** A caller waiting for the thread. */
interface Waiting extends PromiseWithResolvers<Answer> {
  readonly lookup: NameLookup | undefined
}

/** The thread ended before it answered, because of another mail or a fault. */
class ThreadEnded extends Error {}

/**
 * Parses mails in a separate thread, one after the other, so that a large one delays only the mails
 * behind it; checks run concurrently, since they wait for DNS. The thread starts with the first mail
 * and ends after an idle time. A mail that exhausts it is refused, and the next one gets a new
 * thread.
 */
export function mailThread(limits: Limits = LIMITS): MailThread {
  let before: Promise<unknown> = Promise.resolve()
  let thread: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let asked = 0
  const waiting = new Map<number, Waiting>()

  function start(): Worker {
    const started = new Worker(programBeside(import.meta.url, 'parsing-thread'), {
      // Threads must not inherit the flags and environment of the control plane.
      ...{ execArgv: [], env: {}, name: 'mail' },
      // A small young generation: V8 ends the whole process instead of the thread if much of a large
      // one is promoted at once.
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMb, maxYoungGenerationSizeMb: 4 },
    })
    let why: Error | undefined
    started.on('message', (said: FromThread) => hear(started, said))
    started.on('error', (error: Error & { code?: string }) => {
      why = error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? unreadable('It is too intricate') : error
    })
    started.once('exit', (code) => {
      if (thread !== started) return
      thread = undefined
      abandon(why ?? new Error(`The thread of mails ended with code ${code}`))
    })
    return started
  }

  /** The mail being parsed exhausted the thread, rather than one being checked. */
  function abandon(why: Error): void {
    for (const { reject, lookup } of waiting.values()) {
      const isRefused = lookup === undefined && why instanceof Problem
      reject(isRefused ? why : new ThreadEnded(why.message, { cause: why }))
    }
    waiting.clear()
  }

  function hear(from: Worker, said: FromThread): void {
    const one = waiting.get(said.id)
    if (from !== thread || one === undefined) return
    if (!('lookup' in said)) {
      one.resolve(said)
      return
    }
    const { lookup: number, name, type } = said
    const answer = (given: ToThread): void => from.postMessage(given)
    // A lookup may also throw synchronously, which must not end the control plane.
    Promise.try(() => one.lookup?.(name, type)).then(
      (rows) => answer({ answers: number, rows }),
      (error: Error & { code?: string }) =>
        answer({ answers: number, failed: { message: error.message, code: error.code } }),
    )
  }

  function end(): void {
    const ended = thread
    thread = undefined
    abandon(new ThreadEnded('The thread of mails was ended'))
    void ended?.terminate()
  }

  /** Another mail may end the thread: then the request is repeated once. */
  const ask: typeof askOnce = (asked, given) =>
    askOnce(asked, given).catch((error: unknown) => {
      if (error instanceof ThreadEnded) return askOnce(asked, given)
      throw error
    })

  /**
   * @param late the rejection after the time limit; the thread may still be working, so it is ended
   */
  async function askOnce(
    asked: (id: number) => Exclude<ToThread, { answers: number }>,
    { withinMs, late, lookup }: { withinMs: number; late: Error; lookup?: NameLookup },
  ): Promise<Answer> {
    clearTimeout(idle)
    thread ??= start()
    thread.ref()
    const id = nextId()
    const one: Waiting = { ...Promise.withResolvers<Answer>(), lookup }
    waiting.set(id, one)
    const timer = setTimeout(() => {
      waiting.delete(id)
      one.reject(late)
      end()
    }, withinMs)
    try {
      const given = asked(id)
      thread.postMessage(given, [given.raw.buffer])
      return await one.promise
    } finally {
      clearTimeout(timer)
      waiting.delete(id)
      if (waiting.size === 0) {
        thread?.unref()
        // Each of several abandoned requests gets here.
        clearTimeout(idle)
        idle = setTimeout(end, limits.idleMs).unref()
      }
    }
  }
  const nextId = (): number => asked++

  async function parse(raw: Buffer, envelope: MailEnvelope | undefined): Promise<Mail> {
    const { withinMs } = limits
    const late = unreadable(`It takes more than ${withinMs / 1000} seconds`)
    return mailOf(
      await ask((id) => ({ id, parse: envelope, raw: copyOf(raw) }), { withinMs, late }),
    )
  }

  async function check(raw: Buffer, given: CheckGiven, lookup: NameLookup): Promise<Found> {
    const late = new Problem(
      'sender_unchecked',
      'The check of the sender takes too long now. Send the mail again later',
    )
    const answer = await ask((id) => ({ id, check: given, raw: copyOf(raw) }), {
      ...{ withinMs: limits.checkWithinMs, late, lookup },
    })
    if (!('found' in answer)) throw new Error('The thread of mails answered something else')
    return answer.found
  }

  return {
    parse(raw, envelope) {
      const parsed = before.then(() => parse(raw, envelope))
      before = parsed.catch(() => undefined)
      return parsed
    },
    check,
  }
}

/**
 * One thread for parsing and one for checking: a mail whose check is slow or takes too much memory
 * must not cause the permanent refusal of another one.
 */
export function mailThreads(limits: Limits = LIMITS): MailThread {
  const [parsing, checking] = [mailThread(limits), mailThread(limits)]
  return { parse: parsing.parse, check: checking.check }
}

/** The threads of this process. */
export const mails = mailThreads()

/** A copy to transfer, because others still read the mail. */
const copyOf = (raw: Buffer): Uint8Array<ArrayBuffer> => new Uint8Array(raw)

function mailOf(answer: Answer): Mail {
  if ('refused' in answer) throw new Problem(answer.refused.code, answer.refused.detail)
  if (!('mail' in answer)) throw new Error('The thread of mails answered something else')
  const { mail }: { mail: ParsedMail } = answer
  const files = mail.files.map(({ name, bytes }) => ({ name, bytes: Buffer.from(bytes.buffer) }))
  return { ...mail, files }
}
