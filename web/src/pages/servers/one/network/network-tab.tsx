import type { PortMapping, Server } from '@lodge/shared/servers.ts'
import { useQuery } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { q, useAct } from '../../../../query.ts'
import { Button, IconButton } from '../../../../ui/buttons/button.tsx'
import { Copyable } from '../../../../ui/data/copy.tsx'
import { Pill } from '../../../../ui/data/status.tsx'
import { type Column, Table } from '../../../../ui/data/table.tsx'
import { ConfirmDialog } from '../../../../ui/dialogs/confirm.tsx'
import { Dialog } from '../../../../ui/dialogs/dialog.tsx'
import { Loaded } from '../../../../ui/notices/loaded.tsx'
import { Card } from '../../../../ui/page/card.tsx'
import { Column as Stack, Text } from '../../../../ui/page/layout.tsx'
import { GuestPorts } from '../../../vms/network/guest-ports.tsx'
import { MachineNetwork } from '../../../vms/network/machine-network.tsx'
import styles from '../server.module.css'
import { useLacking } from '../use-rights.ts'
import { useServer } from '../use-server.ts'
import { AddPort } from './add-port.tsx'

const protocolWord = (port: PortMapping): string =>
  port.protocol === 'both' ? 'TCP and UDP' : port.protocol.toUpperCase()

const INSIDE: readonly Column<PortMapping>[] = [
  { header: 'Port inside', cell: (port) => <Text mono>{port.container}</Text> },
  { header: 'Protocol', cell: protocolWord },
]

/** A machine's port leads where its NAT rules say. */
const LEADS_TO: readonly Column<PortMapping>[] = [
  { header: 'Leads to port', cell: (port) => <GuestPorts hostPort={port.hostPort} /> },
]

const columns = (
  server: Server,
  lacking: string | undefined,
  onRemove: (port: PortMapping) => void,
): readonly Column<PortMapping>[] => [
  {
    header: 'Address',
    role: 'title',
    cell: (port) => (
      <Copyable
        value={`${server.address ?? server.nodeName}:${port.hostPort}`}
        label={`Copy the address with port ${port.hostPort}`}
      />
    ),
  },
  ...(server.kind === 'vm' ? LEADS_TO : INSIDE),
  {
    header: 'Use',
    cell: (port) =>
      port.offset === 0 ? (
        <Pill tone="info">Primary</Pill>
      ) : (
        (port.label ?? <Text faint>no name</Text>)
      ),
  },
  {
    header: 'Actions',
    role: 'acts',
    cell: (port) => (
      <IconButton
        label={`Remove port ${port.hostPort}`}
        size="small"
        disabledBecause={
          lacking ?? (port.offset === 0 ? 'The primary port cannot be removed' : undefined)
        }
        onClick={() => onRemove(port)}
      >
        <Trash2 />
      </IconButton>
    ),
  },
]

/** The ports of a server, with buttons to add and remove them. */
export default function NetworkTab() {
  const server = useServer()
  const params = { id: server.id }
  const ports = useQuery(q('GET /api/servers/{id}/ports', { params }))
  const remove = useAct('DELETE /api/servers/{id}/ports/{offset}', [
    'GET /api/servers/{id}/ports',
    'GET /api/servers/{id}',
  ])
  const lacking = useLacking(server.id)
  const noAdding = lacking('POST /api/servers/{id}/ports', 'ports.manage')
  const noRemoving = lacking('DELETE /api/servers/{id}/ports/{offset}', 'ports.manage')
  const [adding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<PortMapping>()
  return (
    <Stack>
      <Card
        title="Ports"
        flush
        actions={
          <Button
            size="small"
            icon={<Plus />}
            disabledBecause={noAdding}
            onClick={() => setAdding(true)}
          >
            Add port
          </Button>
        }
      >
        <p className={styles.about}>
          Opened on {server.nodeName}.{' '}
          {server.kind === 'vm'
            ? 'Where they lead in the guest is set below.'
            : 'A change takes effect at the next start.'}
        </p>
        <Loaded query={ports}>
          {({ items }) => (
            <Table
              label="Ports"
              rows={items}
              columns={columns(server, noRemoving, setRemoving)}
              keyOf={(port) => String(port.offset)}
              empty={null}
            />
          )}
        </Loaded>
      </Card>
      {server.kind === 'vm' ? <MachineNetwork serverId={server.id} /> : null}
      <Dialog title="Add port" opened={adding} onClose={() => setAdding(false)}>
        <AddPort serverId={server.id} onDone={() => setAdding(false)} />
      </Dialog>
      <ConfirmDialog
        opened={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        title={`Remove port ${removing?.hostPort ?? ''}`}
        verb="Remove port"
        onConfirm={() =>
          remove.mutateAsync({ params: { ...params, offset: String(removing?.offset) } })
        }
      >
        After the next start nobody reaches this server on {server.address}:{removing?.hostPort}.
        Another server may get the port.
      </ConfirmDialog>
    </Stack>
  )
}
