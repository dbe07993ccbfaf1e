import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { Server } from '@lodge/shared/servers.ts'

/** An open panel: receives live updates of servers as a browser does. */
export interface LiveView {
  /** Resolves when the server is shown with this status. */
  shows(serverId: string, status: Server['status']): Promise<void>
  close(): void
}

export async function openLiveView(origin: string, cookie: string): Promise<LiveView> {
  const ended = new AbortController()
  const answer = await fetch(`${origin}/api/events`, { headers: { cookie }, signal: ended.signal })
  if (!answer.ok || !answer.body) throw new Error(`the events answered ${answer.status}`)
  const newest = new Map<string, string>()
  const waiting = new Set<() => void>()
  const lines = createInterface({ input: Readable.fromWeb(answer.body as never) })
  lines.on('error', () => undefined)
  lines.on('line', (line) => {
    if (!line.startsWith('data: ')) return
    const server = Server.pick({ id: true, status: true }).safeParse(JSON.parse(line.slice(6)))
    if (!server.success) return
    newest.set(server.data.id, server.data.status)
    for (const look of [...waiting]) look()
  })
  return {
    shows: (serverId, status) =>
      new Promise((resolve) => {
        const look = () => {
          if (newest.get(serverId) !== status) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
    close: () => ended.abort(),
  }
}
