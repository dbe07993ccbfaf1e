import { NodeServers } from './node-servers.tsx'
import { useNode } from './use-node.ts'

/** The servers of a node. */
export default function ServersTab() {
  return <NodeServers node={useNode()} />
}
