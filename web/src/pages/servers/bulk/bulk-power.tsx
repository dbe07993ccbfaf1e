import type { Server } from '@lodge/shared/servers.ts'
import { useQueryClient } from '@tanstack/react-query'
import Play from 'lucide-react/icons/play'
import RotateCw from 'lucide-react/icons/rotate-cw'
import Square from 'lucide-react/icons/square'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { BulkBar, type Outcome, type OutcomeCounts } from '../../../ui/data/bulk-bar.tsx'
import { useBulk } from '../../../ui/data/use-bulk.ts'
import { ConfirmDialog } from '../../../ui/dialogs/confirm.tsx'
import { whyNoPower } from '../power.ts'
import { t } from './words.ts'

type BulkAction = 'start' | 'stop' | 'restart'

const outcome = (action: BulkAction): ((counts: OutcomeCounts) => string) =>
  ({ start: t.starting, stop: t.stopping, restart: t.restarting })[action]

/** From this many servers on, the number must be typed to confirm. */
const MANY = 10

const ask = async (server: Server, action: BulkAction): Promise<Outcome> => {
  const { id, name } = server
  const blocked = whyNoPower(action, server)
  if (blocked) return { id, name, refusal: blocked }
  return api('POST /api/servers/{id}/actions', { params: { id }, body: { action } }).then(
    () => ({ id, name, refusal: undefined }),
    (error: Error) => ({ id, name, refusal: error.message }),
  )
}

/** The bar below selected servers: one action for all, with a result for each. */
export default function BulkPower({
  servers,
  onClear,
}: {
  servers: readonly Server[]
  onClear: () => void
}) {
  const client = useQueryClient()
  const [asking, setAsking] = useState<'stop' | 'restart'>()
  const { last, busy, run, retry } = useBulk(servers, ask, () =>
    client.invalidateQueries({ queryKey: ['GET /api/jobs'] }),
  )
  const count = servers.length
  const title = (asking === 'stop' ? t.stopMany : t.restartMany)({ count })
  return (
    <>
      <BulkBar
        label={t.selected}
        selected={t.countSelected({ count })}
        outcomes={last?.outcomes}
        outcome={last && outcome(last.action)}
        busy={busy}
        onRetry={retry}
        onClear={onClear}
      >
        <Button
          size="small"
          icon={<Play />}
          busy={busy !== undefined}
          onClick={() => void run('start')}
        >
          {t.start}
        </Button>
        <Button
          size="small"
          icon={<Square />}
          busy={busy !== undefined}
          onClick={() => setAsking('stop')}
        >
          {t.stop}
        </Button>
        <Button
          size="small"
          icon={<RotateCw />}
          busy={busy !== undefined}
          onClick={() => setAsking('restart')}
        >
          {t.restart}
        </Button>
      </BulkBar>
      {asking === undefined ? null : (
        <ConfirmDialog
          opened
          onClose={() => setAsking(undefined)}
          title={title}
          verb={title}
          {...(servers.length > MANY ? { typed: String(servers.length) } : {})}
          onConfirm={() => run(asking)}
        >
          {t.disconnectsMany}
        </ConfirmDialog>
      )}
    </>
  )
}
