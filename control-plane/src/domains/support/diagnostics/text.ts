import type { Diagnostics } from '@lodge/shared/support/diagnostics.ts'
import type { Redactions } from './redact.ts'

const WHY: Readonly<Record<NonNullable<Diagnostics['consoleMissing']>, string>> = {
  no_permission: 'whoever took this may not read the console',
  node_unavailable: 'the node was not connected',
  no_output: 'there was no output',
}

/** Diagnostics as a text to read and send. */
export function textOf(
  given: Omit<Diagnostics, 'redacted' | 'text'>,
  redactions: Redactions,
): string {
  const { server } = given
  const template = server.template && `${server.template} version ${server.templateVersion ?? '?'}`
  const taken = Object.entries(redactions).flatMap(([rule, count]) =>
    count === 0 ? [] : [`${rule.replaceAll('_', ' ')}: ${count}`],
  )
  return [
    `Server ${server.name} (${server.id}), ${given.takenAt}`,
    `State: ${server.state}${server.since ? ` since ${server.since}` : ''}`,
    ...(server.failure ? [`Failure: ${server.failure}`] : []),
    ...(server.holds.length > 0 ? [`Held by: ${server.holds.join(', ')}`] : []),
    `Node: ${server.nodeName}`,
    ...(template ? [`Made from: ${template}`] : []),
    `Size: ${server.memoryMib} MiB memory, ${server.cpuPercent}% CPU, ${server.diskMib} MiB disk`,
    `Ports: ${given.ports.join(', ') || 'none'}`,
    `Variables: ${given.variables.join(', ') || 'none'}`,
    ...part('Events', given.events),
    ...part('Jobs', given.jobs),
    ...(given.consoleMissing
      ? ['', `Console: ${WHY[given.consoleMissing]}`]
      : part('Console', given.console ?? [])),
    '',
    `Taken out: ${taken.join(', ') || 'nothing'}`,
    '',
  ].join('\n')
}

const part = (title: string, lines: readonly string[]): string[] => [
  '',
  `${title}:`,
  ...(lines.length === 0 ? ['none'] : lines),
]
