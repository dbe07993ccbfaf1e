import { whyNoAgentLog } from '@lodge/shared/node-abilities.ts'
import { useQuery } from '@tanstack/react-query'
import Download from 'lucide-react/icons/download'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import { useState } from 'react'
import { why } from '../../panel/said.ts'
import { q } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Segments } from '../../ui/choices/segments.tsx'
import { saveText } from '../../ui/data/save-file.ts'
import { timestampText } from '../../ui/locale/timestamps.ts'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Row } from '../../ui/page/layout.tsx'
import { rich } from '../../ui/page/rich.ts'
import tones from '../../ui/page/tone.module.css'
import { isProblem, type LogLine, readLogLine } from './log-lines.ts'
import styles from './nodes.module.css'
import { useNode } from './use-node.ts'
import { t } from './words.ts'

const LINES = 1_000
const TONES = { debug: tones.idle, info: tones.idle, warn: tones.warn, error: tones.err }
const WORDS = {
  debug: () => t.levelDebug,
  info: () => t.levelInfo,
  warn: () => t.levelWarning,
  error: () => t.levelError,
}
const command = (text: string) => <code>{text}</code>

/** The newest entries of the log of a node's agent. */
export default function LogTab() {
  const node = useNode()
  const lacks = why(whyNoAgentLog(node))
  const offline = node.connectedSince === null
  const log = useQuery({
    ...q('GET /api/nodes/{id}/log', { params: { id: node.id }, query: { lines: LINES } }),
    enabled: !offline && lacks === undefined,
    // Each fetch calls the agent, so an open page does not refetch by itself.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const [only, setOnly] = useState<'all' | 'problems'>('all')
  if (offline && !log.data)
    return (
      <Card>
        <Empty title={t.notConnected({ node: node.name })} art="offline">
          {rich(t.logOnMachine({ command }))}
        </Empty>
      </Card>
    )
  if (lacks !== undefined)
    return (
      <Card>
        <Empty title={lacks} art="missing">
          {rich(t.logNeedsUpdate({ command }))}
        </Empty>
      </Card>
    )
  const lines = log.data?.lines ?? []
  return (
    <Card
      title={t.agentLog}
      flush
      actions={
        <Row>
          <Segments
            label={t.entries}
            value={only}
            choices={[
              { value: 'all', label: t.allEntries },
              { value: 'problems', label: t.problems },
            ]}
            onChange={setOnly}
          />
          <Button
            size="small"
            icon={<Download />}
            disabledBecause={lines.length === 0 ? t.nothingToDownload : undefined}
            onClick={() => saveText(`${node.name}-agent.log`, `${lines.join('\n')}\n`)}
          >
            {t.download}
          </Button>
          <Button
            size="small"
            icon={<RefreshCw />}
            busy={log.isFetching}
            disabledBecause={offline ? t.notConnected({ node: node.name }) : undefined}
            onClick={() => void log.refetch()}
          >
            {t.refresh}
          </Button>
        </Row>
      }
    >
      <Loaded query={log} lines={12}>
        {(found) => <Entries lines={found.lines.map(readLogLine)} only={only} />}
      </Loaded>
    </Card>
  )
}

function Entries({ lines, only }: { lines: readonly LogLine[]; only: 'all' | 'problems' }) {
  const shown = only === 'all' ? lines : lines.filter(isProblem)
  if (shown.length === 0)
    return (
      <Empty title={only === 'all' ? t.logEmpty : t.noProblems} art="calm">
        {t.logKept}
      </Empty>
    )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <ol className={styles.log} aria-label={t.logEntries} tabIndex={0}>
      {shown.toReversed().map((line, index) => (
        <li key={`${shown.length - index} ${line.at}`} className={TONES[line.level] ?? ''}>
          {line.at === null ? (
            <span />
          ) : (
            <time dateTime={line.at} title={timestampText(line.at)}>
              {timestampText(line.at, { timeStyle: 'medium' })}
            </time>
          )}
          <span>{WORDS[line.level]()}</span>
          <div>
            {line.message} <small>{line.details}</small>
          </div>
        </li>
      ))}
    </ol>
  )
}
