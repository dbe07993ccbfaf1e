import type { Plugin } from '../../index.ts'

const SIGNS = { info: '✅', warn: '⚠️', error: '❌' } as const

/** A text for incoming webhooks of Mattermost, Rocket.Chat and others. */
const plugin: Plugin = () => ({
  health: () => ({ ok: true, message: 'Ready' }),
  'notification-style': {
    format: ({ severity, title, body, link, panel }) => ({
      body: {
        username: panel,
        text: [`${SIGNS[severity]} ${title}`, body, link].filter((line) => line !== '').join('\n'),
      },
    }),
  },
})
export default plugin
