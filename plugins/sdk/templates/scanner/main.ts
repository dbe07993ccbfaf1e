import type { Plugin } from '../../index.ts'

/**
 * Looks up the digest of each file at a service. After an invalid response the file is scanned again
 * later.
 */
const plugin: Plugin = ({ settings, fetch }) => ({
  health: () => ({
    ok: Boolean(settings.token),
    message: settings.token ? 'Ready' : 'No token yet',
  }),
  scanner: {
    async scan({ sha256 }) {
      const reply = await fetch(`https://scanner.example.com/files/${sha256}`, {
        headers: { authorization: `Bearer ${settings.token}` },
      })
      if (reply.status === 404) return { verdict: 'clean' }
      if (reply.status !== 200) throw new Error(`The service answered with ${reply.status}`)
      const { name } = JSON.parse(reply.text) as { name: string }
      return { verdict: 'infected', why: `It is known as ${name.slice(0, 200)}` }
    },
  },
})
export default plugin
