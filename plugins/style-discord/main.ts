import type { Plugin } from '../sdk/index.ts'

/** Limits of Discord, in characters. */
const NAME = 256
const TITLE = 256
const TEXT = 4000
const VALUE = 1024

const colourOf = (setting: unknown): number | undefined => {
  const [, digits] = /^#([0-9a-f]{6})$/i.exec(String(setting)) ?? []
  return digits === undefined ? undefined : Number.parseInt(digits, 16)
}

/** Escapes characters that would format the text or mention people. */
const escaped = (text: string): string => text.replaceAll(/[\\*_~`|>#[\]()<:@-]/g, '\\$&')

/** Shortened without splitting a character. */
const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`

/** An embed for each notification, in the format of Discord's webhooks. */
const plugin: Plugin = ({ settings }) => {
  const colours = {
    info: colourOf(settings.infoColour),
    warn: colourOf(settings.warnColour),
    error: colourOf(settings.errorColour),
  }
  return {
    health() {
      const isComplete = Object.values(colours).every((colour) => colour !== undefined)
      return {
        ok: isComplete,
        message: isComplete ? 'Ready' : 'One of its colours is not like #d6404c',
      }
    },
    'notification-style': {
      format: ({ severity, title, body, link, server, happenedAt, panel }) => ({
        body: {
          embeds: [
            {
              author: { name: cut(panel, NAME) },
              title: cut(escaped(title), TITLE),
              url: link,
              description: cut(escaped(body), TEXT),
              timestamp: happenedAt,
              ...(colours[severity] !== undefined && { color: colours[severity] }),
              ...(server && {
                fields: [{ name: 'Server', value: cut(escaped(server.name), VALUE), inline: true }],
              }),
            },
          ],
        },
      }),
    },
  }
}
export default plugin
