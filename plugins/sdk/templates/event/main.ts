import type { Plugin } from '../../index.ts'

/** Tells a service what happened. An event is told again until this returns, with the same id. */
const plugin: Plugin = ({ settings, fetch }) => ({
  health: () => ({
    ok: Boolean(settings.token),
    message: settings.token ? 'Ready' : 'No token yet',
  }),
  event: {
    async happened({ id, type, happenedAt, data }) {
      const { status } = await fetch('https://events.example.com/events', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${settings.token}`,
          'content-type': 'application/json',
          // The service knows by it what it has already.
          'idempotency-key': id,
        },
        body: JSON.stringify({ type, happenedAt, data }),
      })
      if (status >= 300) throw new Error(`The service answered with ${status}`)
      return {}
    },
  },
})
export default plugin
