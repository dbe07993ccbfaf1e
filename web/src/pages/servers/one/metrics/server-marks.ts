import type { ServerEvent } from '@lodge/shared/servers.ts'
import type { VmSnapshot } from '@lodge/shared/vms.ts'
import type { ChartMark } from '../../../../ui/charts/chart-data.ts'
import { eventTone, eventWord, exitWords } from '../crashes/crash-words.ts'
import { t } from './words.ts'

/** Why something happened, in one line: `Out of memory. Restart 1 of 3 in 5 s.` */
function detailOf({ exit, reason, restart }: ServerEvent): string {
  const parts = [
    exitWords(exit),
    reason,
    restart
      ? t.restart({
          attempt: restart.attempt,
          most: restart.of,
          seconds: restart.waitSeconds,
        })
      : '',
  ]
  return parts
    .filter((part) => part !== '')
    .map((part) => part.replace(/[^.]$/, '$&.'))
    .join(' ')
}

interface Happened {
  readonly events: readonly ServerEvent[]
  readonly snapshots: readonly VmSnapshot[]
  readonly createdAt: string
  /** Start of the range of the events. */
  readonly from: string
}

/** Events of a server as marks on its charts. */
export function serverMarks({
  events,
  snapshots,
  createdAt,
  from,
}: Happened): readonly ChartMark[] {
  const installed = events
    .filter(({ kind }) => kind === 'installed')
    .toSorted((a, b) => a.at.localeCompare(b.at))
  const first = Date.parse(from) <= Date.parse(createdAt) ? installed[0] : undefined
  return [
    ...events.map(
      (event): ChartMark => ({
        id: event.id,
        at: Date.parse(event.at) / 1000,
        tone: eventTone(event),
        word: event.kind === 'installed' && event !== first ? t.reinstalled : eventWord(event),
        detail: detailOf(event),
      }),
    ),
    ...snapshots.map(
      ({ id, createdAt: at, name }): ChartMark => ({
        id,
        at: Date.parse(at) / 1000,
        tone: 'info',
        word: t.snapshot,
        detail: name,
      }),
    ),
  ]
}
