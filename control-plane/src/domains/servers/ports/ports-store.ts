/** Host ports in use on the node reserved in this transaction. */
export const PORTS_OF_RESERVED_NODE = `
  select coalesce(array_agg(host_port), '{}') as ports from server_ports
  where node_id = nullif(current_setting('lodge.reserved_node', true), '')::uuid`
