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
import { protocolWord } from './protocols.ts'
import { t } from './words.ts'

const insideColumns = (): readonly Column<PortMapping>[] => [
  { header: t.portInside, cell: (port) => <Text mono>{port.container}</Text> },
  { header: t.protocol, cell: ({ protocol }) => protocolWord(protocol) },
]

/** A machine's port leads where its NAT rules say. */
const guestColumns = (): readonly Column<PortMapping>[] => [
  { header: t.guestPort, cell: (port) => <GuestPorts hostPort={port.hostPort} /> },
]

const addressWith = ({ address, nodeName }: Server, { hostPort }: PortMapping): string =>
  t.addressAndPort({ address: address ?? nodeName, port: hostPort })

/** A machine loses a port while it runs, a container at its next start. */
const removeText = (server: Server, port: PortMapping): string => {
  const address = addressWith(server, port)
  return server.kind === 'vm' ? t.removeMachineText({ address }) : t.removeText({ address })
}

const columns = (
  server: Server,
  lacking: string | undefined,
  onRemove: (port: PortMapping) => void,
): readonly Column<PortMapping>[] => [
  {
    header: t.address,
    role: 'title',
    cell: (port) => (
      <Copyable value={addressWith(server, port)} label={t.copyAddress({ port: port.hostPort })} />
    ),
  },
  ...(server.kind === 'vm' ? guestColumns() : insideColumns()),
  {
    header: t.use,
    cell: (port) =>
      port.offset === 0 ? (
        <Pill tone="info">{t.primary}</Pill>
      ) : (
        (port.label ?? <Text faint>{t.noName}</Text>)
      ),
  },
  {
    header: t.actions,
    role: 'acts',
    cell: (port) => (
      <IconButton
        label={t.removeOne({ port: port.hostPort })}
        size="small"
        disabledBecause={lacking ?? (port.offset === 0 ? t.primaryStays : undefined)}
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
        title={t.ports}
        flush
        actions={
          <Button
            size="small"
            icon={<Plus />}
            disabledBecause={noAdding}
            onClick={() => setAdding(true)}
          >
            {t.addPort}
          </Button>
        }
      >
        <p className={styles.about}>
          {server.kind === 'vm'
            ? t.aboutMachinePorts({ node: server.nodeName })
            : t.aboutPorts({ node: server.nodeName })}
        </p>
        <Loaded query={ports}>
          {({ items }) => (
            <Table
              label={t.ports}
              rows={items}
              columns={columns(server, noRemoving, setRemoving)}
              keyOf={(port) => String(port.offset)}
              empty={null}
            />
          )}
        </Loaded>
      </Card>
      {server.kind === 'vm' ? <MachineNetwork serverId={server.id} /> : null}
      <Dialog title={t.addPort} opened={adding} onClose={() => setAdding(false)}>
        <AddPort serverId={server.id} onDone={() => setAdding(false)} />
      </Dialog>
      <ConfirmDialog
        opened={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        title={t.removeOne({ port: removing?.hostPort ?? '' })}
        verb={t.remove}
        onConfirm={() =>
          remove.mutateAsync({ params: { ...params, offset: String(removing?.offset) } })
        }
      >
        {removing ? removeText(server, removing) : null}
      </ConfirmDialog>
    </Stack>
  )
}
