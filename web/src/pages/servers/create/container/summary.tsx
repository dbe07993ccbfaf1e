import { formatMib } from '@lodge/shared/units.ts'
import { readable } from '../../../../ui/fields/size.ts'
import { Note } from '../../../../ui/notices/note.tsx'
import { Facts } from '../../../../ui/page/card.tsx'
import { Column } from '../../../../ui/page/layout.tsx'
import { freeMemoryMb, type Node, placementOf, type Template, type Values } from './values.ts'

interface SummaryProps {
  values: Values
  template: Template | undefined
  nodes: readonly Node[]
}

/** A summary of the form, and where the server will run. */
export function Summary({ values, template, nodes }: SummaryProps) {
  const node = placementOf(values, nodes)
  const [memoryMb, cpuPercent, diskMb] = [values.memoryMb, values.cpuPercent, values.diskMb].map(
    readable,
  )
  const size = (mib: number | undefined): string => (mib === undefined ? '–' : formatMib(mib))
  return (
    <Column gap={12}>
      <Facts
        rows={[
          ['Template', template?.name ?? '–'],
          ['Name', values.name === '' ? '–' : values.name],
          ['Memory', size(memoryMb)],
          ['CPU', cpuPercent === undefined ? '–' : `${cpuPercent} %`],
          ['Disk', size(diskMb)],
        ]}
      />
      {node ? (
        <Note tone="info">
          Will run on <b>{node.name}</b> in {node.location}
          {values.nodeId === '' ? ', which has the most free memory' : ''}:{' '}
          {formatMib(Math.max(0, freeMemoryMb(node) - (memoryMb ?? 0)))} stay free.
        </Note>
      ) : (
        <Note tone="warn">
          No node has room for this size now. Choose a smaller one or add a node.
        </Note>
      )}
    </Column>
  )
}
