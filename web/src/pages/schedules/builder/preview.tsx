import { cronProblem } from '@lodge/shared/cron/expression.ts'
import type { Occurrence } from '@lodge/shared/schedules.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { why } from '../../../panel/said.ts'
import { q } from '../../../query.ts'
import { Ago } from '../../../ui/data/time.tsx'
import { dateText } from '../../../ui/locale/timestamps.ts'
import { Note } from '../../../ui/notices/note.tsx'
import { ProblemNote } from '../../../ui/notices/problem-note.tsx'
import styles from '../schedules.module.css'
import { timingOf, type When } from '../when.ts'
import { whenWords } from '../when-words.ts'
import { t } from '../words.ts'

const COUNT = 5

/** Why there is nothing to preview yet; undefined where there is. */
function whyNone({ repeats, every, cron }: When): string | undefined {
  if (repeats !== 'interval') return cron === '' ? t.cronIncomplete : why(cronProblem(cron))
  return every !== undefined && every >= 1 ? undefined : t.everyMissing
}

const clockIn = (local: string): string => local.slice(11, 16)

/** Date and time in the schedule's zone. */
const onItsClock = (local: string): string => {
  const [day = ''] = local.split('T')
  const date = dateText(`${day}T12:00:00Z`, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
  return t.dayAndTime({ date, time: clockIn(local) })
}

/** The effect of daylight saving time on a run. */
function daylightWords({ daylight, local }: Occurrence): string | undefined {
  if (daylight === null) return undefined
  const { change, clock } = daylight
  const date = dateText(`${daylight.date}T12:00:00Z`, { dateStyle: 'long', timeZone: 'UTC' })
  return {
    moved: () => t.clockMoved({ clock, date, time: clockIn(local) }),
    left_out: () => t.clockLeftOut({ clock, date }),
    first_only: () => t.clockFirstOnly({ clock, date }),
    second: () => t.clockSecond({ clock, date }),
  }[change]()
}

/** The next runs, with the effects of daylight saving time. */
export function Preview({ when, timezone }: { when: When; timezone: string }) {
  const none = whyNone(when)
  const query = useDeferredValue({ ...timingOf(when), timezone, count: COUNT })
  const preview = useQuery({
    ...q('GET /api/cron/preview', { query }),
    enabled: none === undefined,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  if (none !== undefined)
    return (
      <p className={styles.none} role="status">
        {t.noPreview({ reason: none })}
      </p>
    )
  const timing = timingOf(when)
  const words = whenWords({
    cron: timing.cron ?? null,
    intervalMinutes: timing.intervalMinutes ?? null,
    timezone,
  })
  return (
    <section className={styles.preview} aria-label={t.nextRuns}>
      <p role="status">
        <b>{words}</b>
      </p>
      {preview.error ? <ProblemNote error={preview.error} /> : null}
      {preview.data?.occurrences.length === 0 ? <p>{t.neverRuns}</p> : null}
      <ol>
        {preview.data?.occurrences.map(({ at, local }) => (
          <li key={at}>
            <span>{onItsClock(local)}</span>
            <Ago at={at} />
          </li>
        ))}
      </ol>
      {preview.data?.occurrences.map((one) => {
        const words = daylightWords(one)
        return words === undefined ? null : (
          <Note key={one.at} tone="info">
            {words}
          </Note>
        )
      })}
    </section>
  )
}
