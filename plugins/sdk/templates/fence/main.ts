import type { Plugin } from '../../index.ts'

/** Cuts the power of nodes at sockets that have the nodes' names. */
const plugin: Plugin = ({ settings, fetch }) => {
  async function socket(name: string, method: 'GET' | 'PUT', body?: object): Promise<unknown> {
    const { status, text } = await fetch(
      `${settings.address}/sockets/${encodeURIComponent(name)}`,
      {
        method,
        headers: {
          authorization: `Bearer ${settings.token}`,
          'content-type': 'application/json',
        },
        ...(body && { body: JSON.stringify(body) }),
      },
    )
    if (status !== 200) throw new Error(`The socket of ${name} answered with ${status}`)
    return JSON.parse(text)
  }
  return {
    health: () => ({
      ok: Boolean(settings.token),
      message: settings.token ? 'Ready' : 'No token yet',
    }),
    fence: {
      async off({ name }) {
        await socket(name, 'PUT', { power: 'off' })
        return {}
      },
      /** Only the socket itself can say that the power is off: any other answer means unknown. */
      async status({ name }) {
        const { power } = Object(await socket(name, 'GET')) as { power?: unknown }
        return { power: power === 'on' || power === 'off' ? power : 'unknown' }
      },
    },
  }
}
export default plugin
