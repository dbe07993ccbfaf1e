import { parentPort } from 'node:worker_threads'
import { Problem } from '../../../problem.ts'
import { mailOfMime } from './from-mime.ts'
import type { Answered, Asked } from './parsing.ts'

/** A thread that takes mails apart, one after the other: a large one takes seconds of computing. */
parentPort?.on('message', ({ raw, envelope }: Asked) => {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  mailOfMime(bytes, envelope).then(
    (mail) => {
      // Copies of their own: what is passed on must not share memory with anything that stays here.
      const files = mail.files.map(({ name, bytes }) => ({ name, bytes: new Uint8Array(bytes) }))
      answer({ mail: { ...mail, files } }, files)
    },
    (error: unknown) => {
      if (!(error instanceof Problem)) throw error
      answer({ refused: { code: error.code, detail: error.message } })
    },
  )
})

const answer = (
  given: Answered,
  files: readonly { readonly bytes: Uint8Array<ArrayBuffer> }[] = [],
): void =>
  parentPort?.postMessage(
    given,
    files.map(({ bytes }) => bytes.buffer),
  )
