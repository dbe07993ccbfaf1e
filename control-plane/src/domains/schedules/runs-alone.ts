import { RUNS_SCHEDULES } from '@lodge/shared/node-schedules.ts'

/**
 * Whether a node runs schedules of a server on its own, as a condition on rows of `servers` and
 * `nodes`. A machine boots only with a permit of the control plane, so its schedules wait for that.
 */
export const RUNS_ALONE = `(servers.kind = 'container' and '${RUNS_SCHEDULES}' = any(nodes.capabilities))`
