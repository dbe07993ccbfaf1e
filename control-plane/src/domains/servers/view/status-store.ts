import { type SQL, sql } from 'drizzle-orm'
import { nodeIsOnline } from '../../nodes/index.ts'
import { ENDED_WELL } from './ended-well-store.ts'

/** The kinds of a server's holds, to join to rows of `servers s`. */
export const HELD: SQL = sql`cross join lateral (select coalesce(array_agg(h.kind), '{}') as kinds
  from server_holds h where h.server_id = s.id) held`

/**
 * `serverStatus` as an SQL expression on rows of `servers s`, `nodes` and `held`: filters and orders
 * need it before a page is cut. A test holds the two together.
 */
export const STATUS: SQL<string> = sql`case
  when 'deleting' = any(held.kinds) then 'deleting'
  when 'migrating' = any(held.kinds) or 'failover' = any(held.kinds) then 'migrating'
  when 'restoring' = any(held.kinds) then 'restoring'
  when 'snapshotting' = any(held.kinds) then 'snapshotting'
  when not ${nodeIsOnline} or not (nodes.inventory_taken or s.observed_at is null
    or coalesce(s.observed_at >= nodes.connected_at, false)) then 'unknown'
  when 'suspension' = any(held.kinds) then
    case when s.observed_state = 'stopping' then 'stopping' else 'suspended' end
  when 'deletion' = any(held.kinds) then
    case when s.observed_state = 'stopping' then 'stopping' else 'deletion_scheduled' end
  when s.observed_state = 'installing' or 'installing' = any(held.kinds) then 'installing'
  when s.install_failed then 'install_failed'
  when s.observed_state = 'absent' then
    case when s.desired_power = 'on' then 'starting' else 'stopped' end
  when s.observed_state = 'crashed' and s.restart_at is not null then 'restarting'
  when s.observed_state = 'crashed' and ${ENDED_WELL} then 'ended'
  when s.observed_state = 'crashed' then 'crashed'
  when s.observed_state = 'stopped' and s.desired_power = 'on' then 'starting'
  when s.desired_power = 'off' and s.observed_state in ('running', 'starting') then 'stopping'
  else s.observed_state end`
