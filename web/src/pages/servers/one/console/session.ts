import { backoffMs } from '@lodge/shared/backoff.ts'
import { api } from '../../../../api.ts'
import { saidReason } from '../../../../panel/said.ts'
import { gotThrough, whyBlocked } from './reach.ts'
import { t } from './words.ts'

/**
 * A console over a WebSocket: every connection needs a new ticket, output is acknowledged so that a
 * flood cannot freeze the tab, and a lost connection is reopened with backoff.
 */

const ACK_BYTES = 65_536
const AGAIN = { leastMs: 500, mostMs: 10_000 }
const PROTOCOL = 'lodge.console.v1'

export type Link =
  | { readonly state: 'connecting' | 'open' | 'closed' }
  | {
      readonly state: 'lost'
      readonly retryAt: number
      readonly reason: string
      /** Set if no connection succeeds at all. */
      readonly blocked?: string | undefined
    }

/** A message from the node other than output. */
export interface ConsoleNotice {
  readonly type: string
  readonly [field: string]: unknown
}

interface Listener {
  /** Output; call `shown` once it has been rendered. */
  output(bytes: Uint8Array, shown: () => void): void
  notice(notice: ConsoleNotice): void
  link(link: Link): void
}

export interface ConsoleSession {
  /** Sends one line to the program; false when disconnected. */
  send(line: string): boolean
  close(): void
}

function addressOf(url: string): string {
  const address = new URL(url, location.href)
  address.protocol = address.protocol === 'https:' || address.protocol === 'wss:' ? 'wss:' : 'ws:'
  return address.href
}

/** Closes a socket. One that is still connecting is closed after it opens, or the browser logs an error. */
function hangUp(socket: WebSocket | undefined): void {
  if (socket?.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close()
  else socket?.close()
}

/** @param kind the program's own console, or its installation log, which accepts no commands */
export function openConsole(
  serverId: string,
  kind: 'console' | 'install_log',
  listener: Listener,
): ConsoleSession {
  let socket: WebSocket | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let unacknowledged = 0
  let ended = false

  const say = (message: object): void => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
  }
  const shown = (bytes: number): void => {
    unacknowledged += bytes
    if (unacknowledged < ACK_BYTES) return
    say({ type: 'ack', bytes: unacknowledged })
    unacknowledged = 0
  }
  const retry = (reason: string, blocked?: string): void => {
    if (ended) return
    const waitMs = backoffMs(failures++, AGAIN)
    listener.link({ state: 'lost', retryAt: Date.now() + waitMs, reason, blocked })
    timer = setTimeout(() => void connect(), waitMs)
  }
  const connect = async (): Promise<void> => {
    const ticket = await api('POST /api/servers/{id}/console-ticket', {
      params: { id: serverId },
      body: { kind },
    }).catch((error: Error) => error)
    if (ended) return
    if (ticket instanceof Error) return retry(ticket.message)
    const opened = new WebSocket(addressOf(ticket.url), [PROTOCOL, `ticket.${ticket.ticket}`])
    opened.binaryType = 'arraybuffer'
    socket = opened
    let through = false
    opened.onopen = () => {
      through = true
      gotThrough()
      failures = 0
      unacknowledged = 0
      listener.link({ state: 'open' })
    }
    opened.onmessage = ({ data }: MessageEvent<ArrayBuffer | string>) => {
      if (typeof data === 'string') return listener.notice(JSON.parse(data))
      const bytes = new Uint8Array(data)
      listener.output(bytes, () => shown(bytes.byteLength))
    }
    opened.onclose = (event) =>
      retry(
        event.reason === '' ? t.connectionClosed : saidReason(event.reason),
        through || ended ? undefined : whyBlocked(),
      )
  }

  listener.link({ state: 'connecting' })
  void connect()
  return {
    send(line) {
      if (socket?.readyState !== WebSocket.OPEN) return false
      say({ type: 'command', line })
      return true
    },
    close() {
      ended = true
      clearTimeout(timer)
      hangUp(socket)
      listener.link({ state: 'closed' })
    },
  }
}
