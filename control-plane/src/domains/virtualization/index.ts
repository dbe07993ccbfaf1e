export { whyNotInNetwork, whyNotOnNode, whyNotWithMedia } from './fitness.ts'
export { keptFile } from './media/folder.ts'
export { mediumRef, whyNotMedium } from './media/media.ts'
export { toAddress } from './networks/ipv4.ts'
export { MachineOptions, machineOptions } from './options.ts'
export { describeProfile } from './profiles/profiles.ts'
export { type CatalogueThing, leaseCounts, machinesWith } from './questions.ts'
export {
  findMedium,
  findNetwork,
  findProfile,
  listNetworks,
  lockNetwork,
} from './store.ts'
export type { MediumRow, NetworkRow, ProfileRow } from './tables.ts'
