import { backoffMs } from '@lodge/shared/backoff.ts'
import { api } from '../../../api.ts'
import { saidReason } from '../../../panel/said.ts'
import { gotThrough, whyBlocked } from '../../servers/one/console/reach.ts'
import { t } from '../words.ts'

const AGAIN = { leastMs: 500, mostMs: 10_000 }

export type Link =
  | { readonly state: 'connecting' | 'open' | 'closed' }
  | { readonly state: 'lost'; readonly attempt: number; readonly reason: string }

interface Relayed {
  /** A new connection, from now on the callee's to read and write. */
  socket(socket: WebSocket): void
  link(link: Link): void
}

function addressOf(url: string): string {
  const address = new URL(url, location.href)
  address.protocol = address.protocol === 'https:' || address.protocol === 'wss:' ? 'wss:' : 'ws:'
  return address.href
}

/** Closes a socket. One that is still connecting is closed after it opens, or the browser logs an error. */
function hangUp(socket: WebSocket | undefined): void {
  if (socket?.readyState === WebSocket.CONNECTING)
    socket.addEventListener('open', () => socket.close())
  else socket?.close()
}

/**
 * Connects to a machine's screen or serial console: each connection needs a new ticket, and a lost
 * one is reopened with backoff until the returned function is called.
 */
export function openRelay(serverId: string, kind: 'vnc' | 'serial', relayed: Relayed): () => void {
  let socket: WebSocket | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let ended = false

  const retry = (reason: string): void => {
    if (ended) return
    const waitMs = backoffMs(failures++, AGAIN)
    relayed.link({ state: 'lost', attempt: failures, reason })
    timer = setTimeout(() => void connect(), waitMs)
  }
  const connect = async (): Promise<void> => {
    const ticket = await api('POST /api/servers/{id}/vm/console-ticket', {
      params: { id: serverId },
      body: { kind },
    }).catch((error: Error) => error)
    if (ended) return
    if (ticket instanceof Error) return retry(ticket.message)
    const opened = new WebSocket(addressOf(ticket.url), [
      ticket.protocol,
      `ticket.${ticket.ticket}`,
    ])
    opened.binaryType = 'arraybuffer'
    socket = opened
    let through = false
    opened.addEventListener('open', () => {
      through = true
      gotThrough()
      failures = 0
      relayed.link({ state: 'open' })
    })
    opened.addEventListener('close', (event) => {
      const blocked = through || ended ? undefined : whyBlocked()
      retry(blocked ?? (event.reason === '' ? t.closed : saidReason(event.reason)))
    })
    relayed.socket(opened)
  }

  relayed.link({ state: 'connecting' })
  void connect()
  return () => {
    ended = true
    clearTimeout(timer)
    hangUp(socket)
    relayed.link({ state: 'closed' })
  }
}
