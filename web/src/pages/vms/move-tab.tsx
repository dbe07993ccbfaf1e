import { ContainerMove } from '../servers/one/move/container-move.tsx'
import { useServer } from '../servers/one/use-server.ts'
import { MachineMove } from './machine-move.tsx'

/** Where a server can move: a machine while it is off, a container server at any time. */
export default function MoveTab() {
  return useServer().kind === 'vm' ? <MachineMove /> : <ContainerMove />
}
