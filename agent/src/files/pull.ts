import http from 'node:http'
import { type Duplex, Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { Progress } from '@lodge/driver/driver.ts'
import { type Download, DownloadRefused, download } from '@lodge/shared/egress/download.ts'
import { type EgressPolicy, EgressRefused } from '@lodge/shared/egress/egress.ts'
import { type FileWork, FileWorkDone, fileHeaders } from '@lodge/shared/files.ts'
import { FileRefusal, refusalOf } from './refusal.ts'
import { refusalIn } from './refusal-in.ts'

export interface Pulling {
  readonly taskId: string
  readonly onProgress: (progress: Progress) => void
  readonly signal: AbortSignal
  readonly egress: () => Promise<EgressPolicy>
}

type Pull = Extract<FileWork, { do: 'pull' }>

/** Downloads a file in this process, which may reach the network, and hands it to the helper. */
export async function pull(socket: Duplex, work: Pull, given: Pulling): Promise<FileWorkDone> {
  const over = new AbortController()
  const options = { ...given, signal: AbortSignal.any([given.signal, over.signal]) }
  try {
    return await handOver(socket, work, options, await open(work, options))
  } finally {
    // Nobody reads what a refusal left unread, and its server would keep the connection open.
    over.abort()
  }
}

async function handOver(
  socket: Duplex,
  work: Pull,
  options: Pulling,
  found: Download,
): Promise<FileWorkDone> {
  const tooLarge = () =>
    new FileRefusal('file_too_large', `The file is larger than ${work.maxBytes} bytes.`)
  if ((found.sizeBytes ?? 0) > work.maxBytes) throw tooLarge()
  let done = 0
  const counted = async function* () {
    for await (const part of arriving(work.url, found.body)) {
      done += part.byteLength
      if (done > work.maxBytes) throw tooLarge()
      options.onProgress({
        step: 'copy',
        percent: found.sizeBytes ? (done / found.sizeBytes) * 100 : null,
        detail: 'Downloading',
        bytes: { done, total: found.sizeBytes },
      })
      yield part
    }
    if (found.sizeBytes !== null && done !== found.sizeBytes)
      throw new FileRefusal('pull_failed', 'The download ended early.')
  }
  return await hand(socket, work, options.taskId, counted())
}

/** Passes the bytes on; if they break off, the error blames the address and not the helper. */
async function* arriving(url: string, body: Download['body']): AsyncGenerator<Buffer> {
  try {
    yield* body
  } catch (error) {
    throw asPullFailure(url, error)
  }
}

/** Sends the bytes; the helper keeps them only if all of them arrive. */
async function hand(
  socket: Duplex,
  work: Pull,
  taskId: string,
  body: AsyncIterable<Buffer>,
): Promise<FileWorkDone> {
  const query = new URLSearchParams({ path: work.to, replace: `${work.replace}` })
  const request = http.request({
    createConnection: () => socket,
    method: 'PUT',
    path: `/v1/tasks/${taskId}?${query}`,
    headers: fileHeaders(work.rules, work.may),
  })
  const { promise: answered, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
  request.on('response', resolve).on('error', reject)
  answered.catch(() => {})
  let failure: unknown
  // A refusal may come before everything was sent, and then the rest cannot be.
  const sent = pipeline(Readable.from(body), request).catch((error: unknown) => {
    failure = error
    if (error instanceof FileRefusal) throw error
  })
  const response = await Promise.race([answered, sent.then(() => answered)]).catch((error) => {
    throw failure instanceof FileRefusal ? failure : refusalOf(error)
  })
  if (response.statusCode !== 200) throw await refusalIn(response)
  return FileWorkDone.parse(await json(response))
}

async function open(work: Pull, { signal, egress }: Pulling): Promise<Download> {
  try {
    return await download(work.url, await egress(), signal)
  } catch (error) {
    signal.throwIfAborted()
    throw asPullFailure(work.url, error)
  }
}

function asPullFailure(address: string, error: unknown): FileRefusal {
  const { host } = new URL(address)
  return new FileRefusal('pull_failed', whyNotFrom(host, error), { cause: error })
}

function whyNotFrom(host: string, error: unknown): string {
  // The rest of the message is only for the operator, who finds it in the log.
  if (error instanceof EgressRefused && error.reason !== error.message)
    return `Nothing is downloaded from ${host}, because its address is not one of the public internet. Ask your host to allow it.`
  const known = error instanceof EgressRefused || error instanceof DownloadRefused
  const why = known ? error.message : 'the connection failed'
  return `Nothing could be downloaded from ${host}: ${why}.`
}
