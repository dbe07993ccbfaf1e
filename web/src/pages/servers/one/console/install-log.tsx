import type { Server } from '@lodge/shared/servers.ts'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../../query.ts'
import { Dialog } from '../../../../ui/dialogs/dialog.tsx'
import { LoadFailed } from '../../../../ui/notices/states.tsx'
import { Text } from '../../../../ui/page/layout.tsx'
import { Output } from '../../../../ui/panes/output.tsx'
import { plainLine } from '../plain-line.ts'

const LINES = 2_000

/** The output of a server's last installation. */
export function InstallLog({
  server,
  opened,
  onClose,
}: {
  server: Server
  opened: boolean
  onClose: () => void
}) {
  return (
    <Dialog title={`Install log of ${server.name}`} opened={opened} onClose={onClose} wide>
      {opened ? <Lines server={server} /> : null}
    </Dialog>
  )
}

function Lines({ server }: { server: Server }) {
  const log = useQuery({
    ...q('GET /api/servers/{id}/logs', {
      params: { id: server.id },
      query: { lines: LINES, source: 'install' },
    }),
    staleTime: 0,
    retry: false,
  })
  if (log.isError) return <LoadFailed error={log.error} onRetry={() => void log.refetch()} />
  if (!log.data) return <Text muted>Reading it from {server.nodeName} …</Text>
  const text = log.data.lines.map(plainLine).join('\n')
  if (text === '') return <Text muted>The last installation printed nothing.</Text>
  return <Output label="Install log" text={text} most={480} />
}
