import { DriverError, type OnProgress } from '@lodge/driver/driver.ts'
import { type Engine, EngineError } from '../engine/client.ts'
import type { Settings } from '../engine/options.ts'
import { parseReference } from './reference.ts'
import { readMessages } from './stream.ts'

/**
 * Pulls an image. Progress counts bytes over all layers. Throws `image_unavailable`; a pull without
 * progress for `pullStallMs` is aborted and can be retried.
 */
export async function pullImage(
  engine: Engine,
  settings: Settings,
  text: string,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<void> {
  const reference = parseReference(text)
  const credential = await credentialFor(settings, reference.host)
  const pull = new AbortController()
  const stalled = new DriverError(
    'image_unavailable',
    `The registry ${reference.host} stopped answering.`,
    {
      retryable: true,
    },
  )
  let timer = setTimeout(() => pull.abort(stalled), settings.pullStallMs)
  const stop = () => pull.abort(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  const layers = new Map<string, { done: number; total: number }>()
  let moved = -1
  try {
    signal.throwIfAborted()
    const stream = await engine.docker.createImage(
      credential ? { ...credential, serveraddress: reference.host } : undefined,
      { fromImage: reference.repository, tag: reference.version, abortSignal: pull.signal },
    )
    // Aborting the call does not end a response that is already streaming.
    pull.signal.addEventListener('abort', () => 'destroy' in stream && endStream(stream), {
      once: true,
    })
    await readMessages(stream, (message) => {
      const detail = message.progressDetail
      if (message.id && detail?.total) {
        layers.set(message.id, { done: detail.current ?? 0, total: detail.total })
      }
      const done = sum(layers, 'done')
      const total = sum(layers, 'total')
      const state = done + layers.size + (message.status?.length ?? 0)
      // Messages without progress must not postpone the stall timeout.
      if (state === moved) return
      moved = state
      clearTimeout(timer)
      timer = setTimeout(() => pull.abort(stalled), settings.pullStallMs)
      onProgress({
        step: 'image',
        percent: total > 0 ? Math.min(99, Math.floor((done * 100) / total)) : null,
        detail: message.status ?? 'Downloading the image',
        bytes: { done, total: total > 0 ? total : null },
        ...(detail?.total || !message.status
          ? {}
          : { logLines: [[message.id, message.status].filter(Boolean).join(': ')] }),
      })
    })
    pull.signal.throwIfAborted()
  } catch (error) {
    if (pull.signal.aborted) throw pull.signal.reason
    throw new DriverError('image_unavailable', `${text}: ${reason(error)}`, {
      retryable: !(error instanceof EngineError) || error.status >= 500,
      cause: error,
    })
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}

async function credentialFor(settings: Settings, host: string) {
  try {
    return await settings.registryCredential(host)
  } catch (error) {
    settings.log(`Cannot read the registry passwords: ${reason(error)}`)
    throw new DriverError(
      'image_unavailable',
      `The node cannot read its password for ${host}: its administrator has to look at it.`,
      { retryable: true, cause: error },
    )
  }
}

function endStream(stream: NodeJS.ReadableStream): void {
  if ('destroy' in stream && typeof stream.destroy === 'function') stream.destroy()
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return 'the pull failed'
  return error.message.replace(/^\(HTTP code \d+\) .*? - /, '').trim()
}

function sum(
  layers: Map<string, { done: number; total: number }>,
  field: 'done' | 'total',
): number {
  let result = 0
  for (const layer of layers.values()) result += layer[field]
  return result
}
