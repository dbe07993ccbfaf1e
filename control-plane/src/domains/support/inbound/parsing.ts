import { Worker } from 'node:worker_threads'
import type { ProblemCode } from '@lodge/shared/problems.ts'
import { Problem } from '../../../problem.ts'
import { programBeside } from '../../../program-beside.ts'
import type { MailEnvelope } from './from-mime.ts'
import type { Mail, MailFile } from './mail.ts'
import { unreadable } from './unreadable.ts'

/** What the thread is given; the bytes are passed on, not shared. */
export interface Asked {
  readonly raw: Uint8Array<ArrayBuffer>
  readonly envelope: MailEnvelope | undefined
}

/** What it answers. */
export type Answered =
  | { readonly mail: Omit<Mail, 'files'> & { readonly files: readonly ParsedFile[] } }
  | { readonly refused: { readonly code: ProblemCode; readonly detail: string } }
type ParsedFile = Omit<MailFile, 'bytes'> & { readonly bytes: Uint8Array<ArrayBuffer> }

interface Limits {
  /** For one mail. The largest one takes some seconds; its sender waits for a minute. */
  readonly withinMs: number
  /** For objects of the parser, of which a mail of 500,000 lines needs some 300 MiB; bytes are beside it. */
  readonly heapMb: number
  /** After which the thread ends, and gives back its memory. */
  readonly idleMs: number
}
const LIMITS: Limits = { withinMs: 30_000, heapMb: 512, idleMs: 30_000 }

/**
 * Takes mails apart in a thread of their own, one after the other, so that a large one holds up nothing
 * but the mails behind it. The thread starts with the first mail and ends when there have been none for
 * a while. A mail that exhausts it is refused, and the next one gets a new thread.
 * @returns a function that rejects with validation_failed, like `mailOfMime`
 */
export function mailParser(
  limits: Limits = LIMITS,
): (raw: Buffer, envelope?: MailEnvelope) => Promise<Mail> {
  let before: Promise<unknown> = Promise.resolve()
  let thread: Worker | undefined
  let idle: NodeJS.Timeout | undefined

  function start(): Worker {
    const started = new Worker(programBeside(import.meta.url, 'parsing-thread'), {
      // What the control plane was started with is not for threads.
      ...{ execArgv: [], env: {}, name: 'mail' },
      // What is young is few: V8 ends the whole process rather than the thread if much of it grows old
      // at once.
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMb, maxYoungGenerationSizeMb: 4 },
    })
    // Heard here, because it may also fail when nobody waits for it.
    started.on('error', () => undefined)
    started.once('exit', () => {
      if (thread === started) thread = undefined
    })
    return started
  }

  async function end(): Promise<void> {
    const ended = thread
    thread = undefined
    await ended?.terminate()
  }

  /** Asks the thread. After a failure it may still be at work, so that it ends. */
  async function answer(asked: Asked): Promise<Answered> {
    clearTimeout(idle)
    thread ??= start()
    thread.ref()
    try {
      return await answerOf(thread, asked, limits)
    } catch (error) {
      await end()
      throw error
    } finally {
      thread?.unref()
      idle = setTimeout(end, limits.idleMs).unref()
    }
  }

  return async (raw, envelope) => {
    // A copy, which is handed over: others still read the mail.
    const answered = before.then(() => answer({ raw: new Uint8Array(raw), envelope }))
    before = answered.catch(() => undefined)
    return mailOf(await answered)
  }
}

/** Takes a mail apart. @throws {Problem} validation_failed */
export const parseMail = mailParser()

/** @throws {Problem} validation_failed if the mail exhausts the thread */
async function answerOf(thread: Worker, asked: Asked, limits: Limits): Promise<Answered> {
  const { promise, resolve, reject } = Promise.withResolvers<Answered>()
  const failed = (error: Error & { code?: string }) =>
    reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? unreadable('It is too intricate') : error)
  const ended = (code: number) => reject(new Error(`The thread of mails ended with code ${code}`))
  const { withinMs } = limits
  const late = () => reject(unreadable(`It takes more than ${withinMs / 1000} seconds`))
  const timer = setTimeout(late, withinMs)
  thread.on('message', resolve).on('error', failed).on('exit', ended)
  try {
    thread.postMessage(asked, [asked.raw.buffer])
    return await promise
  } finally {
    clearTimeout(timer)
    thread.off('message', resolve).off('error', failed).off('exit', ended)
  }
}

function mailOf(answered: Answered): Mail {
  if ('refused' in answered) throw new Problem(answered.refused.code, answered.refused.detail)
  const { mail } = answered
  const files = mail.files.map(({ name, bytes }) => ({ name, bytes: Buffer.from(bytes.buffer) }))
  return { ...mail, files }
}
