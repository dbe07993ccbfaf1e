import type { Plugin } from '../../index.ts'

const plugin: Plugin = ({ refusal }) => ({
  health: () => ({ ok: true, message: 'Ready' }),
  page: {
    // `caller` and `server` come from the panel; `payload` comes from a browser and may be anything.
    request({ method, payload, caller }) {
      if (method !== 'greet') throw refusal('unknown', `There is no ${method}`)
      return { answer: { text: `Hello, ${caller.role}! You sent ${JSON.stringify(payload)}.` } }
    },
  },
})
export default plugin
