import type { Plugin } from '../../index.ts'

/** Forwards events to a service. An event is delivered again with the same id until this returns. */
const plugin: Plugin = ({ settings, fetch, api }) => {
  /** Asks the panel for the owner of a server; null if it has none, or is gone. */
  async function ownerOf(serverId: string): Promise<string | null> {
    const { status, body } = await api('GET', `/api/servers/${serverId}`)
    if (status === 404) return null
    // Throwing has the event delivered again, which may help if the panel was busy.
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
            // Lets the service recognise events that it has already.
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
