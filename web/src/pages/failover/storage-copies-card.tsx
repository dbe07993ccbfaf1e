import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Reply } from '../../api.ts'
import { paths } from '../../paths.ts'
import { useAct } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Column as Stack, Text } from '../../ui/page/layout.tsx'
import { rich } from '../../ui/page/rich.ts'
import { CopyFailed } from './copies-card.tsx'
import { t } from './words.ts'

type Copy = Reply<'GET /api/failover/status'>['storageCopies'][number]

const columns = (): readonly Column<Copy>[] => [
  {
    header: t.server,
    role: 'title',
    cell: ({ serverId, serverName }) =>
      serverName === null ? (
        serverId
      ) : (
        <Link to={paths.server} params={{ id: serverId }}>
          {serverName}
        </Link>
      ),
  },
  { header: t.onNode, cell: ({ nodeName }) => nodeName },
  {
    header: t.copyPlace,
    cell: ({ storage }) => (storage === null ? t.copyOnDisk : (storage.name ?? t.copyOnLost)),
  },
  { header: t.copyState, cell: (copy) => <State copy={copy} /> },
  { header: t.actions, role: 'acts', cell: (copy) => <Forget copy={copy} /> },
]

function State({ copy: { failed, keptUntil, isOnline } }: { copy: Copy }) {
  if (failed) return <CopyFailed what={t.copyNotDeleted} failed={failed} />
  if (keptUntil !== null)
    // A single element, because a card on a phone would take two for two parts.
    return <span>{rich(t.copyKept({ when: () => <Ago at={keptUntil} /> }))}</span>
  return isOnline ? t.copyDue : t.copyWaits
}

function Forget({ copy }: { copy: Copy }) {
  const { nodeId, serverId, nodeName: node, storage } = copy
  const missing = useMissing()('nodes.manage')
  const [isOpen, setOpen] = useState(false)
  const forget = useAct('DELETE /api/nodes/{id}/storage-copies/{serverId}', [
    'GET /api/failover/status',
  ])
  return (
    <>
      <Button size="small" disabledBecause={missing} onClick={() => setOpen(true)}>
        {t.forgetCopyOpen}
      </Button>
      {isOpen ? (
        <ConfirmDialog
          opened
          onClose={() => setOpen(false)}
          title={t.forgetCopyOf({ server: copy.serverName ?? serverId, node })}
          verb={t.forgetCopy}
          onConfirm={() =>
            forget.mutateAsync({ params: { id: nodeId, serverId }, query: { confirm: 'true' } })
          }
        >
          <Text>{storage === null ? t.forgetCopyDisk({ node }) : t.forgetCopyStorage}</Text>
        </ConfirmDialog>
      ) : null}
    </>
  )
}

/** What changes of storage have left, as long as it is not deleted. */
export function StorageCopiesCard({ copies }: { copies: readonly Copy[] }) {
  return (
    <Stack gap={10}>
      <Card title={t.storageCopies} flush>
        <Table
          label={t.storageCopies}
          rows={copies}
          columns={columns()}
          keyOf={({ serverId, nodeId }) => `${serverId} ${nodeId}`}
          empty={null}
        />
      </Card>
      <Text small muted>
        {t.storageCopiesText}
      </Text>
    </Stack>
  )
}
