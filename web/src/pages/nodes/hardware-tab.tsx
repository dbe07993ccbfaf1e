import type { HardwareReport } from '@lodge/shared/hardware.ts'
import type { Node, NodeHardware } from '@lodge/shared/nodes.ts'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../query.ts'
import { formatBytes } from '../../ui/data/numbers.ts'
import { Pill } from '../../ui/data/status.tsx'
import { Table, type Column as TableColumn } from '../../ui/data/table.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'
import { Column, Grid, Text } from '../../ui/page/layout.tsx'
import { rich } from '../../ui/page/rich.ts'
import { saidWarnings } from './said-warning.ts'
import { Storages } from './storages.tsx'
import { useNode } from './use-node.ts'
import { t } from './words.ts'

/** The hardware of a node's machine. */
export default function HardwareTab() {
  const node = useNode()
  const found = useQuery(q('GET /api/nodes/{id}/hardware', { params: { id: node.id } }))
  return (
    <Loaded query={found} lines={8}>
      {({ hardware, engines, serversOnStorage }) => (
        <Column gap={24}>
          <Grid least={340} gap={16} top>
            {hardware === null ? (
              <Card>
                <Empty title={t.noHardware} art="nodes">
                  {t.noHardwareText({ node: node.name })}
                </Empty>
              </Card>
            ) : (
              <Machine hardware={hardware} />
            )}
            <Software node={node} hardware={hardware} engines={engines} />
          </Grid>
          {hardware === null ? null : <Devices hardware={hardware} />}
          {hardware?.storages?.length ? (
            <Storages node={node} storages={hardware.storages} serversOn={serversOnStorage} />
          ) : null}
        </Column>
      )}
    </Loaded>
  )
}

function processorOf({ model, threads, cores, sockets }: HardwareReport['cpu']): string {
  const parts = [
    ...(sockets === null || sockets === 1 ? [] : [t.sockets({ count: sockets })]),
    ...(cores === null ? [] : [t.cores({ count: cores })]),
    t.threads({ count: threads }),
  ]
  return t.processorOf({ model: model || t.unknownModel, parts: parts.join(', ') })
}

function Machine({ hardware }: { hardware: HardwareReport }) {
  const { cpu, memoryBytes, swapBytes, data, system } = hardware
  return (
    <Card title={t.machine}>
      <Facts
        rows={[
          [t.processor, processorOf(cpu)],
          [t.memory, formatBytes(memoryBytes)],
          [t.swap, swapBytes === 0 ? t.none : formatBytes(swapBytes)],
          [
            t.dataDisk,
            <span key="data">
              {rich(
                t.sizeAtPath({
                  size: formatBytes(data.sizeBytes),
                  path: () => <code>{data.path}</code>,
                }),
              )}
            </span>,
          ],
          [t.kind, system.virtualized ? t.virtualized : t.bareMetal],
        ]}
      />
    </Card>
  )
}

const ENGINES: Readonly<Record<string, () => string>> = {
  docker: () => t.docker,
  libvirt: () => t.libvirt,
  fake: () => t.testEngine,
}

function Engine({ engine }: { engine: NodeHardware['engines'][number] }) {
  const { healthy, version, why, warnings } = engine
  if (!healthy)
    return (
      <span>{rich(t.notAnswering({ why, state: (text) => <Pill tone="err">{text}</Pill> }))}</span>
    )
  const said = saidWarnings(warnings, why)
  if (said.length === 0) return version
  return (
    <Column gap={4}>
      <span>{rich(t.limping({ version, state: (text) => <Pill tone="warn">{text}</Pill> }))}</span>
      {said.map((text) => (
        <Text key={text} small muted>
          {text}
        </Text>
      ))}
    </Column>
  )
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
    <Card title={t.software}>
      <Facts
        rows={[
          ...(hardware === null
            ? []
            : ([
                [t.operatingSystem, hardware.system.name || t.unknown],
                [
                  t.kernel,
                  t.kernelOf({
                    kernel: hardware.system.kernel,
                    architecture: hardware.cpu.architecture,
                  }),
                ],
                [t.hostName, hardware.system.hostname],
              ] as const)),
          ...engines.map(
            (engine) =>
              [
                ENGINES[engine.kind]?.() ?? engine.kind,
                <Engine key={engine.kind} engine={engine} />,
              ] as const,
          ),
          ...(found === null
            ? []
            : ([
                [t.qemu, found.qemuVersion || t.unknown],
                [t.kvm, found.kvm ? t.kvmWorks : found.kvmWhy || t.kvmMissing],
              ] as const)),
          [t.agent, node.agentVersion ?? t.unknown],
        ]}
      />
    </Card>
  )
}

const diskColumns = (): readonly TableColumn<HardwareReport['disks'][number]>[] => [
  { header: t.name, role: 'title', cell: ({ name }) => <Text mono>{name}</Text> },
  { header: t.model, cell: ({ model }) => model || <Text faint>{t.unknown}</Text> },
  { header: t.kind, cell: ({ kind }) => (kind === 'ssd' ? t.ssd : t.hardDisk) },
  { header: t.size, right: true, cell: ({ sizeBytes }) => formatBytes(sizeBytes) },
]

const speedOf = (mbit: number): string =>
  mbit >= 1000 ? t.gigabits({ speed: mbit / 1000 }) : t.megabits({ speed: mbit })

const interfaceColumns = (): readonly TableColumn<HardwareReport['interfaces'][number]>[] => [
  { header: t.name, role: 'title', cell: ({ name }) => <Text mono>{name}</Text> },
  {
    header: t.link,
    cell: ({ up }) => <Pill tone={up ? 'ok' : 'idle'}>{up ? t.up : t.down}</Pill>,
  },
  {
    header: t.addresses,
    cell: ({ addresses }) =>
      addresses.length === 0 ? (
        <Text faint>{t.none}</Text>
      ) : (
        <Text mono>{addresses.join(', ')}</Text>
      ),
  },
  { header: t.mac, secondary: true, cell: ({ mac }) => <Text mono>{mac}</Text> },
  {
    header: t.speed,
    right: true,
    cell: ({ speedMbit }) =>
      speedMbit === null ? <Text faint>{t.unknown}</Text> : speedOf(speedMbit),
  },
]

function Devices({ hardware }: { hardware: HardwareReport }) {
  return (
    <Column gap={24}>
      <Card title={t.disks} flush>
        <Table
          label={t.disks}
          rows={hardware.disks}
          columns={diskColumns()}
          keyOf={({ name }) => name}
          empty={
            <Empty title={t.noDisks} art="disc">
              {t.noDisksText}
            </Empty>
          }
        />
      </Card>
      <Card title={t.interfaces} flush>
        <Table
          label={t.interfaces}
          rows={hardware.interfaces}
          columns={interfaceColumns()}
          keyOf={({ name }) => name}
          empty={<Empty title={t.noInterfaces} art="network" />}
        />
      </Card>
    </Column>
  )
}
