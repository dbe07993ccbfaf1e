import { formatOpening, readOpenings } from '@lodge/shared/network-opening.ts'
import type { CapacityField, Node } from '@lodge/shared/nodes.ts'
import { readRanges, writeRanges } from './port-ranges.ts'

/** The fields of a node's form. Capacity that is undefined follows what is detected. */
export interface NodeValues extends Record<CapacityField, number | undefined> {
  name: string
  location: string
  address: string
  ports: string
  /** Empty: SFTP goes through the control plane. */
  sftpPort: string
  networks: string
}

export const NEW_NODE: NodeValues = {
  name: 'node-1',
  location: 'default',
  address: '',
  memoryMb: undefined,
  cpuPercent: undefined,
  diskMb: undefined,
  headroomMb: undefined,
  ports: '',
  sftpPort: '',
  networks: '',
}

export function valuesOf(node: Node): NodeValues {
  const set = (field: CapacityField) => (node.followed.includes(field) ? undefined : node[field])
  return {
    name: node.name,
    location: node.location,
    address: node.address ?? '',
    memoryMb: set('memoryMb'),
    cpuPercent: set('cpuPercent'),
    diskMb: set('diskMb'),
    headroomMb: set('headroomMb'),
    ports: writeRanges(node.portRanges),
    sftpPort: node.sftp.port === null ? '' : String(node.sftp.port),
    networks: node.openNetworks.map(formatOpening).join('\n'),
  }
}

const CAPACITY = ['memoryMb', 'cpuPercent', 'diskMb', 'headroomMb'] as const

/** The body that registers a node. Capacity that was left empty is null: as detected. */
export const creationOf = ({
  address,
  ports,
  sftpPort,
  networks: _,
  ...values
}: NodeValues): object => ({
  name: values.name,
  location: values.location,
  ...Object.fromEntries(CAPACITY.map((field) => [field, values[field] ?? null])),
  ...(address.trim() === '' ? {} : { address }),
  ...(ports.trim() === '' ? {} : { portRanges: readRanges(ports) }),
  ...(sftpPort.trim() === '' ? {} : { sftpPort: Number(sftpPort) }),
})

/** The body that changes a node. An address that nobody touched may be one that was found. */
export const changeOf = (values: NodeValues, { address }: Pick<Node, 'address'>): object => ({
  ...creationOf(values),
  address: values.address === (address ?? '') ? undefined : values.address.trim() || null,
  sftpPort: values.sftpPort.trim() === '' ? null : Number(values.sftpPort),
  openNetworks: readOpenings(values.networks),
})
