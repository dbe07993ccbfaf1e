import { errorCode } from '../error-code.ts'
import { call, EgressRefused } from './egress.ts'

const ANSWER_MS = 15_000
const EVERY_MS = 15_000
/** An overloaded storage may miss one or two. */
const SILENT_TRIES = 3

export interface StorageWatch {
  /** Aborted when the storage does not answer any more, or with the signal that was given. */
  readonly signal: AbortSignal
  readonly stop: () => void
}

/**
 * Ends work on a bucket when its storage stops answering, for which restic would wait a quarter of
 * an hour at each request.
 * @param given.away the error to end with
 * @throws that error if it does not answer at the beginning
 */
export async function watchStorage(
  endpoint: string,
  given: { readonly signal: AbortSignal; readonly away: () => Error; readonly everyMs?: number },
): Promise<StorageWatch> {
  const { signal, away, everyMs = EVERY_MS } = given
  if (!(await answers(endpoint))) throw away()
  const gone = new AbortController()
  let silent = 0
  let timer: NodeJS.Timeout | undefined
  const look = async () => {
    silent = (await answers(endpoint)) ? 0 : silent + 1
    if (silent === SILENT_TRIES) gone.abort(away())
    else timer?.refresh()
  }
  timer = setTimeout(() => void look(), everyMs)
  return {
    signal: AbortSignal.any([signal, gone.signal]),
    stop() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}

/** Whether anything answers there; whether it is the right thing is for restic to judge. */
async function answers(endpoint: string): Promise<boolean> {
  const { host } = new URL(endpoint)
  const asked = { method: 'HEAD', headers: {}, allowedHosts: [host], timeoutMs: ANSWER_MS }
  try {
    await call(endpoint, asked)
    return true
  } catch (error) {
    return error instanceof EgressRefused || !SILENT.test(errorCode(error) ?? '')
  }
}

/** Not those of certificates, for example. */
const SILENT = /^(E(CONN|TIMEDOUT|HOST|NET|AI_)|ENOTFOUND|ABORT_ERR)/
