import { type ChannelKind, isStyled, pluginOfStyle } from '@lodge/shared/notification-channels.ts'
import type { StyledBody, StyledNotification } from '@lodge/shared/plugins/notification-style.ts'
import type { PluginFaultReason } from '../../../plugins/fault.ts'
import type { Services } from '../../../services.ts'
import { formatWith, PluginCallFailed } from '../../plugins/index.ts'
import { pageOf, type Sending } from './kinds/kind.ts'
import { bodyOf, cut, titleOf } from './message.ts'
import { type Attempt, post } from './post.ts'

/**
 * How long a message waits for a plugin to start and answer, and until it counts as hanging. Together
 * with both posts this is less than the lease of a channel.
 */
const WAIT_MS = 6000
/**
 * A receiver may answer anything to a style that it cannot read: after this many attempts the
 * built-in style is used.
 */
const STYLED_ATTEMPTS = 2
/** Whether a receiver refused a message because of its content, and accepted none of it. */
const isRefused = (status: number | null): boolean =>
  status !== null && status >= 400 && status < 500 && status !== 408 && status !== 429
const TITLE = 1000
const TEXT = 8000

type Reached = Pick<
  Services,
  'egress' | 'channelHosts' | 'db' | 'vault' | 'places' | 'plugins' | 'log'
>

/**
 * Sends a message once, in the style of its channel. If the plugin fails, or the receiver refuses its
 * body, the built-in style is used.
 */
export async function send(
  services: Reached,
  kind: Exclude<ChannelKind, 'email'>,
  sending: Sending,
  signal = new AbortController().signal,
): Promise<Attempt> {
  const pluginId = pluginOfStyle(sending.style)
  if (pluginId === undefined || !isStyled(kind)) return post(services, kind, sending, signal)
  const worded =
    sending.attempt > STYLED_ATTEMPTS
      ? 'the receiver took none of the chosen one'
      : await wordedBy(services, pluginId, notificationOf(kind, sending), signal)
  if (typeof worded === 'string')
    return withoutStyle(await post(services, kind, sending, signal), worded)
  const attempt = await post(services, kind, { ...sending, styled: worded }, signal)
  if (!isRefused(attempt.status)) return attempt
  return withoutStyle(
    await post(services, kind, sending, signal),
    `the receiver answered ${attempt.status} to the chosen one`,
  )
}

const withoutStyle = (attempt: Attempt, why: string): Attempt => ({
  ...attempt,
  error: attempt.error ?? `Sent in the built-in style: ${why}`,
})

/** What a style plugin gets of a message: neither the URL of the channel nor its secrets. */
function notificationOf(
  channel: StyledNotification['channel'],
  sending: Sending,
): StyledNotification {
  const { parcel, panel } = sending
  const { severity, server, language, at: happenedAt } = parcel
  return {
    ...{ channel, severity, server, language, happenedAt },
    title: cut(titleOf(parcel), TITLE),
    body: cut(bodyOf(parcel), TEXT),
    link: pageOf(sending),
    panel: panel.name,
  }
}

const TOOK_TOO_LONG = 'the chosen one took too long'
const WHY: Partial<Record<PluginFaultReason, string>> = {
  not_running: 'the chosen one is not available',
  timeout: TOOK_TOO_LONG,
}

/** @returns the plugin's body, or why there is none; never throws */
async function wordedBy(
  services: Reached,
  pluginId: string,
  notification: StyledNotification,
  signal: AbortSignal,
): Promise<StyledBody | string> {
  const late = Promise.withResolvers<string>()
  const tooLate = () => late.resolve(TOOK_TOO_LONG)
  const timer = setTimeout(tooLate, WAIT_MS)
  // A stop of the control plane does not wait for a plugin; the message is then not sent.
  signal.addEventListener('abort', tooLate, { once: true })
  if (signal.aborted) tooLate()
  try {
    return await Promise.race([formatWith(services, pluginId, notification), late.promise])
  } catch (error) {
    services.log.info({ err: error, pluginId }, 'a message was sent in the built-in style')
    const reason = error instanceof PluginCallFailed ? WHY[error.reason] : undefined
    return reason ?? 'the chosen one failed'
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', tooLate)
  }
}
