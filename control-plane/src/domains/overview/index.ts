export { lowestJobId } from '../../jobs/job-ids.ts'
export { countServers, type FleetNode, listFleetNodes, type ServerCount } from './counts.ts'
