import type { TemplateDocument } from './document.ts'
import { oneLine } from './one-line.ts'
import { type Placeholder, substitute } from './placeholders.ts'
import { variableValue } from './resolve.ts'

/** A server as the people who connect to it see it. */
export interface ReachedServer {
  readonly name: string
  readonly address: string | null
  /** By offset; 0 is the primary one. */
  readonly ports: readonly { readonly offset: number; readonly hostPort: number }[]
  readonly variables: Readonly<Record<string, string>>
}

const HINT_MOST = 512

/**
 * How to connect, in the words of the template, filled in for one server. Unlike in a container,
 * ports are those outside. Everybody who sees the server reads this, so variables that they may not
 * read stay out; a hint that needs an unknown address is left out.
 */
export function connectionHints(document: TemplateDocument, server: ReachedServer): string[] {
  const { address } = server
  if (address === null) return []
  const portAt = (offset: number): string | undefined =>
    server.ports.find((port) => port.offset === offset)?.hostPort.toString()
  const facts: Readonly<Record<string, string | undefined>> = {
    'server.name': server.name,
    'server.address': address,
    'server.port': portAt(0),
  }
  const replacement = ({ kind, name }: Placeholder): string | undefined => {
    if (kind === 'fact') return facts[name]
    if (name === 'SERVER_PORT') return portAt(0)
    const offset = /^SERVER_PORT_(\d{1,2})$/.exec(name)?.[1]
    if (offset !== undefined) return portAt(Number(offset))
    const variable = document.variables.find(({ env }) => env === name)
    const open = variable?.userViewable && !variable.secret
    return open ? oneLine(variableValue(variable, server.variables)) : undefined
  }
  return (document.connection ?? []).flatMap((hint) => {
    const { text, unknown } = substitute(hint, replacement)
    return unknown.length > 0 ? [] : [text.slice(0, HINT_MOST)]
  })
}
