import { NodeMetrics } from './metrics/node-metrics.tsx'
import { useNode } from './use-node.ts'

/** What the machine of a node used over time. */
export default function MetricsTab() {
  return <NodeMetrics node={useNode()} />
}
