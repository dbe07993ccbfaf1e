import { counter, type Family, gauge, map, series } from '../figures/family.ts'
import type { DurationSeries } from '../jobs/board/durations.ts'
import type { Services } from '../services.ts'

/** Open resources of this instance. */
export function instanceFamilies(
  { fleet, live, jobs }: Pick<Services, 'fleet' | 'live' | 'jobs'>,
  databaseUp: boolean,
): Family[] {
  const figures = fleet.metrics()
  const consoles = new Map([
    ['console', 0],
    ['install_log', 0],
  ])
  for (const { kind } of fleet.openRelays()) consoles.set(kind, (consoles.get(kind) ?? 0) + 1)
  return [
    gauge('lodge_database_up', 'Whether the database answered for this page.', [
      [{}, databaseUp ? 1 : 0],
    ]),
    gauge('lodge_sse_clients', 'Open panels that are told of changes.', [[{}, live.viewers]]),
    gauge(
      'lodge_console_sessions',
      'Open consoles by kind.',
      map(consoles, ([kind, count]) => [{ kind }, count]),
    ),
    gauge('lodge_agent_streams', 'Agents that are connected to this instance.', [
      [{}, figures.connectedNodes],
    ]),
    counter(
      'lodge_agent_streams_opened_total',
      'Streams that agents have opened, reconnects included.',
      figures.sessionsOpened,
    ),
    counter(
      'lodge_agent_streams_refused_total',
      'Streams of agents that were refused.',
      figures.sessionsRefused,
    ),
    counter(
      'lodge_agent_streams_fenced_total',
      'Streams that ended because a newer one took over.',
      figures.sessionsFenced,
    ),
    {
      name: 'lodge_node_streams_opened_total',
      help: 'Streams that the agent of a node has opened to this instance: one more with each reconnect.',
      type: 'counter',
      lines: map(figures.openedByNode, ([node, opened]) =>
        series('lodge_node_streams_opened_total', { node }, opened),
      ),
    },
    {
      name: DURATION,
      help: 'Time from when a job was asked for until it ended on this instance.',
      type: 'histogram',
      lines: durationLines(jobs.durations.all()),
    },
    counter('lodge_agent_messages_total', 'Messages heard from agents.', figures.messagesHeard),
    counter(
      'lodge_relays_opened_total',
      'Byte streams joined between browsers and nodes.',
      figures.relaysOpened,
    ),
    counter('lodge_relays_refused_total', 'Byte streams that were refused.', figures.relaysRefused),
  ]
}

const DURATION = 'lodge_job_duration_seconds'

function* durationLines(all: readonly DurationSeries[]): Generator<string> {
  for (const { kind, state, within, count, sumSeconds } of all) {
    for (const [bound, below] of within)
      yield series(`${DURATION}_bucket`, { kind, state, le: String(bound) }, below)
    yield series(`${DURATION}_bucket`, { kind, state, le: '+Inf' }, count)
    yield series(`${DURATION}_sum`, { kind, state }, sumSeconds)
    yield series(`${DURATION}_count`, { kind, state }, count)
  }
}
