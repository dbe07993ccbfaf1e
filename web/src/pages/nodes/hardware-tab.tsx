import type { HardwareReport } from '@lodge/shared/hardware.ts'
import type { Node, NodeHardware } from '@lodge/shared/nodes.ts'
import { formatBytes } from '@lodge/shared/units.ts'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../query.ts'
import { Pill } from '../../ui/data/status.tsx'
import { Table, type Column as TableColumn } from '../../ui/data/table.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'
import { Column, Grid, Text } from '../../ui/page/layout.tsx'
import { useNode } from './use-node.ts'

/** What the machine of a node consists of. */
export default function HardwareTab() {
  const node = useNode()
  const found = useQuery(q('GET /api/nodes/{id}/hardware', { params: { id: node.id } }))
  return (
    <Loaded query={found} lines={8}>
      {({ hardware, engines }) => (
        <Column gap={24}>
          <Grid least={340} gap={16} top>
            {hardware === null ? (
              <Card>
                <Empty title="The agent has not reported its hardware" art="nodes">
                  Update the agent of {node.name} to see it here.
                </Empty>
              </Card>
            ) : (
              <Machine hardware={hardware} />
            )}
            <Software node={node} hardware={hardware} engines={engines} />
          </Grid>
          {hardware === null ? null : <Devices hardware={hardware} />}
        </Column>
      )}
    </Loaded>
  )
}

function processorOf({ model, threads, cores, sockets }: HardwareReport['cpu']): string {
  const parts = [
    ...(sockets === null || sockets === 1 ? [] : [`${sockets} sockets`]),
    ...(cores === null ? [] : [cores === 1 ? '1 core' : `${cores} cores`]),
    threads === 1 ? '1 thread' : `${threads} threads`,
  ]
  return `${model || 'Unknown model'} (${parts.join(', ')})`
}

function Machine({ hardware }: { hardware: HardwareReport }) {
  const { cpu, memoryBytes, swapBytes, data, system } = hardware
  return (
    <Card title="Machine">
      <Facts
        rows={[
          ['Processor', processorOf(cpu)],
          ['Memory', formatBytes(memoryBytes)],
          ['Swap', swapBytes === 0 ? 'None' : formatBytes(swapBytes)],
          [
            'Data disk',
            <span key="data">
              {formatBytes(data.sizeBytes)} at <code>{data.path}</code>
            </span>,
          ],
          ['Kind', system.virtualized ? 'A virtual machine itself' : 'Bare metal'],
        ]}
      />
    </Card>
  )
}

const ENGINES: Readonly<Record<string, string>> = {
  docker: 'Docker',
  libvirt: 'libvirt',
  fake: 'Test engine',
}

function Software({
  node,
  hardware,
  engines,
}: {
  node: Node
  hardware: HardwareReport | null
  engines: NodeHardware['engines']
}) {
  const { found } = node.virtualization
  return (
    <Card title="Software">
      <Facts
        rows={[
          ...(hardware === null
            ? []
            : ([
                ['Operating system', hardware.system.name || 'Unknown'],
                ['Kernel', `${hardware.system.kernel} (${hardware.cpu.architecture})`],
                ['Hostname', hardware.system.hostname],
              ] as const)),
          ...engines.map(
            ({ kind, healthy, version, why }) =>
              [
                ENGINES[kind] ?? kind,
                healthy ? (
                  version
                ) : (
                  <span key={kind}>
                    <Pill tone="err">Not answering</Pill> {why}
                  </span>
                ),
              ] as const,
          ),
          ...(found === null
            ? []
            : ([
                ['QEMU', found.qemuVersion],
                ['KVM', found.kvm ? 'Works' : found.kvmWhy || 'Not available'],
              ] as const)),
          ['Agent', node.agentVersion ?? 'Unknown'],
        ]}
      />
    </Card>
  )
}

const DISKS: readonly TableColumn<HardwareReport['disks'][number]>[] = [
  { header: 'Name', role: 'title', cell: ({ name }) => <Text mono>{name}</Text> },
  { header: 'Model', cell: ({ model }) => model || <Text faint>Unknown</Text> },
  { header: 'Kind', cell: ({ kind }) => (kind === 'ssd' ? 'SSD' : 'Hard disk') },
  { header: 'Size', right: true, cell: ({ sizeBytes }) => formatBytes(sizeBytes) },
]

const speedOf = (mbit: number): string =>
  mbit >= 1000 ? `${mbit / 1000} Gbit/s` : `${mbit} Mbit/s`

const INTERFACES: readonly TableColumn<HardwareReport['interfaces'][number]>[] = [
  { header: 'Name', role: 'title', cell: ({ name }) => <Text mono>{name}</Text> },
  {
    header: 'Link',
    cell: ({ up }) => <Pill tone={up ? 'ok' : 'idle'}>{up ? 'Up' : 'Down'}</Pill>,
  },
  {
    header: 'Addresses',
    cell: ({ addresses }) =>
      addresses.length === 0 ? <Text faint>None</Text> : <Text mono>{addresses.join(', ')}</Text>,
  },
  { header: 'MAC', secondary: true, cell: ({ mac }) => <Text mono>{mac}</Text> },
  {
    header: 'Speed',
    right: true,
    cell: ({ speedMbit }) => (speedMbit === null ? <Text faint>Unknown</Text> : speedOf(speedMbit)),
  },
]

function Devices({ hardware }: { hardware: HardwareReport }) {
  return (
    <Column gap={24}>
      <Card title="Disks" flush>
        <Table
          label="Disks"
          rows={hardware.disks}
          columns={DISKS}
          keyOf={({ name }) => name}
          empty={
            <Empty title="No disks of its own" art="disc">
              The machine’s storage is provided to it.
            </Empty>
          }
        />
      </Card>
      <Card title="Network interfaces" flush>
        <Table
          label="Network interfaces"
          rows={hardware.interfaces}
          columns={INTERFACES}
          keyOf={({ name }) => name}
          empty={<Empty title="No network interfaces found" art="network" />}
        />
      </Card>
    </Column>
  )
}
