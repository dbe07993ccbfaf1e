import WebSocket from 'ws'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, ORIGIN } from '../../support/stack.ts'

/** Requests a console that is refused; returns the status of the response as soon as it arrives. */
export function knock({ url }: Lodge, caller: Caller, ticket?: string): Promise<number> {
  const socket = new WebSocket(
    `${url.replace('http', 'ws')}/api/relay`,
    ['lodge.console.v1', ...(ticket === undefined ? [] : [`ticket.${ticket}`])],
    { headers: { origin: ORIGIN, cookie: `panel_session=${caller.cookie}` } },
  )
  socket.on('error', () => undefined)
  return new Promise((resolve) => {
    socket.on('unexpected-response', (_request, response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
  })
}
