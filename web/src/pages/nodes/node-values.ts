import { formatOpening, readOpenings } from '@lodge/shared/network-opening.ts'
import type { CapacityField, Node } from '@lodge/shared/nodes.ts'
import { readRanges, writeRanges } from './port-ranges.ts'

/** The values of a node's form. Undefined capacity follows what is detected. */
export interface NodeValues extends Record<CapacityField, number | undefined> {
  name: string
  location: string
  address: string
  ports: string
  /** Empty: SFTP goes through the control plane. */
  sftpPort: string
  /** Empty: files and disks go through the control plane. */
  transferPort: string
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
  transferPort: '',
  networks: '',
}

const writePort = (port: number | null) => (port === null ? '' : String(port))
const readPort = (text: string) => (text.trim() === '' ? null : Number(text))

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
    sftpPort: writePort(node.sftp.port),
    transferPort: writePort(node.transfers.port),
    networks: node.openNetworks.map(formatOpening).join('\n'),
  }
}

const CAPACITY = ['memoryMb', 'cpuPercent', 'diskMb', 'headroomMb'] as const

/** The body that registers a node. Cleared capacity is null: as detected. */
export const creationOf = ({
  address,
  ports,
  sftpPort,
  transferPort,
  networks: _,
  ...values
}: NodeValues): object => ({
  name: values.name,
  location: values.location,
  ...Object.fromEntries(CAPACITY.map((field) => [field, values[field] ?? null])),
  ...(address.trim() === '' ? {} : { address }),
  ...(ports.trim() === '' ? {} : { portRanges: readRanges(ports) }),
  ...(sftpPort.trim() === '' ? {} : { sftpPort: Number(sftpPort) }),
  ...(transferPort.trim() === '' ? {} : { transferPort: Number(transferPort) }),
})

/** The body that changes a node. An unchanged address may be a detected one and is not sent. */
export const changeOf = (values: NodeValues, { address }: Pick<Node, 'address'>): object => ({
  ...creationOf(values),
  address: values.address === (address ?? '') ? undefined : values.address.trim() || null,
  sftpPort: readPort(values.sftpPort),
  transferPort: readPort(values.transferPort),
  openNetworks: readOpenings(values.networks),
})
