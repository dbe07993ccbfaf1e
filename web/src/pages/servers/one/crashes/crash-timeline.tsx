import type { ServerEvent } from '@lodge/shared/servers.ts'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import CircleDot from 'lucide-react/icons/circle-dot'
import { saidReason } from '../../../../panel/said.ts'
import { Pill } from '../../../../ui/data/status.tsx'
import { Ago } from '../../../../ui/data/time.tsx'
import { Empty } from '../../../../ui/notices/states.tsx'
import { Row, Text } from '../../../../ui/page/layout.tsx'
import tones from '../../../../ui/page/tone.module.css'
import { Output } from '../../../../ui/panes/output.tsx'
import { plainLine } from '../plain-line.ts'
import styles from '../server.module.css'
import { eventTone, eventWord, exitWords } from './crash-words.ts'
import { t } from './words.ts'

const iconOf = (event: ServerEvent) =>
  ({
    err: CircleAlert,
    ok: CircleCheck,
    warn: CircleAlert,
    info: CircleDot,
    pend: CircleDot,
    idle: CircleDot,
  })[eventTone(event)]

function Entry({ event }: { event: ServerEvent }) {
  const Icon = iconOf(event)
  const exit = event.exit?.outOfMemory ? '' : exitWords(event.exit)
  return (
    <li className={`${styles.event} ${tones[eventTone(event)]}`}>
      <Icon aria-hidden />
      <div>
        <Row between>
          <Row gap={6}>
            <Text strong>{eventWord(event)}</Text>
            {exit === '' ? null : <Pill tone="idle">{exit}</Pill>}
            {event.exit?.outOfMemory && event.kind !== 'out_of_memory' ? (
              <Pill tone="err">{t.outOfMemory}</Pill>
            ) : null}
            {event.restart ? (
              <Pill tone="info">
                {t.restartOf({ attempt: event.restart.attempt, most: event.restart.of })}
              </Pill>
            ) : null}
          </Row>
          <Text small muted>
            <Ago at={event.at} />
          </Text>
        </Row>
        <Text muted>{saidReason(event.reason)}</Text>
        {event.lastLines.length > 0 ? (
          <details>
            <summary>{t.lastLines({ count: event.lastLines.length })}</summary>
            <Output label={t.lastOutput} text={event.lastLines.map(plainLine).join('\n')} />
          </details>
        ) : null}
      </div>
    </li>
  )
}

/** The history of a server, newest first, with the reason for every decision. */
export function CrashTimeline({ events }: { events: readonly ServerEvent[] }) {
  if (events.length === 0)
    return (
      <Empty title={t.nothingYet} art="calm">
        {t.nothingYetText}
      </Empty>
    )
  return (
    <ol className={styles.timeline}>
      {events.map((event) => (
        <Entry key={event.id} event={event} />
      ))}
    </ol>
  )
}
