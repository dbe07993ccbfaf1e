import pg from 'pg'
import type { Logger } from 'pino'

/**
 * Hears a PostgreSQL notification channel on a connection of its own for as long as the process
 * lives. After a lost connection `onGap` is called: what was announced meanwhile is not known.
 */
export function listen(
  connection: pg.ClientConfig,
  channel: string,
  on: { readonly payload: (text: string) => void; readonly gap: () => void },
  log: Logger,
): { stop(): Promise<void> } {
  let client: pg.Client | undefined
  let stopped = false
  let timer: NodeJS.Timeout | undefined

  async function connect(waitMs: number): Promise<void> {
    if (stopped) return
    const next = new pg.Client({
      ...connection,
      keepAlive: true,
      application_name: `lodge-${channel}`,
    })
    client = next
    let ended = false
    const again = (error?: Error) => {
      if (ended || stopped) return
      ended = true
      log.warn({ err: error, channel }, 'listening was interrupted')
      next.removeAllListeners('notification')
      void next.end().catch(() => undefined)
      timer = setTimeout(() => void connect(Math.min(waitMs * 2, 5000)), waitMs)
    }
    next.on('error', again)
    next.on('end', () => again())
    next.on('notification', (message) => on.payload(message.payload ?? ''))
    try {
      await next.connect()
      await next.query(`listen ${pg.escapeIdentifier(channel)}`)
      on.gap()
    } catch (error) {
      again(error instanceof Error ? error : undefined)
    }
  }

  void connect(100)
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await client?.end().catch(() => undefined)
    },
  }
}
