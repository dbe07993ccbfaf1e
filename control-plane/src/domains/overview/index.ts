export { countServers, type FleetNode, listFleetNodes, type ServerCount } from './counts.ts'
