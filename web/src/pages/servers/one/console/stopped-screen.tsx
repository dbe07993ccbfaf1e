import type { Server } from '@lodge/shared/servers.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { why } from '../../../../panel/said.ts'
import { q } from '../../../../query.ts'
import { ServerPill } from '../../../../ui/data/status.tsx'
import { Text } from '../../../../ui/page/layout.tsx'
import { SCROLLS } from '../../../../ui/panes/output.tsx'
import { StartButton } from '../../start-button.tsx'
import { whyItEnded } from '../crashes/crash-words.ts'
import { plainLine } from '../plain-line.ts'
import styles from './console.module.css'
import type { ViewSettings } from './view-settings.ts'
import { t } from './words.ts'

/** The last output of a stopped server, with the one possible action. */
export function StoppedScreen({ server, view }: { server: Server; view: ViewSettings }) {
  const log = useQuery({
    ...q('GET /api/servers/{id}/logs', {
      params: { id: server.id },
      query: { lines: 200, source: 'run' },
    }),
    staleTime: 0,
    retry: false,
  })
  const end = useRef<HTMLElement>(null)
  const lines = log.data?.lines.length
  useEffect(() => {
    if (lines) end.current?.scrollTo({ top: end.current.scrollHeight })
  }, [lines])
  return (
    <div className={styles.stopped}>
      <section
        ref={end}
        className={view.wrap ? styles.last : `${styles.last} ${styles.long}`}
        style={{ fontSize: view.size }}
        aria-label={t.lastOutput}
        data-console-text
        {...SCROLLS}
      >
        {log.data?.lines.map(plainLine).join('\n')}
      </section>
      <div className={styles.ended}>
        <ServerPill status={server.status} />
        <Text muted>
          {why(server.failure?.detail) ?? whyItEnded(server.lastExit) ?? t.isLastOutput}
        </Text>
        <StartButton server={server} />
      </div>
    </div>
  )
}
