import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { Mail, ServerPage } from '../../events/mails.ts'

/** Variables available in every mail, with sample values for previews. */
export const COMMON_VARIABLES = {
  'panel.name': 'Lodge',
  'panel.url': 'https://panel.example.com',
  'user.name': 'Sam',
  'user.email': 'sam@example.com',
} as const

/**
 * The link of a mail; undefined for mail without one. Tokens are in the fragment, which browsers do
 * not send, so no server or proxy logs them.
 */
export function linkOf(
  { opens, once }: Mail,
  panelUrl: string,
  token: string | undefined,
  variables: Readonly<Record<string, string>>,
): string | undefined {
  if (opens === undefined || (once && token === undefined)) return undefined
  const path = isOfServer(opens)
    ? panelPath(opens, { id: variables.serverId ?? '' })
    : panelPath(opens)
  return `${panelUrl}${path}${token === undefined ? '' : `#token=${token}`}`
}

const isOfServer = (opens: NonNullable<Mail['opens']>): opens is ServerPage =>
  opens === 'serverConsole' || opens === 'serverBackups'

/** A sample value for every variable of a mail, for previews. */
export function samplesOf(mail: Mail): Readonly<Record<string, string>> {
  const { variables, once } = mail
  const link = linkOf(mail, COMMON_VARIABLES['panel.url'], once ? 'sample' : undefined, variables)
  return {
    ...variables,
    ...(link !== undefined && { link }),
    ...(once && { expires: '22 November 2026, 09:30 UTC' }),
  }
}

/** Variables a template may use, dotted. */
export const variablesOf = (mail: Mail): string[] => [
  ...Object.keys(COMMON_VARIABLES),
  ...Object.keys(samplesOf(mail)),
]
