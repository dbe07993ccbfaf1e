export { countServers, type FleetNode, listFleetNodes, type ServerCount } from './counts.ts'
export { lowestJobId } from './job-ids.ts'
