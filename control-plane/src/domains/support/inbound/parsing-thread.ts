import { parentPort } from 'node:worker_threads'
import type { NameLookup } from '@lodge/shared/egress/lookups.ts'
import { Problem } from '../../../problem.ts'
import { checkSender } from '../senders/check.ts'
import { type MailEnvelope, mailOfMime } from './from-mime.ts'
import type { CheckGiven, FromThread, ToThread } from './thread-talk.ts'

// A thread that parses mails and checks their senders: both take seconds of CPU for a large mail. The
// thread that started it makes the DNS lookups.

const open = new Map<number, PromiseWithResolvers<unknown>>()
let lookups = 0

parentPort?.on('message', (asked: ToThread) => {
  if ('answers' in asked) return takeAnswer(asked)
  const { id, raw } = asked
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  if ('check' in asked) return void check(id, bytes, asked.check)
  void parse(id, bytes, asked.parse)
})

async function parse(id: number, raw: Buffer, envelope: MailEnvelope | undefined): Promise<void> {
  try {
    const mail = await mailOfMime(raw, envelope)
    // Copies: transferred buffers must not share memory with anything that stays here.
    const files = mail.files.map(({ name, bytes }) => ({ name, bytes: new Uint8Array(bytes) }))
    say({ id, mail: { ...mail, files } }, files)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    say({ id, refused: { code: error.code, detail: error.message } })
  }
}

async function check(id: number, raw: Buffer, given: CheckGiven): Promise<void> {
  say({ id, found: await checkSender(raw, { ...given, lookup: lookupFor(id) }) })
}

const lookupFor =
  (id: number): NameLookup =>
  (name, type) => {
    const number = lookups++
    const answered = Promise.withResolvers<unknown>()
    open.set(number, answered)
    say({ id, lookup: number, name, type })
    return answered.promise
  }

function takeAnswer(given: Extract<ToThread, { answers: number }>): void {
  const answered = open.get(given.answers)
  open.delete(given.answers)
  if ('rows' in given) answered?.resolve(given.rows)
  else answered?.reject(Object.assign(new Error(given.failed.message), given.failed))
}

const say = (
  said: FromThread,
  files: readonly { readonly bytes: Uint8Array<ArrayBuffer> }[] = [],
): void =>
  parentPort?.postMessage(
    said,
    files.map(({ bytes }) => bytes.buffer),
  )
