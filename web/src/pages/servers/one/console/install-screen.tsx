import type { Server } from '@lodge/shared/servers.ts'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../../query.ts'
import { LoadFailed } from '../../../../ui/notices/states.tsx'
import { Text } from '../../../../ui/page/layout.tsx'
import { SCROLLS } from '../../../../ui/panes/output.tsx'
import { plainLine } from '../plain-line.ts'
import styles from './console.module.css'
import type { ViewSettings } from './view-settings.ts'
import { t } from './words.ts'

const LINES = 2_000

/** The output of the last installation, after it has ended. */
export function InstallScreen({ server, view }: { server: Server; view: ViewSettings }) {
  const log = useQuery({
    ...q('GET /api/servers/{id}/logs', {
      params: { id: server.id },
      query: { lines: LINES, source: 'install' },
    }),
    staleTime: 0,
    retry: false,
  })
  const text = log.data?.lines.map(plainLine).join('\n')
  return (
    <div className={styles.stopped}>
      {log.isError ? (
        <div className={styles.over}>
          <div>
            <LoadFailed error={log.error} onRetry={() => void log.refetch()} />
          </div>
        </div>
      ) : text === undefined || text === '' ? (
        <div className={styles.over}>
          <div>
            <Text muted>{text === '' ? t.installPrintedNothing : t.readingInstallLog}</Text>
          </div>
        </div>
      ) : (
        <section
          className={view.wrap ? styles.last : `${styles.last} ${styles.long}`}
          style={{ fontSize: view.size }}
          aria-label={t.installLog}
          data-console-text
          {...SCROLLS}
        >
          {text}
        </section>
      )}
    </div>
  )
}
