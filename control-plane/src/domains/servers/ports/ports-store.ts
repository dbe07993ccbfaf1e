import { portsOn } from '../port-store.ts'

/** Host ports in use on the node reserved in this transaction. */
export const PORTS_OF_RESERVED_NODE = portsOn(
  `nullif(current_setting('lodge.reserved_node', true), '')::uuid`,
)
