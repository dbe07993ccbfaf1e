import { call, EgressRefused } from '@lodge/shared/egress/egress.ts'
import type { ChannelKind } from '@lodge/shared/notification-channels.ts'
import type { Services } from '../../../services.ts'
import { KINDS } from './kinds/all.ts'
import type { Sending } from './kinds/kind.ts'
import { retryAfterSeconds } from './timing.ts'

const TIMEOUT_MS = 15_000
/** How much of a response is read. */
const MAX_ANSWER_BYTES = 65_536
const SHOWN_CHARACTERS = 1000

/** The result of one attempt. */
export interface Attempt {
  readonly delivered: boolean
  readonly status: number | null
  /** The beginning of the response. */
  readonly answer: string
  readonly error: string | null
  /** The receiver will never accept anything again. */
  readonly gone: boolean
  readonly retryAfterSeconds: number | undefined
}

/**
 * Sends a message once. Every attempt resolves and checks the address anew and connects only to the
 * checked one; redirects are not followed.
 */
export async function post(
  { egress, channelHosts }: Pick<Services, 'egress' | 'channelHosts'>,
  kind: Exclude<ChannelKind, 'email'>,
  sending: Sending,
  signal?: AbortSignal,
): Promise<Attempt> {
  try {
    const outgoing = KINDS[kind].request(sending)
    const reply = await call(outgoing.url, {
      method: outgoing.method,
      headers: outgoing.headers,
      body: outgoing.body,
      allowedHosts: channelHosts,
      authorities: egress.authorities,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
      cutsAnswer: true,
      ...(signal && { signal }),
    })
    const { status, headers } = reply
    const delivered = status >= 200 && status < 300
    return {
      delivered,
      status,
      answer: shown(reply.text),
      error: delivered ? null : errorOf(status),
      gone: status === 410 || (KINDS[kind].gone?.includes(status) ?? false),
      retryAfterSeconds: retryAfterSeconds(headers['retry-after'], sending.now),
    }
  } catch (error) {
    const failed = { delivered: false, status: null, answer: '', gone: false } as const
    return { ...failed, error: reasonOf(error), retryAfterSeconds: undefined }
  }
}

const errorOf = (status: number): string =>
  status >= 300 && status < 400
    ? `It answered with a redirect (${status}), which is not followed: enter the address that it leads to`
    : `It answered ${status}`

/** Replaces control characters, which have no place there. */
const shown = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[^\P{Cc}\n\t]/gu, ' ')
    .slice(0, SHOWN_CHARACTERS)
    .toWellFormed()

function reasonOf(error: unknown): string {
  if (error instanceof EgressRefused) return `The address is not used: ${error.reason}`
  const { name, code, message } = error as { name?: string; code?: string; message?: string }
  if (name === 'TimeoutError' || code === 'ABORT_ERR')
    return `It did not answer within ${TIMEOUT_MS / 1000} seconds`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'Its name has no address'
  if (code === 'ECONNREFUSED') return 'It refused the connection'
  return `It could not be reached: ${shown(message ?? 'unknown').slice(0, 200)}`
}
