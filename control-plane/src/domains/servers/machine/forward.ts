import type { Db } from '../../../db/database.ts'
import type { PortRow } from '../tables.ts'
import { findMachine, updateMachine } from './store.ts'

/** Forwards a host port of a machine to its guest. The caller has locked the server's row. */
export async function forward(db: Db, port: PortRow): Promise<void> {
  const machine = await findMachine(db, port.serverId)
  const protocols = port.protocol === 'both' ? (['tcp', 'udp'] as const) : [port.protocol]
  const { hostPort, containerPort: guestPort } = port
  const rules = protocols.map((protocol) => ({ protocol, hostPort, guestPort }))
  await updateMachine(db, port.serverId, { natRules: [...(machine?.natRules ?? []), ...rules] })
}

/** Stops forwarding a host port that is taken from the machine. */
export async function endForwarding(db: Db, port: PortRow): Promise<void> {
  const machine = await findMachine(db, port.serverId)
  const natRules = (machine?.natRules ?? []).filter(({ hostPort }) => hostPort !== port.hostPort)
  await updateMachine(db, port.serverId, { natRules })
}
