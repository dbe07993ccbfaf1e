import type { Server } from '@lodge/shared/servers.ts'
import { useQueryClient } from '@tanstack/react-query'
import Play from 'lucide-react/icons/play'
import RotateCw from 'lucide-react/icons/rotate-cw'
import Square from 'lucide-react/icons/square'
import { useState } from 'react'
import { api } from '../../api.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { Row, Text } from '../../ui/page/layout.tsx'
import { whyNoPower } from './power.ts'
import styles from './servers.module.css'

type BulkAction = 'start' | 'stop' | 'restart'
interface Result {
  readonly server: Server
  readonly refusal: string | undefined
}

const AT_ONCE = 6
/** From this many servers on, the number must be typed to confirm. */
const MANY = 10

/** Runs `work` over all items with limited concurrency. */
async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const queue = items.entries()
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return results
}

/** The bar below selected servers: one action for all, with a result for each. */
export function BulkPower({
  servers,
  onClear,
}: {
  servers: readonly Server[]
  onClear: () => void
}) {
  const client = useQueryClient()
  const [asking, setAsking] = useState<BulkAction>()
  const [results, setResults] = useState<readonly Result[]>()
  const [busy, setBusy] = useState(false)

  const ask = async (server: Server, action: BulkAction): Promise<Result> => {
    const blocked = whyNoPower(action, server)
    if (blocked) return { server, refusal: blocked }
    return api('POST /api/servers/{id}/actions', {
      params: { id: server.id },
      body: { action },
    }).then(
      () => ({ server, refusal: undefined }),
      (error: Error) => ({ server, refusal: error.message }),
    )
  }
  const run = async (action: BulkAction, on: readonly Server[]): Promise<void> => {
    setBusy(true)
    setResults(await inTurns(on, (server) => ask(server, action)))
    setBusy(false)
    await client.invalidateQueries({ queryKey: ['GET /api/jobs'] })
  }

  const count = `${servers.length} ${servers.length === 1 ? 'server' : 'servers'}`
  const refused = results?.filter((result) => result.refusal !== undefined) ?? []
  return (
    <section className={styles.bulk} aria-label="Selected servers">
      <Row between>
        <Text strong>{count} selected</Text>
        <Row gap={6}>
          <Button
            size="small"
            icon={<Play />}
            busy={busy}
            onClick={() => void run('start', servers)}
          >
            Start
          </Button>
          <Button size="small" icon={<Square />} busy={busy} onClick={() => setAsking('stop')}>
            Stop
          </Button>
          <Button size="small" icon={<RotateCw />} busy={busy} onClick={() => setAsking('restart')}>
            Restart
          </Button>
          <Button size="small" kind="quiet" onClick={onClear}>
            Clear
          </Button>
        </Row>
      </Row>
      <div role="status">
        {results
          ? `${results.length - refused.length} of ${results.length} accepted${refused.length > 0 ? `, ${refused.length} refused:` : ''}`
          : ''}
        <ul>
          {refused.map(({ server, refusal }) => (
            <li key={server.id}>
              {server.name}: {refusal}
            </li>
          ))}
        </ul>
      </div>
      {asking === undefined ? null : (
        <ConfirmDialog
          opened
          onClose={() => setAsking(undefined)}
          title={`${asking === 'stop' ? 'Stop' : 'Restart'} ${count}`}
          verb={`${asking === 'stop' ? 'Stop' : 'Restart'} ${count}`}
          {...(servers.length > MANY ? { typed: String(servers.length) } : {})}
          onConfirm={() => run(asking, servers)}
        >
          Everybody who is connected to them is disconnected.
        </ConfirmDialog>
      )}
    </section>
  )
}
