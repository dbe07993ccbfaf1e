import { whyNoAgentLog } from '@lodge/shared/node-abilities.ts'
import { useQuery } from '@tanstack/react-query'
import Download from 'lucide-react/icons/download'
import RefreshCw from 'lucide-react/icons/refresh-cw'
import { useState } from 'react'
import { q } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Segments } from '../../ui/choices/segments.tsx'
import { saveText } from '../../ui/data/save-file.ts'
import { timestampText } from '../../ui/data/timestamps.ts'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Row } from '../../ui/page/layout.tsx'
import tones from '../../ui/page/tone.module.css'
import { isProblem, type LogLine, readLogLine } from './log-lines.ts'
import styles from './nodes.module.css'
import { useNode } from './use-node.ts'

const LINES = 1_000
const TONES = { debug: tones.idle, info: tones.idle, warn: tones.warn, error: tones.err }
const WORDS = { debug: 'debug', info: 'info', warn: 'warning', error: 'error' }

/** The newest entries of the log of a node's agent. */
export default function LogTab() {
  const node = useNode()
  const why = whyNoAgentLog(node)
  const offline = node.connectedSince === null
  const log = useQuery({
    ...q('GET /api/nodes/{id}/log', { params: { id: node.id }, query: { lines: LINES } }),
    enabled: !offline && why === undefined,
    // Each reading asks the agent; an open page does not do so by itself.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const [only, setOnly] = useState<'all' | 'problems'>('all')
  if (offline && !log.data)
    return (
      <Card>
        <Empty title={`${node.name} is not connected`} art="offline">
          Its log is on the machine itself: <code>journalctl -u lodge-agent</code>
        </Empty>
      </Card>
    )
  if (why !== undefined)
    return (
      <Card>
        <Empty title={why} art="missing">
          Update it, or read the log on the machine: <code>journalctl -u lodge-agent</code>
        </Empty>
      </Card>
    )
  const lines = log.data?.lines ?? []
  return (
    <Card
      title="Agent log"
      flush
      actions={
        <Row>
          <Segments
            label="Entries"
            value={only}
            choices={[
              { value: 'all', label: 'All' },
              { value: 'problems', label: 'Warnings and errors' },
            ]}
            onChange={setOnly}
          />
          <Button
            size="small"
            icon={<Download />}
            disabledBecause={lines.length === 0 ? 'There is nothing to download' : undefined}
            onClick={() => saveText(`${node.name}-agent.log`, `${lines.join('\n')}\n`)}
          >
            Download
          </Button>
          <Button
            size="small"
            icon={<RefreshCw />}
            busy={log.isFetching}
            disabledBecause={offline ? `${node.name} is not connected` : undefined}
            onClick={() => void log.refetch()}
          >
            Refresh
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
      <Empty title={only === 'all' ? 'The log is empty' : 'No warnings and no errors'} art="calm">
        The agent keeps its newest 2,000 entries since it started.
      </Empty>
    )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <ol className={styles.log} aria-label="Log entries, newest first" tabIndex={0}>
      {shown.toReversed().map((line, index) => (
        <li key={`${shown.length - index} ${line.at}`} className={TONES[line.level] ?? ''}>
          {line.at === null ? (
            <span />
          ) : (
            <time dateTime={line.at} title={timestampText(line.at)}>
              {timestampText(line.at, { timeStyle: 'medium' })}
            </time>
          )}
          <span>{WORDS[line.level]}</span>
          <div>
            {line.message} <small>{line.details}</small>
          </div>
        </li>
      ))}
    </ol>
  )
}
