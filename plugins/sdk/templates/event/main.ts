import type { Plugin } from '../../index.ts'

/** Tells a service what happened. An event is told again until this returns, with the same id. */
const plugin: Plugin = ({ settings, fetch, api }) => {
  /** Asks the panel who owns a server; null if nobody does, or it is gone. */
  async function ownerOf(serverId: string): Promise<string | null> {
    const { status, body } = await api('GET', `/api/servers/${serverId}`)
    if (status === 404) return null
    // With an error the event is told again, which may help: the panel may have had too much to do.
    const { detail, ownerId } = body as { detail?: string; ownerId?: string | null }
    if (status >= 400) throw new Error(`The panel answered with ${status}: ${detail}`)
    return ownerId ?? null
  }

  return {
    health: () => ({
      ok: Boolean(settings.token),
      message: settings.token ? 'Ready' : 'No token yet',
    }),
    event: {
      async happened({ id, type, happenedAt, data }) {
        const { serverId } = data
        const ownerId = typeof serverId === 'string' ? await ownerOf(serverId) : null
        const { status } = await fetch('https://events.example.com/events', {
          method: 'POST',
          headers: {
            authorization: `Bearer ${settings.token}`,
            'content-type': 'application/json',
            // The service knows by it what it has already.
            'idempotency-key': id,
          },
          body: JSON.stringify({ type, happenedAt, data, ownerId }),
        })
        if (status >= 300) throw new Error(`The service answered with ${status}`)
        return {}
      },
    },
  }
}
export default plugin
