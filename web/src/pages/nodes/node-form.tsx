import { formatOpening, readOpenings } from '@lodge/shared/network-opening.ts'
import { whyNoOpenings } from '@lodge/shared/node-abilities.ts'
import { CreateNode, EditNode, type Node } from '@lodge/shared/nodes.ts'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { AreaField } from '../../ui/fields/area-field.tsx'
import { CpuField, SizeField } from '../../ui/fields/measure-fields.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { FieldGrid } from '../../ui/form/fields.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { readRanges, writeRanges } from './port-ranges.ts'

interface Values {
  name: string
  location: string
  address: string
  memoryMb: number | undefined
  cpuPercent: number | undefined
  diskMb: number | undefined
  headroomMb: number | undefined
  ports: string
  networks: string
}

const FRESH: Values = {
  name: 'node-1',
  location: 'default',
  address: '',
  memoryMb: 4096,
  cpuPercent: 400,
  diskMb: 51_200,
  headroomMb: undefined,
  ports: '',
  networks: '',
}

const valuesOf = (node: Node): Values => ({
  name: node.name,
  location: node.location,
  address: node.address ?? '',
  memoryMb: node.memoryMb,
  cpuPercent: node.cpuPercent,
  diskMb: node.diskMb,
  headroomMb: node.headroomMb,
  ports: writeRanges(node.portRanges),
  networks: node.openNetworks.map(formatOpening).join('\n'),
})

const bodyOf = ({ networks: _, ...values }: Values): unknown => newNode(values)

const changeOf = ({ networks, ...values }: Values): unknown => ({
  ...newNode(values),
  openNetworks: readOpenings(networks),
})

function newNode({ address, ports, headroomMb, ...rest }: Omit<Values, 'networks'>): object {
  return {
    ...rest,
    ...(headroomMb === undefined ? {} : { headroomMb }),
    ...(address.trim() === '' ? {} : { address }),
    ...(ports.trim() === '' ? {} : { portRanges: readRanges(ports) }),
  }
}

/** A node's name and usable capacity. Without `node` a new one is registered. */
export function NodeForm({ node, onDone }: { node?: Node; onDone: (node: Node) => void }) {
  const client = useQueryClient()
  const form = useForm<Values, Node>({
    initial: node ? valuesOf(node) : FRESH,
    schema: node ? EditNode : CreateNode,
    toBody: node ? changeOf : bodyOf,
    submit: (values) =>
      node
        ? api('PATCH /api/nodes/{id}', {
            params: { id: node.id },
            body: EditNode.parse(changeOf(values)),
          })
        : api('POST /api/nodes', { body: CreateNode.parse(bodyOf(values)) }),
    refreshes: ['GET /api/nodes'],
    done: (saved) => {
      client.setQueryData(['GET /api/nodes/{id}', { params: { id: saved.id } }], saved)
      onDone(saved)
    },
  })
  const noOpenings = node && whyNoOpenings(node)
  const ranges = Object.entries(form.errors).find(([name]) => name.startsWith('portRanges'))
  const network = Object.entries(form.errors).find(([name]) => name.startsWith('openNetworks'))
  return (
    <Form form={form} submitText={node ? 'Save node' : 'Create node'}>
      <FieldGrid least={200}>
        <TextField label="Name" {...form.field('name')} />
        <TextField
          label="Location"
          description="Nodes of one location stand in for each other"
          {...form.field('location')}
        />
        <SizeField
          label="Memory"
          description="What servers may use together"
          {...form.field('memoryMb')}
        />
        <CpuField label="CPU" {...form.field('cpuPercent')} />
        <SizeField label="Disk" {...form.field('diskMb')} />
        <SizeField
          label="Headroom (optional)"
          description="Memory kept for the machine itself"
          {...form.field('headroomMb')}
        />
        <TextField
          label="Address (optional)"
          description="What customers connect to"
          placeholder="node-1.example.org"
          {...form.field('address')}
        />
        <TextField
          label="Ports (optional)"
          description="Ranges that servers get ports from"
          placeholder="25000-26999"
          {...form.field('ports')}
          error={ranges?.[1]}
        />
      </FieldGrid>
      {node && (
        <AreaField
          label="Open networks (optional)"
          description={
            noOpenings ??
            'Servers reach the public internet, but no private network, not this node and no mail port (25). Open what they need, one network a line, with tcp or udp and ports where you can. It applies at once.'
          }
          placeholder={'10.0.5.7 tcp 5432\n10.0.8.0/24 udp 27000-27100'}
          mono
          {...form.field('networks')}
          error={network && complaintOf(network)}
        />
      )}
    </Form>
  )
}

/** The complaint about the first wrong line. */
function complaintOf([name, why]: readonly [string, string | undefined]): string {
  const line = /\d+/.exec(name)
  return line ? `Line ${Number(line[0]) + 1}: ${why}` : String(why)
}
